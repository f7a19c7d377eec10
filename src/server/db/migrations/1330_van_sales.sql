-- Goods sold from a van and the money received for them know the trip they are of.
ALTER TABLE "goods_issue" ADD COLUMN "canvas_request_id" bigint REFERENCES "canvas_request";
CREATE INDEX "goods_issue_canvas_request_id_idx" ON "goods_issue" ("canvas_request_id");
ALTER TABLE "ar_payment" ADD COLUMN "canvas_request_id" bigint REFERENCES "canvas_request";
CREATE INDEX "ar_payment_canvas_request_id_idx" ON "ar_payment" ("canvas_request_id");

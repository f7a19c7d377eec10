-- Money that drivers and collectors have with them: what it was brought along with, and when the cashier got it.
ALTER TABLE "ar_payment" ADD COLUMN "delivery_order_id" bigint REFERENCES "delivery_order";
ALTER TABLE "ar_payment" ADD COLUMN "delivery_plan_id" bigint REFERENCES "delivery_plan";
ALTER TABLE "ar_payment" ADD COLUMN "collection_list_id" bigint REFERENCES "collection_list";
ALTER TABLE "ar_payment" ADD COLUMN "handed_over_on" date;
CREATE INDEX "ar_payment_delivery_order_id_idx" ON "ar_payment" ("delivery_order_id");
CREATE INDEX "ar_payment_delivery_plan_id_idx" ON "ar_payment" ("delivery_plan_id");
CREATE INDEX "ar_payment_collection_list_id_idx" ON "ar_payment" ("collection_list_id");
ALTER TABLE "cash_deposit_line" ADD COLUMN "handed_over_on" date;
ALTER TABLE "collection_list" ADD COLUMN "handed_over" numeric(18,2) NOT NULL DEFAULT 0;

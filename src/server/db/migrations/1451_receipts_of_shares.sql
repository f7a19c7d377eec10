-- The receipt a share of a bill belongs to, beside its line.

ALTER TABLE "vendor_invoice_share" ADD COLUMN "goods_receipt_id" bigint REFERENCES "goods_receipt";
CREATE INDEX "vendor_invoice_share_goods_receipt_id_idx" ON "vendor_invoice_share" ("goods_receipt_id");
UPDATE "vendor_invoice_share" s SET "goods_receipt_id" = l."goods_receipt_id" FROM "goods_receipt_line" l WHERE l."id" = s."gr_line_id";

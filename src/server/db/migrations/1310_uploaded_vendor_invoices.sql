-- What an uploaded invoice states, what it is for, and its scan.

ALTER TABLE "vendor_invoice" ADD COLUMN "purchase_order_id" bigint REFERENCES "purchase_order";
CREATE INDEX "vendor_invoice_purchase_order_id_idx" ON "vendor_invoice" ("purchase_order_id");
ALTER TABLE "vendor_invoice" ADD COLUMN "goods_receipt_id" bigint REFERENCES "goods_receipt";
CREATE INDEX "vendor_invoice_goods_receipt_id_idx" ON "vendor_invoice" ("goods_receipt_id");
ALTER TABLE "vendor_invoice" ADD COLUMN "expense_type_id" bigint REFERENCES "expense_type";
CREATE INDEX "vendor_invoice_expense_type_id_idx" ON "vendor_invoice" ("expense_type_id");
ALTER TABLE "vendor_invoice" ADD COLUMN "stated_dpp" numeric(18,2);
ALTER TABLE "vendor_invoice" ADD COLUMN "stated_pph" numeric(18,2);
ALTER TABLE "vendor_invoice" ADD COLUMN "scan_id" bigint REFERENCES "attachment";
CREATE INDEX "vendor_invoice_scan_id_idx" ON "vendor_invoice" ("scan_id");

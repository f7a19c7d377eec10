-- Goods that go back to the vendor, before and after he has billed them.

ALTER TABLE "goods_receipt_line" ADD COLUMN "returned_qty" numeric(18,3) NOT NULL DEFAULT 0;
ALTER TABLE "goods_receipt_line" ADD COLUMN "returned_open" numeric(18,3) NOT NULL DEFAULT 0;
ALTER TABLE "goods_receipt_line" ADD COLUMN "billed_price" numeric(18,4);
alter table goods_receipt_line add constraint goods_receipt_line_returned check (returned_qty >= 0 and returned_open >= 0);

ALTER TABLE "debit_note" ADD COLUMN "purchase_order_id" bigint REFERENCES "purchase_order";
ALTER TABLE "debit_note" ADD COLUMN "goods_receipt_id" bigint REFERENCES "goods_receipt";
ALTER TABLE "debit_note" ADD COLUMN "warehouse_id" bigint REFERENCES "warehouse";
ALTER TABLE "debit_note" ADD COLUMN "stock_class" text;
ALTER TABLE "debit_note" ADD COLUMN "nota_retur_number" text;
ALTER TABLE "debit_note" ADD COLUMN "nota_retur_date" date;
ALTER TABLE "debit_note_line" ADD COLUMN "order_line_id" bigint REFERENCES "purchase_order_line";
ALTER TABLE "debit_note_line" ADD COLUMN "qty_open" numeric(18,3) NOT NULL DEFAULT 0;
ALTER TABLE "debit_note_line" ADD COLUMN "qty_moved" numeric(18,3) NOT NULL DEFAULT 0;
ALTER TABLE "debit_note_line" ADD COLUMN "gr_line_id" bigint REFERENCES "goods_receipt_line";
ALTER TABLE "debit_note_line" ADD COLUMN "po_line_id" bigint REFERENCES "purchase_order_line";
ALTER TABLE "debit_note_line" ADD COLUMN "batch" text;
ALTER TABLE "debit_note_line" ADD COLUMN "stock_class" text;
ALTER TABLE "debit_note_line" ADD COLUMN "billed_price" numeric(18,4);
ALTER TABLE "debit_note_line" ADD COLUMN "grir_price" numeric(18,6);
ALTER TABLE "debit_note_line" ADD COLUMN "grir" numeric(18,2) NOT NULL DEFAULT 0;
ALTER TABLE "debit_note_line" ADD COLUMN "cost" numeric(18,2) NOT NULL DEFAULT 0;
ALTER TABLE "debit_note_line" ADD COLUMN "difference" numeric(18,2) NOT NULL DEFAULT 0;
CREATE INDEX "debit_note_purchase_order_id_idx" ON "debit_note" ("purchase_order_id");
CREATE INDEX "debit_note_goods_receipt_id_idx" ON "debit_note" ("goods_receipt_id");
CREATE INDEX "debit_note_warehouse_id_idx" ON "debit_note" ("warehouse_id");
CREATE INDEX "debit_note_line_order_line_id_idx" ON "debit_note_line" ("order_line_id");
CREATE INDEX "debit_note_line_gr_line_id_idx" ON "debit_note_line" ("gr_line_id");
CREATE INDEX "debit_note_line_po_line_id_idx" ON "debit_note_line" ("po_line_id");

-- What of receipts can go back: what the vendor has not billed, worth what it came in at, and what he has, at the price he billed last.
create view returnable_goods as
select g.id, r.code, r.operating_unit_id, r.bp_id as vendor_id, r.id as goods_receipt_id, g.po_line_id, g.line_no, g.item_id, coalesce(g.batch, '') as batch,
  g.qty_received - g.billed_qty as open_before, g.billed_qty - g.returned_qty as open_after, coalesce(g.billed_price, g.unit_cost) as price
from goods_receipt_line g join goods_receipt r on r.id = g.goods_receipt_id
where r.status = 1 and r.pending_transition is null and (g.qty_received > g.billed_qty or g.billed_qty > g.returned_qty);

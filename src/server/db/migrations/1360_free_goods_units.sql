-- Goods given away are entered in any unit of the item, also by file.

ALTER TABLE "free_goods_request" ADD COLUMN "external_ref" text;
ALTER TABLE "free_goods_request_line" ADD COLUMN "uom" text;
ALTER TABLE "free_goods_request_line" ADD COLUMN "factor" numeric(18,6) NOT NULL DEFAULT 0;
ALTER TABLE "free_goods_request_line" ADD COLUMN "qty_base" numeric(18,3) NOT NULL DEFAULT 0;

update free_goods_request_line line set uom = item.base_uom, factor = 1, qty_base = line.qty from item where item.id = line.item_id;

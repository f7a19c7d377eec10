-- Lines of goods receipts that stand: what vendors brought, what of it was accepted, and how long after the order.
select
  l.id as goods_receipt_line_id, g.id as goods_receipt_id, g.code as receipt_code, g.gr_date, o.id as purchase_order_id, o.code as order_code, o.po_date, g.supplier_dn_no,
  b.code as vendor_code, b.name as vendor_name, l.item_id, i.code as item_code, i.name as item_name, i.base_uom, l.batch, l.expiry, w.code as warehouse_code,
  g.currency, g.operating_unit_id, ou.code as operating_unit_code, g.gr_date - o.po_date as lead_days,
  l.qty_received as received, l.qty_rejected as rejected, l.qty_received + l.qty_rejected as arrived, l.cost
from goods_receipt_line l
join goods_receipt g on g.id = l.goods_receipt_id
join purchase_order o on o.id = g.purchase_order_id
join business_partner b on b.id = o.bp_id
join item i on i.id = l.item_id
join warehouse w on w.id = g.warehouse_id
left join operating_unit ou on ou.id = g.operating_unit_id
where g.status = 1 and g.gr_date between :date_from::date and :date_to::date and :scope

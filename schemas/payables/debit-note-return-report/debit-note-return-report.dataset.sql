-- Goods that went back to vendors: before he billed them, at what they came in at, and after, at the price he billed.
select
  l.id as debit_note_line_id, n.id as debit_note_id, n.code as dn_code, n.status, b.code as vendor_code, b.name as vendor_name, g.code as receipt_code, l.item_id, i.code as item_code, i.name as item_name, i.base_uom,
  coalesce(n.nota_retur_number, case when n.total > 0 then n.code end) as nota_retur_number, coalesce(n.nota_retur_date, case when n.total > 0 then n.posting_date end) as nota_retur_date, n.posting_date, n.remaining = 0 as is_settled,
  n.currency, n.operating_unit_id, ou.code as operating_unit_code, l.qty_open as qty_before, l.qty as qty_after, l.billed_price as price, l.amount, l.cost, l.difference
from debit_note_line l
join debit_note n on n.id = l.debit_note_id
join business_partner b on b.id = n.vendor_id
left join goods_receipt g on g.id = n.goods_receipt_id
left join item i on i.id = l.item_id
left join operating_unit ou on ou.id = n.operating_unit_id
where n.kind = 'RETURN' and n.status in (1, 2, 3) and n.posting_date between :date_from::date and :date_to::date and :scope

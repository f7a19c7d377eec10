-- Lines of purchase orders: what was ordered, came in and was billed. Nothing is expected any more of orders that are closed or cancelled.
select
  l.id as purchase_order_line_id, o.id as purchase_order_id, o.code as order_code, o.po_date, o.delivery_date, o.status, b.code as vendor_code, b.name as vendor_name,
  l.item_id, i.code as item_code, i.name as item_name, e.name as expense_type_name, i.base_uom, o.currency, o.operating_unit_id, ou.code as operating_unit_code,
  case when x.awaited > 0 and o.delivery_date < :today::date then :today::date - o.delivery_date end as late_days,
  l.qty as ordered, l.received_qty as received, l.billed_qty as billed, x.awaited as open_receive, l.received_qty - l.billed_qty as open_bill,
  l.price, l.amount as value, round(x.awaited * coalesce(l.price, 0), 2) as open_value
from purchase_order_line l
join purchase_order o on o.id = l.purchase_order_id
join business_partner b on b.id = o.bp_id
left join item i on i.id = l.item_id
left join expense_type e on e.id = l.expense_type_id
left join operating_unit ou on ou.id = o.operating_unit_id
cross join lateral (select case when o.status in (1, 2) then greatest(l.qty - l.received_qty, 0) else 0 end as awaited) x
where o.status in (1, 2, 3, 6) and o.po_date between :date_from::date and :date_to::date and :scope

-- Results of counts: what the book said when it was written down, what was found, and whether the difference is booked. Accuracy is one less the differences, each without its sign, in the value of the book.
select
  l.id as stock_opname_line_id, o.id as stock_opname_id, o.code as count_code, o.count_date, o.status, w.code as warehouse_code, w.name as warehouse_name,
  l.item_id, i.code as item_code, i.name as item_name, i.base_uom, l.batch, o.status = 3 and l.moved_by is null as is_posted, l.moved_by, o.currency, o.operating_unit_id, ou.code as operating_unit_code,
  l.system_qty, x.counted, l.diff, x.system_value, l.diff_value, x.system_value - abs(l.diff_value) as matched_value
from stock_opname_line l
join stock_opname o on o.id = l.stock_opname_id
join item i on i.id = l.item_id
join warehouse w on w.id = o.warehouse_id
left join operating_unit ou on ou.id = o.operating_unit_id
cross join lateral (select coalesce(l.recount_qty, l.counted_qty) as counted, round(l.system_qty * l.unit_cost, 2) as system_value) x
where o.status in (8, 4, 3, 5) and o.count_date between :date_from::date and :date_to::date and :scope

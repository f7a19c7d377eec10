-- How well order lines were served, by the day the customer asked for. Quantities in base units; cancelled for want of stock is lost.
select
  sl.id as order_line_id, so.id as sales_order_id, so.code as so_code, so.doc_date as so_date, so.status as so_status, case when :in_books then co.base_currency else so.currency end as currency, so.rate, sl.line_no, wanted.day as requested_date,
  so.customer_id, c.code as customer_code, c.name as customer_name, so.operating_unit_id, ou.code as operating_unit_code, so.territory_id, t.code as territory_code,
  ch.code as sales_channel_code, sl.item_id, i.code as item_code, i.name as item_name, p.name as principal_name, b.name as brand_name, ic.name as category_name, i.base_uom,
  r.code as reason_code, r.name as reason_name, got.pod_date,
  sl.qty_base as ordered_qty, case when so.status in (1, 2, 3) then sl.qty_base else 0 end as approved_qty, sl.delivered_qty as issued_qty, gone.qty as cancelled_qty,
  sl.qty_base - sl.delivered_qty - gone.qty as open_qty,
  case when r.code = 'C03' then gone.qty else 0 end as lost_qty,
  case when r.code = 'C03' then round(gone.qty * sl.dpp / sl.qty_base, 2) else 0 end as lost_value,
  coalesce(sent.on_time, 0) as on_time_qty, 1 as line_count,
  case when got.qty >= sl.qty_base and got.pod_date <= wanted.day then 1 else 0 end as otif_lines
from sales_order so
join sales_order_line sl on sl.sales_order_id = so.id and sl.qty_base > 0
cross join lateral (select coalesce(sl.requested_date, so.requested_date, so.doc_date) as day) as wanted
cross join lateral (select case when so.status = 6 then sl.qty_base - sl.delivered_qty else sl.cancelled_qty end as qty) as gone
left join lateral (
  select sum(gl.qty) filter (where g.posting_date <= wanted.day) as on_time
  from goods_issue_line gl join goods_issue g on g.id = gl.goods_issue_id where gl.order_line_id = sl.id and g.status in (1, 3)
) as sent on true
left join lateral (
  select sum(dl.qty_received) as qty, max(d.delivered_date) as pod_date
  from delivery_order_line dl join delivery_order d on d.id = dl.delivery_order_id where dl.order_line_id = sl.id and d.status = 3
) as got on true
join customer c on c.id = so.customer_id
join item i on i.id = sl.item_id
left join operating_unit ou on ou.id = so.operating_unit_id
left join company co on co.id = ou.company_id
left join territory t on t.id = so.territory_id
left join sales_channel ch on ch.id = coalesce(so.sales_channel_id, c.sales_channel_id)
left join business_partner p on p.id = i.principal_id
left join brand b on b.id = i.brand_id
left join item_category ic on ic.id = i.category_id
left join reason r on r.id = coalesce(sl.reject_reason_id, case when so.status = 6 then so.reason_id end)
where so.status in (1, 2, 3, 4, 6)
  and coalesce(sl.requested_date, so.requested_date, so.doc_date) between :date_from::date and :date_to::date
  and :scope

-- Every order of the days asked for, cancelled ones too: what was cancelled of it is told at its price.
select
  so.id as sales_order_id, so.code as so_code, so.doc_date as so_date, so.order_type, case when :in_books then co.base_currency else so.currency end as currency, so.rate, so.customer_id, c.code as customer_code, c.name as customer_name,
  so.operating_unit_id, ou.code as operating_unit_code, so.territory_id, t.code as territory_code, ch.code as sales_channel_code, so.salesman_id, sm.name as salesman_name,
  so.status as so_status, so.stage, array_to_string(so.block_codes, ', ') as blocks, u.name as approver_name, so.requested_date,
  so.gross, so.discount, so.promo, so.dpp, so.ppn, so.total,
  case when so.status = 6 then so.total else coalesce(gone.value, 0) end as cancelled_value
from sales_order so
join customer c on c.id = so.customer_id
join operating_unit ou on ou.id = so.operating_unit_id
join company co on co.id = ou.company_id
left join territory t on t.id = so.territory_id
left join sales_channel ch on ch.id = coalesce(so.sales_channel_id, c.sales_channel_id)
left join employee sm on sm.id = so.salesman_id
left join app_user u on u.id = so.approved_by
left join lateral (
  select round(sum(l.total * l.cancelled_qty / l.qty_base), 2) as value from sales_order_line l where l.sales_order_id = so.id and l.qty_base > 0 and l.cancelled_qty > 0
) as gone on so.status <> 6
where so.doc_date between :date_from::date and :date_to::date
  and :scope
  and (:order_type::text is null or so.order_type = :order_type::text)

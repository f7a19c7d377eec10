-- What was ordered against what was billed of it, in base units and at the tax base. The part of the difference that comes from another price is told by itself:
-- what was billed, less what the same quantity would have come to as ordered. Returns are taken at the price billed.
select
  sl.id as order_line_id, so.id as sales_order_id, so.code as so_code, so.doc_date as so_date, so.order_type, case when :in_books then co.base_currency else so.currency end as currency, so.rate, so.customer_id, c.code as customer_code, c.name as customer_name,
  so.operating_unit_id, ou.code as operating_unit_code, so.territory_id, t.code as territory_code, ch.code as sales_channel_code, so.salesman_id, sm.name as salesman_name,
  it.code as item_code, it.name as item_name, p.name as principal_name, b.name as brand_name, sl.is_free,
  sl.qty_base as ordered_qty, sl.dpp as ordered_net, coalesce(bill.qty, 0) as billed_qty, coalesce(bill.net, 0) as billed_net,
  coalesce(bill.qty, 0) - sl.qty_base as qty_variance, coalesce(bill.net, 0) - sl.dpp as net_variance,
  coalesce(bill.net, 0) - coalesce(round(sl.dpp * bill.qty / nullif(sl.qty_base, 0), 2), 0) as price_variance,
  sl.returned_qty, back.net as returned_net, coalesce(bill.net, 0) - back.net as net_billed
from sales_order so
join sales_order_line sl on sl.sales_order_id = so.id
join customer c on c.id = so.customer_id
join operating_unit ou on ou.id = so.operating_unit_id
join company co on co.id = ou.company_id
left join territory t on t.id = so.territory_id
left join sales_channel ch on ch.id = coalesce(so.sales_channel_id, c.sales_channel_id)
left join employee sm on sm.id = so.salesman_id
join item it on it.id = sl.item_id
left join business_partner p on p.id = it.principal_id
left join brand b on b.id = it.brand_id
left join lateral (
  select sum(case when x.uom = sl.uom then x.qty * sl.factor else x.qty end) as qty, sum(x.dpp) as net
  from invoice_line x join invoice i on i.id = x.invoice_id where x.order_line_id = sl.id and i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL'
) as bill on true
cross join lateral (select coalesce(round(bill.net * sl.returned_qty / nullif(bill.qty, 0), 2), 0) as net) as back
where so.doc_date between :date_from::date and :date_to::date
  and :scope
  and so.status not in (0, 5)

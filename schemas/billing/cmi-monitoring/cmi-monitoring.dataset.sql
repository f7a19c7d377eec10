-- Co-managed stock: what stood at the customer, what was brought, what he says he used and counted. The book goes on from what was brought and used; the customer's own
-- closing is that of his last report of the span.
with report as (
  select h.customer_id, h.warehouse_id, l.item_id, h.status, (to_date(h.sales_period || '01', 'YYYYMMDD') + interval '1 month - 1 day')::date as day, l.usage, l.adjustment, l.closing
  from cmi_consumption h join cmi_consumption_line l on l.cmi_consumption_id = h.id where h.status in (1, 3)
),
used as (
  select customer_id, warehouse_id, item_id,
    coalesce(sum(adjustment - usage) filter (where day < :date_from::date), 0) as before, coalesce(sum(usage) filter (where day >= :date_from::date), 0) as usage,
    coalesce(sum(usage) filter (where day >= :date_from::date and status = 3), 0) as billed, coalesce(sum(adjustment) filter (where day >= :date_from::date), 0) as adjusted,
    (array_agg(closing order by day desc))[1] as closing, min(day) filter (where status = 1 and usage > 0 and day >= :date_from::date) as oldest
  from report where day <= :date_to::date group by 1, 2, 3
),
brought as (
  select m.warehouse_id, m.item_id, sum(m.qty) filter (where m.posting_date < :date_from::date) as before, sum(m.qty) filter (where m.posting_date >= :date_from::date) as qty
  from stock_movement m join warehouse w on w.id = m.warehouse_id and w.kind = 'CONSIGNMENT' where m.movement_type in ('631', '632', '561') and m.posting_date <= :date_to::date group by 1, 2
)
select
  c.id as customer_id, c.code as customer_code, c.name as customer_name, i.id as item_id, i.code as item_code, i.name as item_name, i.base_uom, u.oldest as oldest_unbilled, co.base_currency as currency,
  w.operating_unit_id, ou.code as operating_unit_code, c.territory_id, t.code as territory_code,
  x.opening, coalesce(b.qty, 0) as fill_ups, coalesce(u.usage, 0) as reported_usage, coalesce(u.billed, 0) as billed_usage, coalesce(u.usage - u.billed, 0) as unbilled_usage, coalesce(u.adjusted, 0) as adjustments,
  x.closing as system_closing, coalesce(u.closing, 0) as reported_closing, coalesce(u.closing, x.closing) - x.closing as stock_difference,
  round(x.closing * (:date_to::date - :date_from::date + 1) / nullif(u.usage, 0), 3) as days_of_supply, round(x.closing * coalesce(k.value / nullif(k.qty, 0), 0), 2) as stock_value
from warehouse w
join customer c on c.id = w.customer_id and c.is_cmi
join operating_unit ou on ou.id = w.operating_unit_id
join company co on co.id = ou.company_id
join territory t on t.id = c.territory_id
cross join lateral (select item_id from used where warehouse_id = w.id union select item_id from brought where warehouse_id = w.id) n
join item i on i.id = n.item_id
left join used u on u.warehouse_id = w.id and u.item_id = n.item_id
left join brought b on b.warehouse_id = w.id and b.item_id = n.item_id
left join stock_cost k on k.item_id = n.item_id and k.operating_unit_id = w.operating_unit_id and k.stock_class = 'CONSIGNMENT'
cross join lateral (select coalesce(b.before, 0) + coalesce(u.before, 0) as opening, coalesce(b.before, 0) + coalesce(u.before, 0) + coalesce(b.qty, 0) - coalesce(u.usage, 0) + coalesce(u.adjusted, 0) as closing) x
where w.kind = 'CONSIGNMENT' and :scope

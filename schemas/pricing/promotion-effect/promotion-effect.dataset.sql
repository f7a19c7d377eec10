-- What promotions brought: net sales of the lines that bear them, what they cost, and what the same customers bought of the same goods in as many days
-- before. Amounts taken off count as billed, gifts at what the goods cost.
with sold as (
  select d.promotion_id, i.operating_unit_id, i.territory_id, i.customer_id, l.item_id, l.is_free, l.cogs,
    case when l.is_free then 0 else round(l.dpp * i.rate, 2) end as net, case when l.is_free then l.cogs else round(d.amount * i.rate * l.qty / nullif(ol.qty, 0), 2) end as cost
  from invoice i
  join invoice_line l on l.invoice_id = i.id
  join sales_order_line ol on ol.id = l.order_line_id
  join lateral (
    select p.id as promotion_id, sum(s.amount) as amount from sales_order_discount s join promotion p on p.code = s.name where s.line_id = ol.id and s.source = 'PROMOTION' group by p.id
  ) d on true
  where i.status in (1, 2, 3) and i.doc_date between :date_from::date and :date_to::date
), totals as (
  select promotion_id, operating_unit_id, territory_id, sum(net) as net, sum(cost) as cost, sum(case when is_free then 0 else cogs end) as cogs, count(distinct customer_id) as customers
  from sold group by 1, 2, 3
), earlier as (
  select s.promotion_id, s.operating_unit_id, s.territory_id, sum(round(l.dpp * i.rate, 2)) as net
  from (select distinct promotion_id, operating_unit_id, territory_id, customer_id, item_id from sold where not is_free) s
  join invoice i on i.customer_id = s.customer_id and i.territory_id = s.territory_id and i.status in (1, 2, 3)
    and i.doc_date between :date_from::date - (:date_to::date - :date_from::date + 1) and :date_from::date - 1
  join invoice_line l on l.invoice_id = i.id and l.item_id = s.item_id and not l.is_free
  group by 1, 2, 3
), uses as (
  select promotion_id, operating_unit_id, territory_id, sum(committed) as committed, sum(used) as used, sum(case when credit_note_id is not null then used else 0 end) as claimed
  from promotion_use group by 1, 2, 3
), places as (
  select promotion_id, operating_unit_id, territory_id from totals
  union select promotion_id, operating_unit_id, territory_id from uses
  union select p.id, p.operating_unit_id, p.territory_id from promotion p where p.status in (1, 6, 9) and not exists (select 1 from totals t where t.promotion_id = p.id) and not exists (select 1 from uses u where u.promotion_id = p.id)
)
select
  p.id as promotion_id, p.code as promotion_code, p.name as promotion_name, p.valid_from, p.valid_to, p.mechanism, p.status, t.code as promotion_type, pr.code as principal_code, pr.name as principal_name,
  b.code as budget_code, x.operating_unit_id, ou.code as operating_unit_code, x.territory_id, te.code as territory_code,
  coalesce(b.amount, 0) as budget_amount, coalesce(b.available, 0) as available, coalesce(u.committed, 0) as committed, coalesce(u.used, 0) as used, coalesce(u.claimed, 0) as claimed,
  coalesce(s.net, 0) as sales_qualified, coalesce(s.cost, 0) as cost, coalesce(e.net, 0) as baseline, coalesce(s.net, 0) - coalesce(e.net, 0) as uplift,
  coalesce(round((s.net - coalesce(e.net, 0)) * (s.net - s.cogs) / nullif(s.net, 0), 2), 0) - coalesce(s.cost, 0) as gain,
  round(100 * ((s.net - coalesce(e.net, 0)) * (s.net - s.cogs) / nullif(s.net, 0) - s.cost) / nullif(s.cost, 0), 4) as roi, coalesce(s.customers, 0) as customers
from places x
join promotion p on p.id = x.promotion_id and p.valid_from <= :date_to::date and (p.valid_to is null or p.valid_to >= :date_from::date)
join promotion_type t on t.id = p.promotion_type_id
left join business_partner pr on pr.id = p.principal_id
left join promotion_budget b on b.id = p.budget_id
left join operating_unit ou on ou.id = x.operating_unit_id
left join territory te on te.id = x.territory_id
left join totals s on s.promotion_id = x.promotion_id and s.operating_unit_id = x.operating_unit_id and s.territory_id is not distinct from x.territory_id
left join earlier e on e.promotion_id = x.promotion_id and e.operating_unit_id = x.operating_unit_id and e.territory_id is not distinct from x.territory_id
left join uses u on u.promotion_id = x.promotion_id and u.operating_unit_id = x.operating_unit_id and u.territory_id is not distinct from x.territory_id
where :scope

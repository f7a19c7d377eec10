-- Limits as they hold on :as_of. What counts against them and what is overdue is known of :today alone; on a day past both stay empty.
with limits as (
  select customer_id, coalesce(sum(amount) filter (where kind = 'REGULER'), 0) as limit_reguler, coalesce(sum(amount) filter (where kind = 'TEMPORARY'), 0) as limit_temporary,
         bool_or(amount is null) as is_unlimited, max(risk_class) as risk_class, min(review_date) as review_date, max(overdue_grace_days) as grace_days
  from credit_limit
  where customer_id is not null and is_active and valid_from <= :as_of::date and (valid_to is null or valid_to >= :as_of::date)
  group by customer_id
),
late as (
  select customer_id, max(:as_of::date - due_date) as max_days_overdue, sum(remaining) as overdue_amount
  from invoice
  where status in (1, 2) and remaining > 0 and due_date < :as_of::date and :as_of::date >= :today::date
  group by customer_id
)
select
  c.id as customer_id, c.code as customer_code, c.name as customer_name, c.operating_unit_id, ou.code as operating_unit_code, c.territory_id, t.code as territory_code,
  ch.code as sales_channel_code, pt.code as payment_term_code, s.name as salesman_name, l.risk_class, l.review_date, coalesce(l.is_unlimited, false) as is_unlimited,
  case when :as_of::date >= :today::date then coalesce(late.max_days_overdue, 0) end as max_days_overdue,
  -- Orders paid on or before delivery need no limit.
  case when x.exposure is null then null when l.is_unlimited or pt.is_cash or pt.is_cod or x.exposure <= coalesce(l.limit_reguler + l.limit_temporary, 0) then false else true end as is_over_limit,
  array_remove(array[
    case when not coalesce(l.is_unlimited or pt.is_cash or pt.is_cod, false) and x.exposure > coalesce(l.limit_reguler + l.limit_temporary, 0) then 'CL01' end,
    case when late.max_days_overdue > coalesce(l.grace_days, 0) then 'CL02' end,
    case when c.status = 6 then 'CL04' end,
    case when not coalesce(pt.is_cash or pt.is_cod, false) and l.review_date + 30 < :as_of::date then 'CL06' end], null) as block_codes,
  coalesce(l.limit_reguler, 0) as limit_reguler, coalesce(l.limit_temporary, 0) as limit_temporary,
  x.ar_open, x.gini_value, x.so_open, x.giro_uncleared, x.temp_cn_open, x.credit_usable, x.exposure,
  coalesce(l.limit_reguler + l.limit_temporary, 0) - x.exposure as available,
  -- Whoever has no limit uses none of one: he counts neither above nor below the line of the utilisation.
  case when coalesce(l.is_unlimited, false) then 0 else coalesce(l.limit_reguler + l.limit_temporary, 0) end as limit_total,
  case when coalesce(l.is_unlimited, false) or coalesce(l.limit_reguler + l.limit_temporary, 0) = 0 then 0 else x.exposure end as exposure_limited,
  case when :as_of::date >= :today::date then coalesce(late.overdue_amount, 0) end as overdue_amount
from customer c
left join v_customer_exposure x on x.customer_id = c.id and :as_of::date >= :today::date
join operating_unit ou on ou.id = c.operating_unit_id
left join territory t on t.id = c.territory_id
left join sales_channel ch on ch.id = c.sales_channel_id
left join payment_term pt on pt.id = c.payment_term_id
left join employee s on s.id = c.salesman_id
left join limits l on l.customer_id = c.id
left join late on late.customer_id = c.id
where c.is_active and :scope

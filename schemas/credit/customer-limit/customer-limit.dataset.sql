-- Limits as they hold on :as_of. What counts against them and what is overdue is known of :today alone; on a day past both stay empty.
with limits as (
  select customer_id, coalesce(sum(amount) filter (where kind = 'REGULER'), 0) as limit_reguler, coalesce(sum(amount) filter (where kind = 'TEMPORARY'), 0) as limit_temporary,
         bool_or(amount is null) as is_unlimited, max(risk_class) as risk_class, min(review_date) as review_date, max(overdue_grace_days) as grace_days,
         max(max_overdue_amount) as most_overdue, max(max_open_invoices) as most_invoices
  from credit_limit
  where customer_id is not null and is_active and valid_from <= :as_of::date and (valid_to is null or valid_to >= :as_of::date)
  group by customer_id
),
-- Disputed invoices are overdue; whether they stop an order is a setting.
late as (
  select i.customer_id, count(*) as open_invoices, max(:as_of::date - i.due_date) filter (where i.due_date < :as_of::date) as max_days_overdue, sum(i.base_remaining) filter (where i.due_date < :as_of::date) as overdue_amount,
         max(:as_of::date - i.due_date) filter (where not (i.dispute and rule.is_ignored)) as stopping_days, sum(i.base_remaining) filter (where i.due_date < :as_of::date and not (i.dispute and rule.is_ignored)) as stopping_amount
  from invoice i
  cross join (select coalesce((select s.value from setting_oms s where s.key = 'overdue_ignore_dispute' and s.operating_unit_id is null), 'true'::jsonb) = 'true'::jsonb as is_ignored) rule
  where i.status in (1, 2) and i.remaining > 0 and :as_of::date >= :today::date
  group by i.customer_id
),
-- Groups that owe more together than they may: a regular row in force counts in place of the master's amount, a temporary one is on top of either.
over_groups as (
  select g.id
  from customer_group g
  cross join lateral (
    select case when count(*) = 0 then g.group_credit_limit when bool_or(l.amount is null) then null
      else coalesce(sum(l.amount) filter (where l.kind = 'REGULER'), g.group_credit_limit, 0) + coalesce(sum(l.amount) filter (where l.kind = 'TEMPORARY'), 0) end as amount
    from credit_limit l where l.customer_group_id = g.id and l.customer_id is null and l.is_active and l.valid_from <= :as_of::date and (l.valid_to is null or l.valid_to >= :as_of::date)
  ) of_group
  where :as_of::date >= :today::date and case when of_group.amount is not null then (select sum(e.exposure) from v_customer_exposure e where e.customer_group_id = g.id) > of_group.amount end
),
bounced as (
  select distinct p.customer_id
  from ar_payment p join reason r on r.id = p.reversal_reason_id and r.code = 'V04'
  where p.status = 7 and p.method in ('GIRO', 'CHEQUE') and p.cancelled_at >= :as_of::date - 90 and p.cancelled_at < :as_of::date + 1
)
select
  c.id as customer_id, c.code as customer_code, c.name as customer_name, c.operating_unit_id, ou.code as operating_unit_code, co.base_currency as currency, c.territory_id, t.code as territory_code,
  ch.code as sales_channel_code, pt.code as payment_term_code, s.name as salesman_name, l.risk_class, l.review_date, coalesce(l.is_unlimited, false) as is_unlimited,
  case when :as_of::date >= :today::date then coalesce(late.max_days_overdue, 0) end as max_days_overdue,
  -- Orders paid on or before delivery need no limit.
  case when x.exposure is null then null when l.is_unlimited or pt.is_cash or pt.is_cod or x.exposure <= coalesce(l.limit_reguler + l.limit_temporary, 0) then false else true end as is_over_limit,
  -- As the check of an order finds them; on a day past those of its limits and giros alone.
  array_remove(array[
    case when not coalesce(pt.is_cash or pt.is_cod, false) and (over_groups.id is not null or (not coalesce(l.is_unlimited, false) and x.exposure > coalesce(l.limit_reguler + l.limit_temporary, 0))) then 'CL01' end,
    case when late.stopping_days > coalesce(l.grace_days, 0) or (l.most_overdue > 0 and late.stopping_amount > l.most_overdue) then 'CL02' end,
    case when late.open_invoices >= l.most_invoices then 'CL03' end,
    case when c.status = 6 or c.block_reason_id is not null then 'CL04' end,
    case when bounced.customer_id is not null then 'CL05' end,
    case when not coalesce(pt.is_cash or pt.is_cod, false) and (l.review_date + 30 < :as_of::date
      or (l.customer_id is null and exists (select 1 from credit_limit e where e.customer_id = c.id and e.valid_to < :as_of::date))) then 'CL06' end], null) as block_codes,
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
join company co on co.id = ou.company_id
left join territory t on t.id = c.territory_id
left join sales_channel ch on ch.id = c.sales_channel_id
left join payment_term pt on pt.id = c.payment_term_id
left join employee s on s.id = c.salesman_id
left join limits l on l.customer_id = c.id
left join late on late.customer_id = c.id
left join over_groups on over_groups.id = c.customer_group_id
left join bounced on bounced.customer_id = c.id
where c.is_active and :scope

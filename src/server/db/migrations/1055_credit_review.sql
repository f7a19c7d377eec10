-- How customers buy and pay, and the limit that follows from it: sales of six months, how late they paid weighted by amount, what is overdue, giros that came back within a year.
create view customer_scorecard as
with sold as (
  select customer_id, sum(dpp) filter (where doc_date > current_date - interval '6 months') as half_year, max(doc_date) as last_sale
  from invoice where status in (1, 2, 3) and invoice_type in ('SALES', 'CONSIGNMENT', 'CMI', 'CANVAS') and doc_date > current_date - interval '12 months' group by customer_id
), returned as (
  select customer_id, sum(dpp) as dpp from credit_note where kind = 'RETURN' and status in (1, 2, 3) and doc_date > current_date - interval '6 months' group by customer_id
), paid as (
  select i.customer_id, sum(a.amount * greatest(a.posting_date - i.due_date, 0)) / nullif(sum(a.amount), 0) as days
  from ar_allocation a join invoice i on i.id = a.invoice_id where a.source_type = 'PAYMENT' and a.reversed_at is null and a.posting_date > current_date - interval '6 months' group by i.customer_id
), owed as (
  select customer_id, sum(remaining) as open, max(current_date - due_date) as days, sum(remaining) filter (where due_date < current_date) as overdue from invoice where status in (1, 2) group by customer_id
), bounced as (
  select p.customer_id, count(*) as giros from ar_payment p join reason r on r.id = p.reversal_reason_id
  where p.status = 7 and p.method in ('GIRO', 'CHEQUE') and r.code = 'V04' and p.payment_date > current_date - interval '12 months' group by p.customer_id
), standing as (
  select distinct on (customer_id) customer_id, amount, risk_class, review_date from credit_limit
  where kind = 'REGULER' and is_active and valid_from <= current_date and (valid_to is null or valid_to >= current_date) order by customer_id, valid_from desc, id desc
)
select c.id, c.code, c.name, c.id as customer_id, c.operating_unit_id, c.territory_id, s.amount as limit_amount, s.customer_id is not null as has_limit, s.risk_class, s.review_date, sold.last_sale,
  x.monthly as avg_monthly_sales, coalesce(round(paid.days), 0)::int as avg_days_late, greatest(coalesce(owed.days, 0), 0) as max_days_overdue, coalesce(owed.overdue, 0)::numeric(18, 2) as overdue_amount,
  round(x.monthly * 12 / nullif(owed.open, 0), 3) as ar_turnover, coalesce(bounced.giros, 0)::int as bounced_giros,
  (floor(greatest(x.monthly, 0) * (t.net_days + 15) / 30 * case coalesce(s.risk_class, 'C') when 'A' then 1.2 when 'B' then 1.0 when 'C' then 0.7 else 0.3 end / 1000000) * 1000000)::numeric(18, 2) as recommended_limit
from customer c
join payment_term t on t.id = c.payment_term_id
left join sold on sold.customer_id = c.id left join returned on returned.customer_id = c.id left join paid on paid.customer_id = c.id
left join owed on owed.customer_id = c.id left join bounced on bounced.customer_id = c.id left join standing s on s.customer_id = c.id
cross join lateral (select round((coalesce(sold.half_year, 0) - coalesce(returned.dpp, 0)) / 6, 2) as monthly) x;

-- Customers with a permanent limit, and why theirs is to be looked at: its day has come, nine tenths of it were owed at three month-ends, or nothing was sold for 90 days.
create view credit_review as
with month as (select (date_trunc('month', current_date) - n * interval '1 month' - interval '1 day')::date as day from generate_series(0, 2) n),
changed as (
  select i.customer_id, m.day,
    coalesce(sum(i.total) filter (where i.posting_date > m.day), 0) as billed from month m join invoice i on i.posting_date > m.day and i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL' group by 1, 2
), settled as (
  select i.customer_id, m.day, sum(a.amount) as amount from month m join ar_allocation a on a.posting_date > m.day and a.reversed_at is null join invoice i on i.id = a.invoice_id group by 1, 2
), ends as (
  select s.id, count(*) as high from customer_scorecard s cross join month m
  left join changed b on b.customer_id = s.id and b.day = m.day left join settled a on a.customer_id = s.id and a.day = m.day
  where s.limit_amount > 0 and coalesce((select sum(remaining) from invoice where customer_id = s.id and status in (1, 2)), 0) - coalesce(b.billed, 0) + coalesce(a.amount, 0) > s.limit_amount * 0.9 group by s.id
)
select s.id, s.code, s.name, s.customer_id, s.operating_unit_id, s.territory_id, s.limit_amount, e.exposure, 'IDR'::text as currency, round(e.exposure * 100 / nullif(s.limit_amount, 0), 2) as utilisation, s.risk_class, s.review_date, s.last_sale,
  coalesce(s.review_date <= current_date + 30, false) as is_due, coalesce(ends.high = 3, false) as is_high, coalesce(s.last_sale < current_date - 90, true) as is_idle,
  s.avg_monthly_sales, s.avg_days_late, s.max_days_overdue, s.overdue_amount, s.ar_turnover, s.bounced_giros, s.recommended_limit
from customer_scorecard s join v_customer_exposure e on e.customer_id = s.id left join ends on ends.id = s.id
where s.has_limit;

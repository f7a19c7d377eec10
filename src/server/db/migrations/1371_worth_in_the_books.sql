-- What adds documents of several currencies up does so in the currency of the books.
create or replace view customer_account as
select c.id, c.code, c.name, c.operating_unit_id, c.territory_id, c.payment_term_id, c.collector_id,
  coalesce(i.open_invoices, 0)::integer as open_invoices, coalesce(i.open_amount, 0)::numeric(18, 2) as open_amount, i.oldest_due,
  (coalesce(n.amount, 0) + coalesce(d.amount, 0))::numeric(18, 2) as credit_open, p.last_payment_date, coalesce(co.base_currency, 'IDR') as currency
from customer c
left join operating_unit u on u.id = c.operating_unit_id
left join company co on co.id = u.company_id
left join (
  select customer_id, count(*) as open_invoices, sum(base_remaining) as open_amount, min(due_date) as oldest_due
  from invoice where status in (1, 2) and remaining > 0 group by customer_id
) i on i.customer_id = c.id
left join (select customer_id, sum(base_remaining) as amount from credit_note where status in (1, 2) group by customer_id) n on n.customer_id = c.id
left join (select customer_id, sum(base_remaining) as amount from customer_deposit where status in (1, 2) group by customer_id) d on d.customer_id = c.id
left join (select customer_id, max(payment_date) as last_payment_date from ar_payment where status in (1, 2, 3) group by customer_id) p on p.customer_id = c.id;

create or replace view customer_scorecard as
with sold as (
  select customer_id, sum(round(dpp * rate, 2)) filter (where doc_date > current_date - interval '6 months') as half_year, max(doc_date) as last_sale
  from invoice where status in (1, 2, 3) and invoice_type in ('SALES', 'CONSIGNMENT', 'CMI', 'CANVAS') and doc_date > current_date - interval '12 months' group by customer_id
), returned as (
  select customer_id, sum(round(dpp * rate, 2)) as dpp from credit_note where kind = 'RETURN' and status in (1, 2, 3) and doc_date > current_date - interval '6 months' group by customer_id
), paid as (
  select i.customer_id, sum(coalesce(a.base_amount, a.amount) * greatest(a.posting_date - i.due_date, 0)) / nullif(sum(coalesce(a.base_amount, a.amount)), 0) as days
  from ar_allocation a join invoice i on i.id = a.invoice_id where a.source_type = 'PAYMENT' and a.reversed_at is null and a.posting_date > current_date - interval '6 months' group by i.customer_id
), owed as (
  select customer_id, sum(base_remaining) as open, max(current_date - due_date) as days, sum(base_remaining) filter (where due_date < current_date) as overdue from invoice where status in (1, 2) group by customer_id
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

create or replace view credit_review as
with month as (select (date_trunc('month', current_date) - n * interval '1 month' - interval '1 day')::date as day from generate_series(0, 2) n),
changed as (
  select i.customer_id, m.day,
    coalesce(sum(i.base_total) filter (where i.posting_date > m.day), 0) as billed from month m join invoice i on i.posting_date > m.day and i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL' group by 1, 2
), settled as (
  select i.customer_id, m.day, sum(coalesce(a.base_amount, a.amount)) as amount from month m join ar_allocation a on a.posting_date > m.day and a.reversed_at is null join invoice i on i.id = a.invoice_id group by 1, 2
), ends as (
  select s.id, count(*) as high from customer_scorecard s cross join month m
  left join changed b on b.customer_id = s.id and b.day = m.day left join settled a on a.customer_id = s.id and a.day = m.day
  where s.limit_amount > 0 and coalesce((select sum(base_remaining) from invoice where customer_id = s.id and status in (1, 2)), 0) - coalesce(b.billed, 0) + coalesce(a.amount, 0) > s.limit_amount * 0.9 group by s.id
)
select s.id, s.code, s.name, s.customer_id, s.operating_unit_id, s.territory_id, s.limit_amount, e.exposure, 'IDR'::text as currency, round(e.exposure * 100 / nullif(s.limit_amount, 0), 2) as utilisation, s.risk_class, s.review_date, s.last_sale,
  coalesce(s.review_date <= current_date + 30, false) as is_due, coalesce(ends.high = 3, false) as is_high, coalesce(s.last_sale < current_date - 90, true) as is_idle,
  s.avg_monthly_sales, s.avg_days_late, s.max_days_overdue, s.overdue_amount, s.ar_turnover, s.bounced_giros, s.recommended_limit
from customer_scorecard s join v_customer_exposure e on e.customer_id = s.id left join ends on ends.id = s.id
where s.has_limit;

create or replace view order_desk as
select a.id, a.code, a.name, a.operating_unit_id, a.territory_id, c.sales_channel_id, c.salesman_id, a.payment_term_id, o.last_order_date, coalesce(o.last_order_total, 0)::numeric(18, 2) as last_order_total, coalesce(o.usual_total, 0)::numeric(18, 2) as usual_total,
  coalesce(u.orders_open, 0)::integer as orders_open, coalesce(u.orders_open_amount, 0)::numeric(18, 2) as orders_open_amount, a.open_amount, a.oldest_due, a.credit_open, a.currency
from customer_account a
join customer c on c.id = a.id and c.status = 1
left join lateral (
  select max(x.doc_date) as last_order_date, (array_agg(x.total order by x.doc_date desc, x.id desc))[1] as last_order_total, round(avg(x.total), 2)::numeric(18, 2) as usual_total
  from (select s.id, s.doc_date, round(s.total * s.rate, 2) as total from sales_order s where s.customer_id = c.id and s.status in (1, 2, 3) order by s.doc_date desc, s.id desc limit 3) x
) o on true
left join lateral (
  select count(*) as orders_open, sum(round(s.total * s.rate, 2)) as orders_open_amount from sales_order s where s.customer_id = c.id and s.status in (1, 2, 4)
) u on true;

-- A giro that comes back after what it paid too much was used leaves a debit memo against the deposit.
insert into posting_rule (event, line_no, amount_key, side, account_selector, account_id, selector)
select 'DEBIT_MEMO', 4, 'deposit', 'C', '212101', (select id from account where code = '212101'), '{}'
where exists (select 1 from posting_rule where event = 'DEBIT_MEMO');

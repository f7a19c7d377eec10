-- Invoices of buyers who give a receipt for them: handed over when, receipt of which day, paid when and how much later than promised. What has no receipt by the as-of day waits.
select
  i.id as invoice_id, i.code as invoice_code, i.doc_date as invoice_date, i.due_date, case when :in_books then co.base_currency else i.currency end as currency, i.customer_id, c.code as customer_code, c.name as customer_name,
  i.operating_unit_id, ou.code as operating_unit_code, i.territory_id, t.code as territory_code, e.name as collector_name,
  out.id as invoice_exchange_id, out.code as invoice_exchange_code, out.exchange_date as handed_over_on, got.id as customer_invoice_exchange_id, got.ttf_number, coalesce(ttf.day, got.ttf_date) as ttf_date,
  case when ttf.day is not null then 'ACCEPTED' when got.id is not null and out.result is distinct from 'OPEN' then 'REFUSED' when out.result in ('OPEN', 'RECEIVED') then 'HANDED_OUT' else 'NOT_HANDED' end as exchange_state,
  r.name as refuse_reason_name, ttf.day - i.doc_date as days_to_ttf, late.days as days_without_ttf, coalesce(late.days > :missing_days::int, false) as is_ttf_missing,
  case when got.accepted then got.plan_pay_date end as plan_pay_date, paid.day as paid_on, case when got.accepted then paid.day - got.plan_pay_date end as days_slipped,
  case when :in_books then i.base_total else i.total end as total, case when :in_books then i.base_remaining else i.remaining end as remaining, case when late.days > :missing_days::int then 1 else 0 end as missing,
  coalesce(ttf.day - i.doc_date, 0) as ttf_days, case when ttf.day is null then 0 else 1 end as ttf_count,
  case when got.accepted then coalesce(paid.day - got.plan_pay_date, 0) else 0 end as slip_days, case when got.accepted and paid.day - got.plan_pay_date is not null then 1 else 0 end as slip_count
from invoice i
join customer c on c.id = i.customer_id
join operating_unit ou on ou.id = i.operating_unit_id
join company co on co.id = ou.company_id
left join territory t on t.id = i.territory_id
left join employee e on e.id = i.collector_id
left join lateral (
  select x.id, x.code, x.exchange_date, l.result from invoice_exchange_line l join invoice_exchange x on x.id = l.invoice_exchange_id
  where l.invoice_id = i.id and x.status in (1, 2, 3) and x.exchange_date <= :as_of::date order by x.exchange_date desc, x.id desc limit 1
) as out on true
left join lateral (
  select x.id, x.ttf_number, x.ttf_date, x.plan_pay_date, l.accepted, l.refuse_reason_id from customer_invoice_exchange_line l join customer_invoice_exchange x on x.id = l.customer_invoice_exchange_id
  where l.invoice_id = i.id and x.status = 1 and x.ttf_date <= :as_of::date order by l.accepted desc, x.ttf_date desc, x.id desc limit 1
) as got on true
-- An invoice says the day of its receipt itself; which receipt it was, those taken in here do.
left join lateral (select case when got.accepted then got.ttf_date else i.ttf_date end as day) as ttf on got.accepted or i.ttf_date <= :as_of::date
left join reason r on r.id = got.refuse_reason_id and not got.accepted
-- The day the last of it was settled.
left join lateral (select max(a.posting_date) as day from ar_allocation a where a.invoice_id = i.id and a.reversed_at is null) as paid on i.status = 3
left join lateral (select :as_of::date - i.doc_date as days) as late on ttf.day is null and i.status in (1, 2) and i.doc_date <= :as_of::date
where i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL' and (c.requires_ttf or i.baseline = 'TTF' or out.id is not null or got.id is not null)
  and i.doc_date between :date_from::date and :date_to::date and :scope

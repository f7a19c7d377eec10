-- What receipts have paid of which invoice, by what it was paid with, and how late.
select
  l.id as line_id, p.id as ar_payment_id, p.code as payment_code, p.payment_date, p.method, p.status, case when :in_books then co.base_currency else p.currency end as currency, p.rate, p.customer_id, c.code as customer_code, c.name as customer_name,
  p.operating_unit_id, ou.code as operating_unit_code, p.territory_id, t.code as territory_code, e.name as collector_name,
  i.id as invoice_id, i.code as invoice_code, i.doc_date as invoice_date, i.due_date, p.payment_date - i.due_date as days_late, r.name as reason_name,
  i.total as invoice_total, l.money_amount, coalesce(k.credit_note, 0) as credit_note, coalesce(k.deposit, 0) as deposit, coalesce(x.withheld, 0) as withheld, coalesce(x.difference, 0) as difference,
  l.paid, l.remaining_before - l.paid as remaining_after, (p.payment_date - i.due_date) * l.paid as late_weight
from ar_payment p
join ar_payment_line l on l.ar_payment_id = p.id
join invoice i on i.id = l.invoice_id
join customer c on c.id = p.customer_id
left join operating_unit ou on ou.id = p.operating_unit_id
left join company co on co.id = ou.company_id
left join territory t on t.id = p.territory_id
left join employee e on e.id = p.collector_id
left join reason r on r.id = l.reason_id
left join lateral (
  select sum(k.amount) filter (where k.source = 'CREDIT_NOTE') as credit_note, sum(k.amount) filter (where k.source = 'DEPOSIT') as deposit from ar_payment_credit k where k.ar_payment_line_id = l.id
) k on true
left join lateral (
  select sum(x.amount) filter (where x.kind in ('PPH22', 'PPH23', 'PPN_WAPU')) as withheld, sum(x.amount) filter (where x.kind not in ('PPH22', 'PPH23', 'PPN_WAPU')) as difference
  from ar_payment_deduction x where x.ar_payment_line_id = l.id
) x on true
where p.status in (1, 2, 3) and p.payment_date between :date_from::date and :date_to::date and :scope

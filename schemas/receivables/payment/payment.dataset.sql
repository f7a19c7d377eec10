-- Money received: customer payments, and deposits received by themselves. What a bank has not confirmed by the as-of day is in transit since it was booked.
select
  'PAYMENT' as doc_kind, p.id as payment_id, p.code as payment_code, p.payment_date, p.posting_date, p.method, p.status, case when :in_books then co.base_currency else p.currency end as currency, p.rate, p.customer_id, c.code as customer_code, c.name as customer_name,
  p.operating_unit_id, ou.code as operating_unit_code, p.territory_id, t.code as territory_code, p.collector_id, e.name as collector_name,
  coalesce(hb.code, ca.code) as bank_code, coalesce(hb.name, ca.name) as bank_name, p.reference_no, bl.value_date as matched_date, p.id as ar_payment_id,
  p.method in ('TRANSFER', 'VA') and p.status in (1, 2) as is_in_transit,
  case when p.method in ('TRANSFER', 'VA') and p.status in (1, 2, 3) then coalesce(bl.value_date, :as_of::date) - p.posting_date end as days_in_transit,
  p.amount, p.credit_used, p.deposit_used, coalesce(d.pph22, 0) as pph22, coalesce(d.pph23, 0) as pph23, coalesce(d.ppn_wapu, 0) as ppn_wapu,
  coalesce(d.bank, 0) as bank_charge, coalesce(d.diff, 0) as payment_diff, coalesce(d.cash_discount, 0) as cash_discount, p.allocated, p.unapplied
from ar_payment p
join customer c on c.id = p.customer_id
left join operating_unit ou on ou.id = p.operating_unit_id
left join company co on co.id = ou.company_id
left join territory t on t.id = p.territory_id
left join employee e on e.id = p.collector_id
left join house_bank hb on hb.id = p.house_bank_id
left join cash_account ca on ca.id = p.cash_account_id
left join bank_statement_line bl on bl.id = p.bank_statement_line_id
left join lateral (
  select sum(x.amount) filter (where x.kind = 'PPH22') as pph22, sum(x.amount) filter (where x.kind = 'PPH23') as pph23, sum(x.amount) filter (where x.kind = 'PPN_WAPU') as ppn_wapu,
    sum(x.amount) filter (where x.kind = 'BANK') as bank, sum(x.amount) filter (where x.kind = 'DIFF') as diff, sum(x.amount) filter (where x.kind = 'CASH_DISCOUNT') as cash_discount
  from ar_payment_line l join ar_payment_deduction x on x.ar_payment_line_id = l.id where l.ar_payment_id = p.id
) as d on p.deducted <> 0
where p.payment_date between :date_from::date and :date_to::date and :scope
union all
select
  'DEPOSIT', p.id, p.code, p.doc_date, p.posting_date, p.method, p.status, case when :in_books then co.base_currency else p.currency end, p.rate, p.customer_id, c.code, c.name,
  p.operating_unit_id, ou.code, p.territory_id, t.code, null, null,
  coalesce(hb.code, ca.code), coalesce(hb.name, ca.name), p.reference_no, bl.value_date, null,
  p.method <> 'CASH' and p.status in (1, 2, 3) and p.bank_statement_line_id is null,
  case when p.method <> 'CASH' and p.status in (1, 2, 3) then coalesce(bl.value_date, :as_of::date) - p.posting_date end,
  p.amount, 0, 0, 0, 0, 0, 0, 0, 0, p.amount - p.remaining, p.remaining
from customer_deposit p
join customer c on c.id = p.customer_id
left join operating_unit ou on ou.id = p.operating_unit_id
left join company co on co.id = ou.company_id
left join territory t on t.id = p.territory_id
left join house_bank hb on hb.id = p.house_bank_id
left join cash_account ca on ca.id = p.cash_account_id
left join bank_statement_line bl on bl.id = p.bank_statement_line_id
-- What was paid too much is part of its payment.
where p.origin = 'RECEIPT' and p.doc_date between :date_from::date and :date_to::date and :scope

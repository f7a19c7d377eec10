-- Lines of bank statements with the balance after each and what they were matched with.
select
  l.id as line_id, s.id as bank_statement_id, s.code as statement_code, s.statement_no, s.status, s.currency, s.operating_unit_id, ou.code as operating_unit_code,
  hb.code as bank_code, hb.name as bank_name, l.line_no, l.value_date, l.description, l.match_type, coalesce(p.code, d.code, cd.code, cb.code, ap.code, sr.code) as document_code, p.id as ar_payment_id,
  l.match_type = 'NONE' as is_unmatched, case when l.match_type = 'NONE' then :as_of::date - l.value_date end as age_unmatched,
  l.debit, l.credit,
  s.opening_balance + (select sum(x.credit - x.debit) from bank_statement_line x where x.bank_statement_id = s.id and (x.line_no, x.id) <= (l.line_no, l.id)) as running_balance,
  l.diff_amount
from bank_statement s
join bank_statement_line l on l.bank_statement_id = s.id
join house_bank hb on hb.id = s.house_bank_id
left join operating_unit ou on ou.id = s.operating_unit_id
left join ar_payment p on p.id = l.ar_payment_id
left join customer_deposit d on d.id = l.customer_deposit_id
left join cash_deposit cd on cd.id = l.cash_deposit_id
left join cash_bank_document cb on cb.id = l.cash_bank_document_id
left join ap_payment ap on ap.id = l.ap_payment_id
left join supplier_receipt sr on sr.id = l.supplier_receipt_id
where s.status in (0, 3, 4)
  and l.value_date between :date_from::date and :date_to::date
  and :scope

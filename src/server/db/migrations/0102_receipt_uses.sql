-- What settled the invoices of a receipt beside its money: credit notes and deposits used, what was deducted or withheld. Even and odd numbers keep the two apart.
create view ar_payment_use as
select c.id * 2 as id, p.id as ar_payment_id, p.operating_unit_id, p.territory_id, l.line_no, l.invoice_id, c.source as kind,
  case c.source when 'CREDIT_NOTE' then n.code else d.code end as document_no, case c.source when 'CREDIT_NOTE' then n.doc_date else d.doc_date end as document_date,
  false as pending_doc, null::bigint as reason_id, c.amount, p.currency
from ar_payment_credit c join ar_payment_line l on l.id = c.ar_payment_line_id join ar_payment p on p.id = l.ar_payment_id
left join credit_note n on c.source = 'CREDIT_NOTE' and n.id = c.source_id
left join customer_deposit d on c.source = 'DEPOSIT' and d.id = c.source_id
union all
select t.id * 2 + 1, p.id, p.operating_unit_id, p.territory_id, l.line_no, l.invoice_id, t.kind, t.document_no, t.document_date, t.pending_doc,
  case when t.kind in ('BANK', 'DIFF') then l.reason_id end, t.amount, p.currency
from ar_payment_deduction t join ar_payment_line l on l.id = t.ar_payment_line_id join ar_payment p on p.id = l.ar_payment_id;

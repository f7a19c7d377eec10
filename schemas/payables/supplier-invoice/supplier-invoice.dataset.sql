-- Invoices of vendors by their date: what they are of, what of them does not match, who forced them through, what was settled and how old the rest is.
select
  i.id as vendor_invoice_id, coalesce(i.code, 'DRAFT-' || i.id) as invoice_code, b.code as vendor_code, b.name as vendor_name, i.vendor_invoice_no, i.kind, i.doc_date, i.received_date, i.due_date, i.posting_date,
  i.status, i.validation_status, i.faktur_number, i.faktur_date, x.exceptions, case when i.validation_status = 'VALID' and i.kind <> 'BEGBAL' then u.name end as forced_by,
  case when o.open > 0 and i.due_date < :today::date then :today::date - i.due_date end as days_overdue, case when :in_books then co.base_currency else i.currency end as currency, i.rate, i.operating_unit_id, ou.code as operating_unit_code,
  i.dpp, i.ppn, i.pph, i.total, case when i.status in (1, 2, 3) then i.total - i.remaining else 0 end as paid, o.open as remaining,
  case when a.late <= 0 then o.open else 0 end as not_due, case when a.late between 1 and 30 then o.open else 0 end as overdue_30, case when a.late between 31 and 60 then o.open else 0 end as overdue_60,
  case when a.late between 61 and 90 then o.open else 0 end as overdue_90, case when a.late > 90 then o.open else 0 end as overdue_more
from vendor_invoice i
join business_partner b on b.id = i.vendor_id
left join operating_unit ou on ou.id = i.operating_unit_id
left join company co on co.id = ou.company_id
left join app_user u on u.id = i.approved_by
left join lateral (select string_agg(distinct m.rule, ', ' order by m.rule) as exceptions from vendor_invoice_match m where m.vendor_invoice_id = i.id and not m.is_fine) x on true
cross join lateral (select case when i.status in (1, 2) then i.remaining else 0 end as open) o
cross join lateral (select coalesce(:today::date - i.due_date, 0) as late) a
where i.doc_date between :date_from::date and :date_to::date and :scope

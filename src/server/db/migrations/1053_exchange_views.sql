-- Invoices that wait to be handed over: of buyers who give a receipt for them, without one yet and on no list. With the reason they were refused for last.
create view exchange_due as
select i.id, i.code, i.operating_unit_id, i.territory_id, i.customer_id, i.doc_date, i.due_date, i.remaining, i.currency, c.ttf_weekday,
  (select l.refuse_reason_id from customer_invoice_exchange_line l join customer_invoice_exchange x on x.id = l.customer_invoice_exchange_id
    where l.invoice_id = i.id and not l.accepted and x.status = 1 order by x.ttf_date desc, x.id desc limit 1) as refuse_reason_id
from invoice i join customer c on c.id = i.customer_id
where i.status in (1, 2) and i.invoice_type <> 'REVERSAL' and i.ttf_date is null and (c.requires_ttf or i.baseline = 'TTF')
  and not exists (select 1 from invoice_exchange_line l join invoice_exchange x on x.id = l.invoice_exchange_id where l.invoice_id = i.id and x.status in (1, 2, 3) and l.result <> 'RETURNED');

-- Invoices a buyer may give a receipt for: those he has, or was never given by a list.
create view exchange_open as
select i.id, i.code, i.operating_unit_id, i.territory_id, i.customer_id, i.doc_date, i.due_date, i.remaining
from invoice i join customer c on c.id = i.customer_id
where i.status in (1, 2) and i.invoice_type <> 'REVERSAL' and i.ttf_date is null and (c.requires_ttf or i.baseline = 'TTF')
  and not exists (select 1 from customer_invoice_exchange_line l join customer_invoice_exchange x on x.id = l.customer_invoice_exchange_id where l.invoice_id = i.id and x.status = 4);

create view invoice_exchange_row as
select l.id, x.code, x.id as invoice_exchange_id, x.operating_unit_id, x.territory_id, l.line_no, l.invoice_id, l.due_date, l.amount, x.currency,
  l.doc_invoice, l.doc_faktur, l.doc_po, l.doc_pod, l.doc_gr, l.result, x.status in (1, 2) as is_out, l.note
from invoice_exchange_line l join invoice_exchange x on x.id = l.invoice_exchange_id;

-- Open invoices say in which currency they are: what is left of them is added up within it.
create or replace view open_invoice as
select i.id, i.code, i.operating_unit_id, i.territory_id, i.customer_id, i.doc_date, i.due_date, i.total, i.remaining, i.dispute,
  greatest(i.posting_date, (select max(greatest(a.posting_date, a.reversed_at)) from ar_allocation a where a.invoice_id = i.id)) as active_on, i.currency
from invoice i
where i.status in (1, 2) and i.remaining > 0 and i.pending_transition is null;

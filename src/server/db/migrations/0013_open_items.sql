-- Open invoices with what is left of them: lists and totals of the open items read this index alone.
create index invoice_open_due_idx on invoice (due_date, id) include (remaining, status) where status in (1, 2);

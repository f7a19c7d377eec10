-- What reports of a past day look through: what was settled, allocated or taken back since.
create index invoice_closed_on_idx on invoice (closed_on, posting_date) where closed_on is not null;
create index ar_allocation_posting_date_idx on ar_allocation (posting_date);
create index ar_allocation_reversed_at_idx on ar_allocation (reversed_at) where reversed_at is not null;

-- An invoice keeps what it was posted with: when it is due and what it grants to who pays early. A term changed later is one of later invoices.
alter table invoice add column net_days integer not null default 0, add column baseline text not null default 'INVOICE' check (baseline in ('INVOICE', 'POD', 'TTF', 'EOM')),
  add column cash_discount_pct numeric(7,4) not null default 0, add column cash_discount_days integer;
update invoice i set net_days = p.net_days, baseline = p.baseline, cash_discount_pct = p.cash_discount_pct, cash_discount_days = p.cash_discount_days
from payment_term p where p.id = i.payment_term_id;

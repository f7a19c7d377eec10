-- Statements are entered by hand: what the bank repeats beside a movement, what came in and went out, and what is still missing to the closing balance.
alter table bank_statement_line add column reference text;
create index bank_statement_statement_no_search on bank_statement using gin (statement_no gin_trgm_ops);
alter table bank_statement add column money_in numeric(18, 2) not null default 0;
alter table bank_statement add column money_out numeric(18, 2) not null default 0;
alter table bank_statement add column diff_amount numeric(18, 2) not null default 0;
update bank_statement s set money_in = l.money_in, money_out = l.money_out, diff_amount = s.closing_balance - s.opening_balance - l.money_in + l.money_out
from (select bank_statement_id, sum(credit) as money_in, sum(debit) as money_out from bank_statement_line group by bank_statement_id) l where l.bank_statement_id = s.id;

-- What the bank says the account holds after the movement: it tells apart two movements that are alike in everything else.
alter table bank_statement_line add column balance numeric(18,2);

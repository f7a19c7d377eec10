-- The page of the account book that shows whose account it is.
alter table customer_payment_account add column proof_id bigint references attachment;
create index customer_payment_account_proof_id_idx on customer_payment_account (proof_id);

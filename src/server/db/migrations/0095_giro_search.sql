-- The bank's return slip names the paper: a receipt is found by the number of its giro.
create index ar_payment_giro_no_search on ar_payment using gin (giro_no gin_trgm_ops);

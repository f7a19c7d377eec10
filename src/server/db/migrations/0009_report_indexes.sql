-- Days by which reports and the dashboard pick what they look at.
create index invoice_posting_date_idx on invoice (posting_date);
create index ar_payment_payment_date_idx on ar_payment (payment_date);
create index customer_deposit_doc_date_receipt_idx on customer_deposit (doc_date) where origin = 'RECEIPT';
create index bank_statement_line_value_date_idx on bank_statement_line (value_date);

-- What the generic services need beyond the tables: indexes of searches, queues and logs.

create extension if not exists pg_trgm;

-- Free text search of the lists people search in all day: every searched column needs its own index.
create index customer_code_search on customer using gin (code gin_trgm_ops);
create index customer_name_search on customer using gin (name gin_trgm_ops);
create index item_code_search on item using gin (code gin_trgm_ops);
create index item_name_search on item using gin (name gin_trgm_ops);
create index sales_order_code_search on sales_order using gin (code gin_trgm_ops);
create index sales_order_po_number_search on sales_order using gin (po_number gin_trgm_ops);
create index delivery_order_code_search on delivery_order using gin (code gin_trgm_ops);
create index goods_issue_code_search on goods_issue using gin (code gin_trgm_ops);
create index invoice_code_search on invoice using gin (code gin_trgm_ops);
create index invoice_po_number_search on invoice using gin (po_number gin_trgm_ops);
create index ar_payment_code_search on ar_payment using gin (code gin_trgm_ops);
create index ar_payment_reference_no_search on ar_payment using gin (reference_no gin_trgm_ops);
create index journal_code_search on journal using gin (code gin_trgm_ops);
create index journal_source_doc_code_search on journal using gin (source_doc_code gin_trgm_ops);

create index document_log_document_idx on document_log (doc_type, doc_id, id);
create index approval_request_document_idx on approval_request (doc_type, doc_id);
create index approval_request_queue_idx on approval_request (doc_type, transition, status, requested_at desc, id desc);
create unique index approval_request_open_key on approval_request (doc_type, doc_id) where status = 4;
create index command_log_created_at_idx on command_log (created_at);
create index user_session_expires_at_idx on user_session (expires_at);
create index app_user_email_lower_idx on app_user (lower(email));
create index journal_posting_date_idx on journal (posting_date desc, id desc);

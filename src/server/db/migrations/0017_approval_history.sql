-- In whose name a deputy acted, in the history of the document; the numbers behind a request as they stood when it was decided.

alter table "document_log" add column "on_behalf_of_id" bigint references "app_user";
create index document_log_on_behalf_of_id_idx on document_log (on_behalf_of_id);

alter table "approval_request" add column "decided_facts" jsonb;

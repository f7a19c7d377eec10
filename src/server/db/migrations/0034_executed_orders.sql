-- Orders carried out elsewhere: the number they have there, and prices agreed there; what imports of many rows look for is indexed.

alter table "sales_order" add column "external_ref" text;
alter table "sales_order_line" add column "agreed_price" numeric(18,4);

-- Orders imported so far kept the number of elsewhere as their note.
update sales_order o set external_ref = o.note
where o.note is not null and exists (select 1 from import_row r join import_batch b on b.id = r.import_batch_id
  where b.screen = 'sales-order.import' and r.state = 'COMMITTED' and r.records->0->>'entity' = 'sales_order' and (r.records->0->>'id')::bigint = o.id);

create unique index sales_order_external_ref_idx on sales_order (lower(external_ref)) where external_ref is not null and status not in (6, 7);

-- Checking many rows: what must be there once, documents of which a row is wrong.
create index import_row_group_idx on import_row (import_batch_id, group_key, row_no) where group_key is not null;
create index import_row_wrong_idx on import_row (import_batch_id, unit_no) where state = 'ERROR';

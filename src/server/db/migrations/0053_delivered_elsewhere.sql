-- Deliveries of approved orders that were carried out elsewhere: the number they have there, once.

alter table "delivery_order" add column "external_ref" text;
create unique index delivery_order_external_ref_idx on delivery_order (lower(external_ref)) where external_ref is not null and status <> 6;

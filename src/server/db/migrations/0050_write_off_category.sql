-- What a write-off under these terms is booked as; addresses of partners lie in an area and zone like those of customers.
alter table write_off_parameter add column category text not null default 'BAD_DEBT' check (category in ('BAD_DEBT', 'SMALL_BALANCE', 'TAX_DIFF'));
update write_off_parameter set category = 'SMALL_BALANCE' where code = 'WO-KECIL';

alter table business_partner_address add column sales_area_id bigint references sales_area, add column transport_zone text;
create index business_partner_address_sales_area_id_idx on business_partner_address (sales_area_id);

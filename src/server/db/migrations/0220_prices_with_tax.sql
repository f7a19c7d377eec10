-- Lines priced by a list that includes tax: their total is what the prices listed come to.
alter table sales_order_line add column tax_included boolean not null default false;

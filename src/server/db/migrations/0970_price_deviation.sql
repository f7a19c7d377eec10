-- What the price list says stands beside a price that was agreed otherwise; how far prices may lie from what they are measured by is a setting.
alter table sales_order_line add column list_price numeric(18,4);

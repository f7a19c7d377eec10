-- The lines of a plan say for whom, of which order and what they are.
alter table delivery_plan_line
  add column customer_id bigint references customer,
  add column sales_order_id bigint references sales_order,
  add column item_id bigint references item;
update delivery_plan_line p set customer_id = o.customer_id, sales_order_id = o.id, item_id = l.item_id
from sales_order_line l join sales_order o on o.id = l.sales_order_id where l.id = p.order_line_id;
alter table delivery_plan_line alter column customer_id set not null, alter column sales_order_id set not null, alter column item_id set not null;
create index delivery_plan_line_customer_id_idx on delivery_plan_line (customer_id);
create index delivery_plan_line_sales_order_id_idx on delivery_plan_line (sales_order_id);
create index delivery_plan_line_item_id_idx on delivery_plan_line (item_id);

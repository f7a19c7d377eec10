-- An item from all sides: what there is of it, what it costs, who ordered and bought it. Rows carry unit and territory, so that each reader sees his own.
create view sku_stock as
select b.id, b.item_id, b.warehouse_id, w.operating_unit_id, w.stock_class, b.batch, b.on_hand, b.reserved, (b.on_hand - b.reserved)::numeric(18,3) as available
from stock_balance b join warehouse w on w.id = b.warehouse_id;

create view sku_cost as
select c.id, c.item_id, c.operating_unit_id, c.stock_class, c.qty, round(c.value / nullif(c.qty, 0), 6)::numeric(18,6) as avg_cost, c.value from stock_cost c;

create view sku_order as
select l.id, l.item_id, o.id as sales_order_id, o.code, o.doc_date, o.operating_unit_id, o.territory_id, o.customer_id, o.status, l.uom, l.qty, l.price, l.total, l.qty_base,
  (case when o.status in (1, 2) then l.qty_base - l.delivered_qty - l.cancelled_qty else 0 end)::numeric(18,3) as open_qty
from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.code is not null;

-- As the billing register counts: reversals with their signs turned, an invoice cancelled within its period never was.
create view sku_sale as
select il.id, il.item_id, i.id as invoice_id, i.code, i.posting_date, i.operating_unit_id, i.territory_id, i.customer_id, i.salesman_id, il.is_free,
  (case when il.uom = sl.uom then il.qty * sl.factor else il.qty end)::numeric(18,3) as qty_base, il.dpp, il.total
from invoice_line il join invoice i on i.id = il.invoice_id left join sales_order_line sl on sl.id = il.order_line_id
where i.status in (1, 2, 3, 7) and i.invoice_type <> 'BEGBAL' and il.item_id is not null;

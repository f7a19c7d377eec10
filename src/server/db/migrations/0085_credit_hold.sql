-- An approved order whose delivery the customer's credit stops is held until the check passes or somebody overrides it.
alter table sales_order add column credit_hold boolean not null default false;
create or replace view sales_order_line_due as
select l.id, o.id as sales_order_id, o.code as order_code, o.operating_unit_id, o.territory_id, o.customer_id, o.ship_to_id, o.warehouse_id, o.doc_date,
  coalesce(l.requested_date, o.requested_date) as requested_date, l.item_id, i.base_uom as uom, l.is_free, l.qty_base as ordered_qty, l.delivered_qty, l.planned_qty,
  open.qty as open_qty, l.reserved_qty, stock.free as available_qty,
  least(open.qty, greatest(l.reserved_qty - l.planned_qty, 0) + stock.free) as plannable_qty,
  round(open.qty * i.weight_kg, 3) as weight, o.credit_hold
from sales_order_line l
join sales_order o on o.id = l.sales_order_id
join item i on i.id = l.item_id
cross join lateral (select l.qty_base - l.delivered_qty - l.cancelled_qty - l.planned_qty as qty) open
cross join lateral (
  select coalesce((select sum(b.on_hand - b.reserved) from stock_balance b where b.item_id = l.item_id and b.warehouse_id = o.warehouse_id), 0) as free
) stock
where o.status in (1, 2) and o.order_type in ('REG', 'TRADER') and open.qty > 0;

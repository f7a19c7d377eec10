-- What waits to be billed is told in the currency of its first order, at the rates of its orders: what the goods cost, and what orders of other currencies come to.
create or replace view billing_due as
select g.id, g.code, g.operating_unit_id, g.territory_id, g.customer_id, orders.bill_to_id, orders.payment_term_id, orders.salesman_id, g.posting_date, g.delivery_order_id,
  orders.sales_order_id, orders.order_code, orders.po_number, c.billing_rule, (c.billing_trigger = 'GI' or d.status = 3) as is_ready,
  case when orders.is_alike then orders.amount else round(orders.worth / coalesce(f.rate, 1), 2) end as amount, round((g.cost - orders.back) / coalesce(f.rate, 1), 2)::numeric(18,2) as cost
from goods_issue g
join customer c on c.id = g.customer_id
join delivery_order d on d.id = g.delivery_order_id
cross join lateral (
  select min(o.id) as sales_order_id, string_agg(distinct o.code, ', ') as order_code, string_agg(distinct o.po_number, ', ') as po_number, min(o.bill_to_id) as bill_to_id,
    min(o.payment_term_id) as payment_term_id, min(o.salesman_id) as salesman_id, min(o.currency) = max(o.currency) as is_alike, round(sum(l.total * (gl.qty - gl.billed_qty - gl.returned_qty) / l.qty_base), 2) as amount,
    sum(l.total * o.rate * (gl.qty - gl.billed_qty - gl.returned_qty) / l.qty_base) as worth, sum(gl.returned_cost) as back
  from goods_issue_line gl
  join sales_order_line l on l.id = gl.order_line_id
  join sales_order o on o.id = l.sales_order_id
  where gl.goods_issue_id = g.id
) orders
left join sales_order f on f.id = orders.sales_order_id
where g.status = 1;

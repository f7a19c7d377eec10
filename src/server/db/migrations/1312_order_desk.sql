-- Customers as the order desk meets them: what they ordered last, what is under way, what they owe.

create view order_desk as
select a.id, a.code, a.name, a.operating_unit_id, a.territory_id, c.sales_channel_id, c.salesman_id, a.payment_term_id, o.last_order_date, coalesce(o.last_order_total, 0)::numeric(18, 2) as last_order_total, coalesce(o.usual_total, 0)::numeric(18, 2) as usual_total,
  coalesce(u.orders_open, 0)::integer as orders_open, coalesce(u.orders_open_amount, 0)::numeric(18, 2) as orders_open_amount, a.open_amount, a.oldest_due, a.credit_open, a.currency
from customer_account a
join customer c on c.id = a.id and c.status = 1
left join lateral (
  select max(x.doc_date) as last_order_date, (array_agg(x.total order by x.doc_date desc, x.id desc))[1] as last_order_total, round(avg(x.total), 2)::numeric(18, 2) as usual_total
  from (select s.id, s.doc_date, s.total from sales_order s where s.customer_id = c.id and s.status in (1, 2, 3) order by s.doc_date desc, s.id desc limit 3) x
) o on true
left join lateral (
  select count(*) as orders_open, sum(s.total) as orders_open_amount from sales_order s where s.customer_id = c.id and s.status in (1, 2, 4)
) u on true;

-- What a customer orders as a rule: the average of his last three orders, item by item, in whole units.
create view suggested_order_line as
select c.id * 1000000000 + l.item_id as id, c.code || ' ' || i.code as code, c.operating_unit_id, c.territory_id, c.id as customer_id, l.item_id, l.uom, ceil(l.qty / l.orders)::numeric(18, 3) as qty, l.times::integer as times, l.last_date, l.last_price
from customer c
cross join lateral (
  select x.item_id, (array_agg(x.uom order by x.doc_date desc, x.order_id desc))[1] as uom, (array_agg(x.price order by x.doc_date desc, x.order_id desc))[1] as last_price,
    sum(x.qty_base) / (array_agg(x.factor order by x.doc_date desc, x.order_id desc))[1] as qty, count(distinct x.order_id) as times, max(x.doc_date) as last_date, max(x.orders) as orders
  from (
    select sl.item_id, sl.uom, sl.factor, sl.qty_base, sl.price, o.id as order_id, o.doc_date, o.orders
    from (select s.id, s.doc_date, count(*) over () as orders from (select id, doc_date from sales_order where customer_id = c.id and status in (1, 2, 3) order by doc_date desc, id desc limit 3) s) o
    join sales_order_line sl on sl.sales_order_id = o.id and not sl.is_free and sl.combo_item_id is null and sl.qty_base > 0
  ) x group by x.item_id
) l
join item i on i.id = l.item_id and i.status = 1
where c.status = 1;

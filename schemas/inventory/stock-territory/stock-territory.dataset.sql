-- Stock of each item in each warehouse at the end of :as_of: what there is now, less what has moved since. Average cost is the operating unit's for the
-- warehouse's stock class. What is reserved or picked is known of :today alone: nobody keeps what it was on a day past.
with issued as (
  select item_id, warehouse_id, round(-sum(qty) / 30, 3) as per_day
  from stock_movement
  where movement_type in ('601', '602') and stock_class = 'UNRESTRICTED' and posting_date > :as_of::date - 30 and posting_date <= :as_of::date
  group by item_id, warehouse_id
),
moved_since as (
  select item_id, warehouse_id, operating_unit_id, stock_class, sum(qty) as qty, sum(cost_amount) as cost
  from stock_movement where posting_date > :as_of::date
  group by item_id, warehouse_id, operating_unit_id, stock_class
),
pool as (
  select sc.item_id, sc.operating_unit_id, sc.stock_class, sc.qty - coalesce(m.qty, 0) as qty, sc.value - coalesce(m.cost, 0) as value
  from stock_cost sc
  left join (select item_id, operating_unit_id, stock_class, sum(qty) as qty, sum(cost) as cost from moved_since group by item_id, operating_unit_id, stock_class) m
    on m.item_id = sc.item_id and m.operating_unit_id = sc.operating_unit_id and m.stock_class = sc.stock_class
),
on_the_way as (
  select l.item_id, y.warehouse_id, sum(l.qty_picked) as qty
  from delivery_order_line l join delivery_order y on y.id = l.delivery_order_id
  where y.status = 1
  group by l.item_id, y.warehouse_id
),
held as (
  select b.item_id, b.warehouse_id, b.on_hand - coalesce(m.qty, 0) as on_hand, case when :as_of::date >= :today::date then b.reserved end as reserved
  from (select item_id, warehouse_id, sum(on_hand) as on_hand, sum(reserved) as reserved from stock_balance group by item_id, warehouse_id) b
  left join (select item_id, warehouse_id, sum(qty) as qty from moved_since group by item_id, warehouse_id) m on m.item_id = b.item_id and m.warehouse_id = b.warehouse_id
)
select
  h.item_id, i.code as item_code, i.name as item_name, p.name as principal_name, b.name as brand_name, ic.name as category_name, i.base_uom,
  h.warehouse_id, w.code as warehouse_code, w.operating_unit_id, ou.code as operating_unit_code, co.base_currency as currency, w.stock_class,
  h.on_hand, h.reserved, h.on_hand - h.reserved as available, case when :as_of::date >= :today::date then coalesce(o.qty, 0) end as picked,
  case when sc.qty > 0 then round(sc.value / sc.qty, 6) else 0 end as avg_cost,
  case when sc.qty > 0 then round(sc.value * h.on_hand / sc.qty, 2) else 0 end as value,
  coalesce(s.per_day, 0) as issued_per_day
from held h
join item i on i.id = h.item_id
join warehouse w on w.id = h.warehouse_id
join operating_unit ou on ou.id = w.operating_unit_id
join company co on co.id = ou.company_id
left join business_partner p on p.id = i.principal_id
left join brand b on b.id = i.brand_id
left join item_category ic on ic.id = i.category_id
left join pool sc on sc.item_id = h.item_id and sc.operating_unit_id = w.operating_unit_id and sc.stock_class = w.stock_class
left join issued s on s.item_id = h.item_id and s.warehouse_id = h.warehouse_id
left join on_the_way o on o.item_id = h.item_id and o.warehouse_id = h.warehouse_id
where :scope

-- Trips planned and not cancelled: how full, how dear, how punctual. A drop is a delivery of the trip; before it is released, a stop. What it is worth is what its lines
-- are ordered for without tax, in the currency of the books. The actual cost is what transporters have billed of it.
select
  p.id as delivery_plan_id, coalesce(p.code, 'DRAFT-' || p.id) as plan_code, p.plan_date, p.status as plan_status, w.code as warehouse_code, p.vehicle_id, v.code as vehicle_code, e.name as driver_name,
  coalesce(c.transporters, t.name) as transporter_name, p.route, p.currency, p.operating_unit_id, ou.code as operating_unit_code, p.territory_id, tt.code as territory_code,
  case when p.status = 0 then l.stops else d.drops end as drops, p.load_weight, coalesce(v.max_weight, 0) as max_weight, p.load_volume, coalesce(v.max_volume, 0) as max_volume,
  l.value, d.cod_amount, coalesce(c.planned, p.planned_cost) as planned_cost, coalesce(c.actual, 0) as actual_cost, d.on_time_drops
from delivery_plan p
join warehouse w on w.id = p.warehouse_id
join operating_unit ou on ou.id = p.operating_unit_id
left join territory tt on tt.id = p.territory_id
left join vehicle v on v.id = p.vehicle_id
left join business_partner t on t.id = v.transporter_id
left join employee e on e.id = p.driver_id
cross join lateral (
  select count(distinct x.stop_no)::integer as stops, coalesce(sum(case when o.qty_base > 0 then round(o.dpp * s.rate * x.qty / o.qty_base, 2) else 0 end), 0)::numeric(18,2) as value
  from delivery_plan_line x join sales_order_line o on o.id = x.order_line_id join sales_order s on s.id = o.sales_order_id where x.delivery_plan_id = p.id
) l
cross join lateral (
  select count(*)::integer as drops, coalesce(sum(x.cod_amount), 0)::numeric(18,2) as cod_amount,
    count(*) filter (where x.status = 3 and x.delivered_date <= coalesce((select max(o.requested_date) from delivery_order_line y join sales_order_line z on z.id = y.order_line_id join sales_order o on o.id = z.sales_order_id where y.delivery_order_id = x.id), p.plan_date))::integer as on_time_drops
  from delivery_order x where x.delivery_plan_id = p.id and x.status <> 6
) d
left join lateral (
  select sum(x.estimate)::numeric(18,2) as planned, sum(x.actual)::numeric(18,2) as actual, string_agg(distinct b.name, ', ' order by b.name) as transporters
  from shipment_cost x join business_partner b on b.id = x.transporter_id where x.delivery_plan_id = p.id and x.status in (1, 3, 4) having count(*) > 0
) c on true
where p.status <> 6 and p.plan_date between :date_from::date and :date_to::date and :scope

-- What is still on the vans that are out selling, and what has been sold from them.
create view van_stock as
select min(l.id) as id, r.id as canvas_request_id, r.operating_unit_id, r.van_warehouse_id, e.user_id as seller_id, l.item_id, i.code as item_code, i.name as item_name,
  i.sales_uom as uom, coalesce((select u.factor from item_uom u where u.item_id = i.id and u.uom = i.sales_uom limit 1), 1)::numeric(18, 3) as factor, i.base_uom,
  sum(l.qty_loaded)::numeric(18, 3) as qty_loaded, sum(l.qty_sold)::numeric(18, 3) as qty_sold, sum(l.qty_loaded - l.qty_sold)::numeric(18, 3) as qty_left
from canvas_request r join canvas_request_line l on l.canvas_request_id = r.id join item i on i.id = l.item_id left join employee e on e.id = r.canvasser_id
where r.status = 8 and r.stage = 'SELLING'
group by r.id, e.user_id, i.id, l.item_id;

create view van_sale as
select distinct v.id, g.canvas_request_id, v.operating_unit_id, v.territory_id, v.code, v.posting_date, v.customer_id, v.sales_order_id, v.currency, v.total, v.remaining, v.status
from goods_issue g join goods_issue_line gl on gl.goods_issue_id = g.id join invoice_line vl on vl.gi_line_id = gl.id join invoice v on v.id = vl.invoice_id
where g.canvas_request_id is not null and v.invoice_type = 'CANVAS';

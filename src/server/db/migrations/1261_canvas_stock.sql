-- What the warehouse has of the goods asked for, and what is on the van already.
create view canvas_stock as
select l.id, l.canvas_request_id, r.operating_unit_id, l.item_id, l.batch, l.qty_requested,
  coalesce(s.on_hand, 0) as on_hand, coalesce(s.on_hand - s.reserved, 0) as available, coalesce(v.on_hand, 0) as van_qty
from canvas_request_line l join canvas_request r on r.id = l.canvas_request_id
left join stock_balance s on s.item_id = l.item_id and s.warehouse_id = r.source_warehouse_id and s.batch = coalesce(l.batch, '')
left join stock_balance v on v.item_id = l.item_id and v.warehouse_id = r.van_warehouse_id and v.batch = coalesce(l.batch, '');

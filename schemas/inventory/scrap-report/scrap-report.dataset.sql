-- Goods scrapped and not taken back: why, of which class of stock, who agreed.
select
  l.id as scrap_line_id, s.id as scrap_id, s.code as scrap_code, s.doc_date, w.code as warehouse_code, s.stock_class, l.item_id, i.code as item_code, i.name as item_name, i.base_uom, l.batch,
  r.name as reason_name, u.name as approver_name, s.currency, s.operating_unit_id, ou.code as operating_unit_code, l.qty, l.cost
from scrap_line l
join scrap s on s.id = l.scrap_id
join item i on i.id = l.item_id
join warehouse w on w.id = s.warehouse_id
left join reason r on r.id = l.reason_id
left join app_user u on u.id = s.approved_by
left join operating_unit ou on ou.id = s.operating_unit_id
where s.status = 3 and s.doc_date between :date_from::date and :date_to::date and :scope

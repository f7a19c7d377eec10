-- Every line ordered with its discounts step by step, in base units and cartons; rejected and cancelled orders are no sales.
select
  x.order_line_id, x.sales_order_id, x.so_code, x.so_date, x.order_type, x.currency, x.rate, x.customer_id, x.customer_code, x.customer_name, x.operating_unit_id, x.operating_unit_code,
  x.territory_id, x.territory_code, x.sales_channel_code, x.salesman_id, x.salesman_name, x.so_status, x.line_no, x.item_code, x.item_name, x.principal_name, x.brand_name,
  x.sales_area_code, x.is_free, x.uom, x.qty, x.qty_base, x.qty_carton, x.gross,
  case when cardinality(x.steps) = 0 then x.discount else coalesce(x.steps[1], 0) end as discount_1,
  coalesce(x.steps[2], 0) as discount_2,
  coalesce(x.steps[3], 0) as discount_3,
  coalesce(x.steps[4], 0) as discount_4,
  coalesce(x.steps[5], 0) as discount_5,
  coalesce(x.steps[6], 0) as discount_6,
  coalesce(x.steps[7], 0) as discount_7,
  coalesce(x.steps[8], 0) as discount_8,
  case when cardinality(x.steps) > 8 then x.discount - (select sum(s) from unnest(x.steps[1:8]) s) else 0 end as discount_9,
  x.discount, x.promo, x.dpp, x.ppn, x.total
from (
  select
    sl.id as order_line_id, so.id as sales_order_id, so.code as so_code, so.doc_date as so_date, so.order_type, case when :in_books then co.base_currency else so.currency end as currency, so.rate, so.customer_id, c.code as customer_code, c.name as customer_name,
  so.operating_unit_id, ou.code as operating_unit_code, so.territory_id, t.code as territory_code, ch.code as sales_channel_code, so.salesman_id, sm.name as salesman_name,
    so.status as so_status, sl.line_no, it.code as item_code, it.name as item_name, p.name as principal_name, b.name as brand_name, area.code as sales_area_code,
    sl.is_free, sl.uom, sl.qty, sl.qty_base, coalesce(round(sl.qty_base / carton.factor, 3), 0) as qty_carton, sl.gross, sl.discount_amount as discount, sl.promo_amount as promo, sl.dpp, sl.ppn, sl.total,
    array(select d.amount from sales_order_discount d where d.line_id = sl.id and d.source <> 'PROMOTION' order by d.seq) as steps
  from sales_order so
  join sales_order_line sl on sl.sales_order_id = so.id
  join customer c on c.id = so.customer_id
  join operating_unit ou on ou.id = so.operating_unit_id
  join company co on co.id = ou.company_id
  left join territory t on t.id = so.territory_id
  left join sales_channel ch on ch.id = coalesce(so.sales_channel_id, c.sales_channel_id)
  left join employee sm on sm.id = so.salesman_id
  join item it on it.id = sl.item_id
  left join item_uom carton on carton.item_id = it.id and carton.uom = 'CTN'
  left join business_partner p on p.id = it.principal_id
  left join brand b on b.id = it.brand_id
  left join sales_area area on area.id = c.sales_area_id
  where so.doc_date between :date_from::date and :date_to::date
    and so.status not in (0, 5, 6)
    and (:doc_type::text = 'ALL' or so.order_type = 'ZDR')
    and :scope
  -- Worked out once a row, and not at all when nobody asks for the steps.
  offset 0
) x

-- Each order line with every delivery made of it. What is ordered is counted on the first of them only, so that totals add up; quantities in base units.
-- Goods cost what they cost in the currency of the books; beside other amounts that is told in theirs, at the rate of the invoice, before there is one at that of the order.
-- A delivery holds what is planned of it until it is issued, then what left: the rest went back to the order.
select
  sl.id as order_line_id, coalesce(dl.id, 0) as delivery_order_line_id,
  so.id as sales_order_id, so.code as so_code, so.doc_date as so_date, so.status as so_status, so.customer_id, c.code as customer_code, c.name as customer_name,
  so.operating_unit_id, ou.code as operating_unit_code, so.territory_id, t.code as territory_code, so.salesman_id, sm.name as salesman_name,
  sl.line_no, i.code as item_code, i.name as item_name, sl.is_free,
  d.code as do_code, d.doc_date as do_date, d.status as do_status, g.code as gi_code, g.posting_date as gi_date,
  case when d.status = 3 then coalesce(v.pod_date, g.posting_date) end as pod_date, v.code as bill_code, v.doc_date as bill_date, v.id as invoice_id,
  case when gl.id is not null and il.id is null and so.order_type not in ('CONSIGN', 'CMI') then :as_of::date - g.posting_date end as days_unbilled,
  gl.id is not null and il.id is null and so.order_type not in ('CONSIGN', 'CMI') and :as_of::date - g.posting_date > :unbilled_days::int as is_unbilled_late, case when :in_books then co.base_currency else so.currency end as currency, w.rate,
  case when first_split then sl.qty_base else 0 end as so_qty,
  case when first_split then sl.cancelled_qty else 0 end as cancelled_qty,
  coalesce(held.qty, 0) as do_qty, coalesce(gl.qty, 0) as gi_qty, coalesce(round(gl.cost / w.rate, case when :in_books then 12 else 2 end), 0) as gi_cost,
  coalesce(dl.qty_received, 0) as received_qty, coalesce(il.qty_base, 0) as bill_qty, coalesce(il.dpp, 0) as bill_net, coalesce(il.total, 0) as bill_total,
  coalesce(gl.returned_qty, 0) as returned_qty,
  case when first_split then sl.qty_base - sl.cancelled_qty - split.do_qty else 0 end as gap_do,
  coalesce(held.qty, 0) - coalesce(gl.qty, 0) as gap_gi,
  case when so.order_type in ('CONSIGN', 'CMI') then 0 else coalesce(gl.qty, 0) - coalesce(il.qty_base, 0) - coalesce(gl.returned_qty, 0) end as gap_bill
from sales_order so
join sales_order_line sl on sl.sales_order_id = so.id
join item i on i.id = sl.item_id
join customer c on c.id = so.customer_id
join operating_unit ou on ou.id = so.operating_unit_id
join company co on co.id = ou.company_id
left join territory t on t.id = so.territory_id
left join employee sm on sm.id = so.salesman_id
left join lateral (
  select coalesce(sum(case when y.status in (2, 3) then x.qty_issued else x.qty_planned end), 0) as do_qty, min(x.id) as first_id
  from delivery_order_line x join delivery_order y on y.id = x.delivery_order_id
  where x.order_line_id = sl.id and y.status <> 6
) as split on true
left join (delivery_order_line dl join delivery_order d on d.id = dl.delivery_order_id and d.status <> 6) on dl.order_line_id = sl.id
left join (goods_issue_line gl join goods_issue g on g.id = gl.goods_issue_id and g.status in (1, 2, 3)) on gl.delivery_order_line_id = dl.id
left join lateral (
  select l.id, gl.billed_qty as qty_base, l.dpp, l.total, l.invoice_id
  from invoice_line l join invoice y on y.id = l.invoice_id
  where l.gi_line_id = gl.id and y.status in (1, 2, 3) and y.invoice_type <> 'REVERSAL'
  order by l.id limit 1
) as il on true
left join invoice v on v.id = il.invoice_id
cross join lateral (select coalesce(v.rate, so.rate) as rate) as w
cross join lateral (select case when d.status in (2, 3) then dl.qty_issued else dl.qty_planned end as qty) as held
cross join lateral (select split.first_id is null or split.first_id = dl.id as first_split) as f
where so.status <> 0
  and so.doc_date between :date_from::date and :date_to::date
  and :scope

-- Every order with how far it is, by value: what of it is approved, delivered, billed and paid, what comes next and who does it.
select
  so.id as sales_order_id, so.code as so_code, so.doc_date as so_date, so.status as so_status, case when :in_books then co.base_currency else so.currency end as currency, so.rate, so.customer_id, c.code as customer_code, c.name as customer_name,
  so.operating_unit_id, ou.code as operating_unit_code, so.territory_id, t.code as territory_code, ch.code as sales_channel_code, so.salesman_id, sm.name as salesman_name,
  so.requested_date, so.stage,
  case so.stage when 'ENTRY' then 'SUBMIT' when 'APPROVAL' then 'APPROVE' when 'ALLOCATED' then 'PLAN' when 'PLANNED' then 'ISSUE' when 'SHIPPED' then 'BILL' when 'BILLED' then 'COLLECT' end as next_action,
  case so.stage when 'ENTRY' then 'SALES_ADMIN' when 'APPROVAL' then 'CREDIT_CTRL' when 'ALLOCATED' then 'WH_ADMIN' when 'PLANNED' then 'WH_ADMIN' when 'SHIPPED' then 'BILLING' when 'BILLED' then 'AR_STAFF' end as responsible,
  :as_of::date - greatest(so.doc_date, (case so.stage
    when 'ENTRY' then so.created_at
    when 'APPROVAL' then so.submitted_at
    when 'ALLOCATED' then so.approved_at
    when 'PLANNED' then (select max(d.created_at) from delivery_order_line x join delivery_order d on d.id = x.delivery_order_id join sales_order_line l on l.id = x.order_line_id where l.sales_order_id = so.id and d.status <> 6)
    when 'SHIPPED' then (select max(g.posting_date)::timestamptz from goods_issue_line x join goods_issue g on g.id = x.goods_issue_id join sales_order_line l on l.id = x.order_line_id where l.sales_order_id = so.id and g.status in (1, 3))
    when 'BILLED' then (select max(i.posting_date)::timestamptz from invoice_line x join invoice i on i.id = x.invoice_id join sales_order_line l on l.id = x.order_line_id where l.sales_order_id = so.id and i.status in (1, 2, 3))
    when 'PAID' then (select max(i.closed_on)::timestamptz from invoice_line x join invoice i on i.id = x.invoice_id join sales_order_line l on l.id = x.order_line_id where l.sales_order_id = so.id and i.status in (1, 2, 3))
  end at time zone 'Asia/Jakarta')::date) as days_in_stage,
  so.total, case when so.status in (1, 2, 3) then so.total else 0 end as approved_value,
  coalesce(done.delivered, 0) as delivered_value, coalesce(done.billed, 0) as billed_value, coalesce(paid.amount, 0) as paid_value
from sales_order so
join customer c on c.id = so.customer_id
join operating_unit ou on ou.id = so.operating_unit_id
join company co on co.id = ou.company_id
left join territory t on t.id = so.territory_id
left join sales_channel ch on ch.id = coalesce(so.sales_channel_id, c.sales_channel_id)
left join employee sm on sm.id = so.salesman_id
left join lateral (
  select round(sum(l.total * l.delivered_qty / l.qty_base), 2) as delivered, round(sum(l.total * l.billed_qty / l.qty_base), 2) as billed
  from sales_order_line l where l.sales_order_id = so.id and l.qty_base > 0
) as done on so.stage in ('SHIPPED', 'BILLED', 'PAID')
left join lateral (
  select round(sum(x.total * (i.total - i.remaining) / i.total), 2) as amount
  from sales_order_line l join invoice_line x on x.order_line_id = l.id join invoice i on i.id = x.invoice_id
  where l.sales_order_id = so.id and i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL' and i.total <> 0
) as paid on so.stage in ('SHIPPED', 'BILLED', 'PAID')
where so.status in (0, 1, 2, 3, 4)
  and (:state::text = 'ALL' or so.stage <> 'PAID')
  and (:date_from::date is null or so.doc_date >= :date_from::date)
  and (:date_to::date is null or so.doc_date <= :date_to::date)
  and :scope

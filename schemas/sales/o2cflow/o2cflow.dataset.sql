-- Days between the business days of the stages of an order; what has not happened yet is neither counted nor taken for nothing. An order with several
-- deliveries or invoices is through a stage with the last of them; it is paid when nothing of its invoices is open.
select
  so.id as sales_order_id, so.code as so_code, so.doc_date as so_date, so.order_type, case when :in_books then co.base_currency else so.currency end as currency, so.rate, so.customer_id, c.code as customer_code, c.name as customer_name,
  so.operating_unit_id, ou.code as operating_unit_code, so.territory_id, t.code as territory_code, ch.code as sales_channel_code, so.salesman_id, sm.name as salesman_name, so.stage,
  coalesce(s.approved - s.entered, 0) as approve_days, (s.approved - s.entered is not null)::int as approve_count,
  coalesce(s.planned - s.approved, 0) as plan_days, (s.planned - s.approved is not null)::int as plan_count,
  coalesce(s.issued - s.planned, 0) as issue_days, (s.issued - s.planned is not null)::int as issue_count,
  coalesce(s.received - s.issued, 0) as receive_days, (s.received - s.issued is not null)::int as receive_count,
  coalesce(s.billed - coalesce(s.received, s.issued), 0) as bill_days, (s.billed - coalesce(s.received, s.issued) is not null)::int as bill_count,
  coalesce(s.exchanged - s.billed, 0) as exchange_days, (s.exchanged - s.billed is not null)::int as exchange_count,
  coalesce(s.due - coalesce(s.exchanged, s.billed), 0) as due_days, (s.due - coalesce(s.exchanged, s.billed) is not null)::int as due_count,
  coalesce(s.paid - s.due, 0) as pay_days, (s.paid - s.due is not null)::int as pay_count,
  coalesce(s.paid - s.entered, 0) as cash_days, (s.paid - s.entered is not null)::int as cash_count,
  so.total
from sales_order so
join customer c on c.id = so.customer_id
join operating_unit ou on ou.id = so.operating_unit_id
join company co on co.id = ou.company_id
left join territory t on t.id = so.territory_id
left join sales_channel ch on ch.id = coalesce(so.sales_channel_id, c.sales_channel_id)
left join employee sm on sm.id = so.salesman_id
left join lateral (
  select min(d.created_at) as planned, case when count(*) = count(d.delivered_date) then max(d.delivered_date) end as received
  from delivery_order d where d.status <> 6 and d.id in (select x.delivery_order_id from delivery_order_line x join sales_order_line l on l.id = x.order_line_id where l.sales_order_id = so.id)
) as delivery on true
left join lateral (
  select max(g.posting_date) as issued from goods_issue g
  where g.status in (1, 2, 3) and g.id in (select x.goods_issue_id from goods_issue_line x join sales_order_line l on l.id = x.order_line_id where l.sales_order_id = so.id)
) as issue on true
left join lateral (
  select max(i.posting_date) as billed, max(i.ttf_date) as exchanged, max(i.due_date) as due, case when count(*) = count(i.closed_on) then max(i.closed_on) end as paid
  from invoice i where i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL'
    and i.id in (select x.invoice_id from invoice_line x join sales_order_line l on l.id = x.order_line_id where l.sales_order_id = so.id)
) as bill on true
cross join lateral (
  select so.doc_date as entered, greatest((so.approved_at at time zone 'Asia/Jakarta')::date, so.doc_date) as approved,
    greatest((delivery.planned at time zone 'Asia/Jakarta')::date, so.doc_date) as planned, issue.issued, delivery.received, bill.billed, bill.exchanged, bill.due, bill.paid
) as s
where so.doc_date between :date_from::date and :date_to::date
  and :scope
  and so.status not in (0, 5, 6)

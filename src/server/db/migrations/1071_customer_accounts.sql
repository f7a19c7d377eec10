-- Customers as the cashier meets them: what they owe, what they have to their credit, when they paid last.
create view customer_account as
select c.id, c.code, c.name, c.operating_unit_id, c.territory_id, c.payment_term_id, c.collector_id,
  coalesce(i.open_invoices, 0)::integer as open_invoices, coalesce(i.open_amount, 0)::numeric(18, 2) as open_amount, i.oldest_due,
  (coalesce(n.amount, 0) + coalesce(d.amount, 0))::numeric(18, 2) as credit_open, p.last_payment_date, coalesce(co.base_currency, 'IDR') as currency
from customer c
left join operating_unit u on u.id = c.operating_unit_id
left join company co on co.id = u.company_id
left join (
  select customer_id, count(*) as open_invoices, sum(remaining) as open_amount, min(due_date) as oldest_due
  from invoice where status in (1, 2) and remaining > 0 group by customer_id
) i on i.customer_id = c.id
left join (select customer_id, sum(remaining) as amount from credit_note where status in (1, 2) group by customer_id) n on n.customer_id = c.id
left join (select customer_id, sum(remaining) as amount from customer_deposit where status in (1, 2) group by customer_id) d on d.customer_id = c.id
left join (select customer_id, max(payment_date) as last_payment_date from ar_payment where status in (1, 2, 3) group by customer_id) p on p.customer_id = c.id;

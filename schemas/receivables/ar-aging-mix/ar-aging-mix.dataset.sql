-- What open receivables are made of at the end of :as_of, by customer: spans by days late, with credits not used yet taken off the oldest first where :netting asks for it.
-- What an item had open then is what it has open now, plus what was taken later,
-- less what was taken back later: only the open and the recently moved items are touched, not the whole history.
with edge as (
  select coalesce((s.b ->> 0)::int, 7) as e1, coalesce((s.b ->> 1)::int, 14) as e2, coalesce((s.b ->> 2)::int, 30) as e3,
         coalesce((s.b ->> 3)::int, 60) as e4, coalesce((s.b ->> 4)::int, 90) as e5
  from (values (1)) as one
  left join lateral (select aging_bucket as b from setting_finance order by company_id limit 1) as s on true
),
-- Open now, settled since, or settled then by something that was taken back since: no invoice is in two of them.
candidate as (
  select id, code, customer_id, operating_unit_id, territory_id, salesman_id, payment_term_id, doc_date, due_date, ttf_date, currency,
    case when :in_books then base_total else total end as total, case when :in_books then base_remaining else remaining end as remaining
  from invoice where status in (1, 2) and posting_date <= :as_of::date
  union all
  select id, code, customer_id, operating_unit_id, territory_id, salesman_id, payment_term_id, doc_date, due_date, ttf_date, currency,
    case when :in_books then base_total else total end as total, case when :in_books then base_remaining else remaining end as remaining
  from invoice where closed_on > :as_of::date and posting_date <= :as_of::date
  union all
  select id, code, customer_id, operating_unit_id, territory_id, salesman_id, payment_term_id, doc_date, due_date, ttf_date, currency,
    case when :in_books then base_total else total end as total, case when :in_books then base_remaining else remaining end as remaining
  from invoice where closed_on <= :as_of::date and posting_date <= :as_of::date
    and id in (select invoice_id from ar_allocation where reversed_at > :as_of::date and posting_date <= :as_of::date)
),
moved_source as (
  select source_type, source_id, sum(case when :in_books then coalesce(source_base, amount) else amount end * case when posting_date > :as_of::date then 1 else -1 end) as amount
  from ar_allocation
  where source_type in ('CREDIT_NOTE', 'DEPOSIT')
    and ((posting_date > :as_of::date and reversed_at is null) or (reversed_at > :as_of::date and posting_date <= :as_of::date))
  group by source_type, source_id
),
item as (
  select 'INVOICE' as item_kind, i.id as item_id, i.code as doc_code, i.customer_id, i.operating_unit_id, i.territory_id, i.salesman_id, i.payment_term_id,
         i.doc_date, i.due_date, i.ttf_date, i.currency, i.total, i.remaining + coalesce(m.amount, 0) as remaining, 0::numeric as unapplied
  from candidate i
  left join lateral (
    select sum(case when :in_books then coalesce(a.base_amount, a.amount) else a.amount end * case when a.posting_date > :as_of::date then 1 else -1 end) as amount
    from ar_allocation a
    where a.invoice_id = i.id
      and ((a.posting_date > :as_of::date and a.reversed_at is null) or (a.reversed_at > :as_of::date and a.posting_date <= :as_of::date))
  ) m on true
  where i.remaining + coalesce(m.amount, 0) <> 0
  union all
  select 'CREDIT_NOTE', c.id, c.code, c.customer_id, c.operating_unit_id, c.territory_id, null, null, c.doc_date, null, null, c.currency, -w.total, 0,
         -(case when c.status = 7 then w.total else w.remaining end + coalesce(m.amount, 0))
  from credit_note c
  cross join lateral (select case when :in_books then c.base_total else c.total end as total, case when :in_books then c.base_remaining else c.remaining end as remaining) w
  left join moved_source m on m.source_type = 'CREDIT_NOTE' and m.source_id = c.id
  where c.posting_date <= :as_of::date and c.cn_temporary_id is null and (c.remaining > 0 or m.amount is not null or c.status = 7)
    and not exists (select 1 from journal j where j.source_doc_type = 'credit_note' and j.source_doc_id = c.id and j.reversal_of_id is not null and j.posting_date <= :as_of::date)
  union all
  select 'DEPOSIT', d.id, d.code, d.customer_id, d.operating_unit_id, d.territory_id, null, null, d.doc_date, null, null, d.currency, -w.total, 0,
         -(case when d.status = 7 then w.total else w.remaining end + coalesce(m.amount, 0))
  from customer_deposit d
  cross join lateral (select case when :in_books then d.base_total else d.amount end as total, case when :in_books then d.base_remaining else d.remaining end as remaining) w
  left join moved_source m on m.source_type = 'DEPOSIT' and m.source_id = d.id
  where d.posting_date <= :as_of::date and (d.remaining > 0 or m.amount is not null or d.status = 7)
    and not exists (select 1 from journal j where j.reversal_of_id is not null and j.posting_date <= :as_of::date
      and ((j.source_doc_type = 'customer_deposit' and j.source_doc_id = d.id) or (d.origin = 'OVERPAYMENT' and j.source_doc_type = 'ar_payment' and j.source_doc_id = d.deposit_source_id)))
),
aged as (
  select i.*, case when item_kind = 'INVOICE' then :as_of::date - due_date end as days_late from item i where remaining <> 0 or unapplied <> 0
),
mixed as (
  select a.customer_id, a.operating_unit_id, a.territory_id, case when not :in_books then a.currency end as currency, sum(a.remaining) as owed, case when :netting::boolean then -sum(a.unapplied) else 0 end as credits,
    coalesce(sum(a.remaining) filter (where days_late <= 0), 0) as b0, coalesce(sum(a.remaining) filter (where days_late between 1 and e1), 0) as b1,
    coalesce(sum(a.remaining) filter (where days_late > e1 and days_late <= e2), 0) as b2, coalesce(sum(a.remaining) filter (where days_late > e2 and days_late <= e3), 0) as b3,
    coalesce(sum(a.remaining) filter (where days_late > e3 and days_late <= e4), 0) as b4, coalesce(sum(a.remaining) filter (where days_late > e4 and days_late <= e5), 0) as b5,
    coalesce(sum(a.remaining) filter (where days_late > e5), 0) as b6
  from aged a cross join edge
  where :scope
  group by 1, 2, 3, 4
),
netted as (
  select m.*, greatest(b6 - credits, 0) as bucket_6, greatest(b5 - greatest(credits - b6, 0), 0) as bucket_5, greatest(b4 - greatest(credits - b6 - b5, 0), 0) as bucket_4,
    greatest(b3 - greatest(credits - b6 - b5 - b4, 0), 0) as bucket_3, greatest(b2 - greatest(credits - b6 - b5 - b4 - b3, 0), 0) as bucket_2,
    greatest(b1 - greatest(credits - b6 - b5 - b4 - b3 - b2, 0), 0) as bucket_1, greatest(b0 - greatest(credits - b6 - b5 - b4 - b3 - b2 - b1, 0), 0) as not_due, greatest(credits - owed, 0) as credit_left
  from mixed m
)
select
  n.customer_id, c.code as customer_code, c.name as customer_name, n.operating_unit_id, ou.code as operating_unit_code, n.territory_id, t.code as territory_code, ch.code as sales_channel_code,
  cc.code as customer_category_code, e.name as salesman_name, pt.code as payment_term_code, coalesce(n.currency, co.base_currency) as currency,
  n.owed, n.credits, n.not_due, n.bucket_1, n.bucket_2, n.bucket_3, n.bucket_4, n.bucket_5, n.bucket_6,
  n.bucket_1 + n.bucket_2 + n.bucket_3 + n.bucket_4 + n.bucket_5 + n.bucket_6 as overdue,
  n.not_due + n.bucket_1 + n.bucket_2 + n.bucket_3 + n.bucket_4 + n.bucket_5 + n.bucket_6 as spread, n.credit_left, n.owed - n.credits as net_open,
  (n.owed - n.credits) * 90 as open_days, coalesce(s.sales, 0) as sales_90
from netted n
join customer c on c.id = n.customer_id
join operating_unit ou on ou.id = n.operating_unit_id
join company co on co.id = ou.company_id
left join territory t on t.id = n.territory_id
left join sales_channel ch on ch.id = c.sales_channel_id
left join customer_category cc on cc.id = c.customer_category_id
left join employee e on e.id = c.salesman_id
left join payment_term pt on pt.id = c.payment_term_id
left join (
  select i.customer_id, i.operating_unit_id, i.territory_id, case when not :in_books then i.currency end as currency, sum(case when :in_books then round(i.dpp * i.rate, 2) else i.dpp end) as sales from invoice i
  where i.status in (1, 2, 3) and i.invoice_type not in ('REVERSAL', 'BEGBAL') and i.posting_date between :as_of::date - 89 and :as_of::date group by 1, 2, 3, 4
) s on s.customer_id = n.customer_id and s.operating_unit_id = n.operating_unit_id and s.territory_id is not distinct from n.territory_id and s.currency is not distinct from n.currency

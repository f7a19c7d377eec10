-- Open receivables as they stood at the end of :as_of. What an item had open then is what it has open now, plus what was taken later,
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
      and ((j.source_doc_type = 'customer_deposit' and j.source_doc_id = d.id) or (d.origin = 'OVERPAYMENT' and j.source_doc_type = 'ar_payment' and j.source_doc_id = d.deposit_source_id)
        or (j.source_doc_type = 'customer_deposit_transfer' and j.source_doc_id = d.transfer_id)
        or (j.source_doc_type = 'credit_note_transfer' and j.source_doc_id = d.credit_note_transfer_id)))
),
aged as (
  select i.*, case when item_kind = 'INVOICE' then :as_of::date - case :basis::text when 'INVOICE' then doc_date when 'TTF' then coalesce(ttf_date, doc_date) else due_date end end as days_late
  from item i
  where remaining <> 0 or unapplied <> 0
),
bucketed as (
  select a.*,
    case when days_late <= 0 then remaining else 0 end as not_due,
    case when days_late between 1 and e1 then remaining else 0 end as bucket_1,
    case when days_late > e1 and days_late <= e2 then remaining else 0 end as bucket_2,
    case when days_late > e2 and days_late <= e3 then remaining else 0 end as bucket_3,
    case when days_late > e3 and days_late <= e4 then remaining else 0 end as bucket_4,
    case when days_late > e4 and days_late <= e5 then remaining else 0 end as bucket_5,
    case when days_late > e5 then remaining else 0 end as bucket_6,
    case when :level::text = 'SUMMARY' then null else item_id end as shown_id
  from aged a cross join edge
),
grouped as (
  select b.customer_id, b.operating_unit_id, b.territory_id, b.shown_id, case when not :in_books then b.currency end as currency,
    case when b.shown_id is null then 'CUSTOMER' else b.item_kind end as item_kind,
    case when b.shown_id is not null then b.doc_code end as doc_code,
    case when b.shown_id is not null then b.doc_date end as doc_date,
    case when b.shown_id is not null then b.due_date end as due_date,
    case when b.shown_id is not null then b.salesman_id end as salesman_id,
    case when b.shown_id is not null then b.payment_term_id end as payment_term_id,
    max(b.days_late) as days_late, sum(b.total) as total, sum(b.remaining) as remaining, sum(b.not_due) as not_due, sum(b.bucket_1) as bucket_1,
    sum(b.bucket_2) as bucket_2, sum(b.bucket_3) as bucket_3, sum(b.bucket_4) as bucket_4, sum(b.bucket_5) as bucket_5, sum(b.bucket_6) as bucket_6,
    sum(b.unapplied) as unapplied
  from bucketed b
  where :scope
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
)
select
  g.item_kind, coalesce(g.shown_id, g.customer_id) as item_id, g.customer_id, c.code as customer_code, c.name as customer_name,
  g.operating_unit_id, ou.code as operating_unit_code, g.territory_id, t.code as territory_code, ch.code as sales_channel_code,
  g.doc_code, case when g.item_kind = 'INVOICE' then g.shown_id end as invoice_id, g.doc_date, g.due_date, g.days_late,
  coalesce(e.name, ce.name) as salesman_name, coalesce(pt.code, cpt.code) as payment_term_code, last_payment.posting_date as last_payment_date, coalesce(g.currency, co.base_currency) as currency,
  g.total, g.remaining, g.not_due, g.bucket_1, g.bucket_2, g.bucket_3, g.bucket_4, g.bucket_5, g.bucket_6, g.remaining - g.not_due as overdue, g.unapplied, g.remaining + g.unapplied as net_open
from grouped g
join customer c on c.id = g.customer_id
join operating_unit ou on ou.id = g.operating_unit_id
join company co on co.id = ou.company_id
left join territory t on t.id = g.territory_id
left join sales_channel ch on ch.id = c.sales_channel_id
left join employee e on e.id = g.salesman_id
left join employee ce on ce.id = c.salesman_id
left join payment_term pt on pt.id = g.payment_term_id
left join payment_term cpt on cpt.id = c.payment_term_id
left join lateral (
  select max(a.posting_date) as posting_date from ar_allocation a
  where g.item_kind = 'INVOICE' and g.remaining <> g.total and a.invoice_id = g.shown_id and a.source_type = 'PAYMENT' and a.posting_date <= :as_of::date
) as last_payment on true

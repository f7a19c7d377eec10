-- Balances of accounts, and what the documents behind a control account come to on the last day: both sides must agree. Debits are positive.
-- Documents and allocations are added up apart: what is open of each is not asked for.
with live as (
  select invoice_id, source_type, source_id, amount from ar_allocation where posting_date <= :date_to::date and (reversed_at is null or reversed_at > :date_to::date)
),
-- Undone by a reversal on or before the day.
undone as (
  select distinct source_doc_type as doc_type, source_doc_id as doc_id from journal where right(source_event, 4) = '_REV' and posting_date <= :date_to::date
),
debit_item as (
  select id, ar_account_id, operating_unit_id, territory_id, total from invoice where status <> 0 and invoice_type <> 'REVERSAL' and posting_date <= :date_to::date
),
credit_item as (
  select n.id, n.ar_account_id, n.operating_unit_id, n.territory_id, n.total from credit_note n
  where n.status in (1, 2, 3, 7) and n.cn_temporary_id is null and n.posting_date <= :date_to::date
    and not exists (select 1 from undone u where u.doc_type = 'credit_note' and u.doc_id = n.id)
),
deposit_item as (
  select d.id, d.operating_unit_id, d.territory_id, d.amount from customer_deposit d
  where d.status in (1, 2, 3, 7) and d.posting_date <= :date_to::date
    and not exists (select 1 from undone u where u.doc_type = 'customer_deposit' and u.doc_id = d.id)
    and not (d.origin = 'OVERPAYMENT' and exists (select 1 from undone u where u.doc_type = 'ar_payment' and u.doc_id = d.deposit_source_id))
),
document as (
  select ar_account_id as account_id, operating_unit_id, territory_id, total as amount from debit_item
  union all
  select i.ar_account_id, i.operating_unit_id, i.territory_id, -a.amount from live a join debit_item i on i.id = a.invoice_id
  union all
  select ar_account_id, operating_unit_id, territory_id, -total from credit_item
  union all
  select n.ar_account_id, n.operating_unit_id, n.territory_id, a.amount from live a join credit_item n on a.source_type = 'CREDIT_NOTE' and n.id = a.source_id
  union all
  select k.id, d.operating_unit_id, d.territory_id, -d.amount from deposit_item d join account k on k.code = '212101'
  union all
  select k.id, d.operating_unit_id, d.territory_id, a.amount from live a join deposit_item d on a.source_type = 'DEPOSIT' and d.id = a.source_id join account k on k.code = '212101'
  union all
  select k.id, t.operating_unit_id, t.territory_id, t.amount from cn_temporary t join account k on k.code = '112204'
  where t.status in (1, 2, 3, 7) and t.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'cn_temporary' and u.doc_id = t.id)
  union all
  select k.id, n.operating_unit_id, n.territory_id, -n.total from credit_note n join account k on k.code = '112204'
  where n.cn_temporary_id is not null and n.status in (1, 2, 3) and n.posting_date <= :date_to::date
  union all
  select k.id, m.operating_unit_id, null, m.cost_amount from stock_movement m join account k on k.code = case m.stock_class
    when 'UNRESTRICTED' then '113101' when 'CONSIGNMENT' then '113102' when 'CANVAS' then '113103' when 'TRANSIT' then '113104' when 'RETURN' then '113105' end
  where m.posting_date <= :date_to::date
  union all
  select k.id, m.operating_unit_id, null, -m.cost_amount from stock_movement m join account k on k.code = '113106'
  where m.movement_type in ('601', '602') and m.posting_date <= :date_to::date
  union all
  select k.id, i.operating_unit_id, null, -l.cogs from invoice i join invoice_line l on l.invoice_id = i.id join account k on k.code = '113106'
  where i.status in (1, 2, 3, 7) and i.posting_date <= :date_to::date
  union all
  -- A bank: what its first statement opened with, and every line of approved statements since.
  select b.gl_account_id, b.operating_unit_id, null, coalesce((select s.opening_balance from bank_statement s where s.house_bank_id = b.id and s.status = 3 order by s.doc_date, s.id limit 1), 0)
    + coalesce((select sum(l.credit - l.debit) from bank_statement s join bank_statement_line l on l.bank_statement_id = s.id where s.house_bank_id = b.id and s.status = 3 and l.value_date <= :date_to::date), 0)
  from house_bank b
)
select
  k.id as account_id, k.code as account_code, k.name as account_name, k.type as account_type, k.control_kind, b.operating_unit_id, ou.code as operating_unit_code,
  b.opening, b.debit, b.credit, b.opening + b.debit - b.credit as closing, d.amount as subledger, d.amount - (b.opening + b.debit - b.credit) as difference
from account k
cross join lateral (
  select x.operating_unit_id, sum(x.opening) as opening, sum(x.debit) as debit, sum(x.credit) as credit from (
    select operating_unit_id,
      case when posting_date < :date_from::date then debit - credit else 0 end as opening, case when posting_date >= :date_from::date then debit else 0 end as debit,
      case when posting_date >= :date_from::date then credit else 0 end as credit
    from journal_line l join journal j on j.id = l.journal_id
    where l.account_id = k.id and j.posting_date <= :date_to::date and :scope
    union all
    -- A control account nobody booked is there all the same: its documents may say otherwise.
    select operating_unit_id, 0, 0, 0 from (select id as operating_unit_id, null::bigint as territory_id from operating_unit) u where k.control_kind is not null and :scope
  ) x group by x.operating_unit_id
) b
join operating_unit ou on ou.id = b.operating_unit_id
left join (
  select account_id, operating_unit_id, sum(amount) as amount from document where :scope group by account_id, operating_unit_id
) d on d.account_id = k.id and d.operating_unit_id = b.operating_unit_id

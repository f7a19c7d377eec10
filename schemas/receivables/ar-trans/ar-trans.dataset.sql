-- Receivables of customers from one day to another: what was open, what came, what settled it, what is open, and what the ledger says of it.
with event as (
  select i.customer_id, i.operating_unit_id, i.territory_id, i.currency, i.posting_date as day, case when i.invoice_type = 'DEBIT_MEMO' then 'DEBIT_MEMO' else 'INVOICE' end as kind, case when :in_books then i.base_total else i.total end as amount
  from invoice i where i.status <> 0 and i.invoice_type <> 'REVERSAL' and i.posting_date <= :date_to::date
  union all
  select i.customer_id, i.operating_unit_id, i.territory_id, i.currency, a.posting_date, a.source_type, -case when :in_books then coalesce(a.base_amount, a.amount) else a.amount end
  from ar_allocation a join invoice i on i.id = a.invoice_id where a.posting_date <= :date_to::date
  union all
  select i.customer_id, i.operating_unit_id, i.territory_id, i.currency, a.reversed_at, 'REVERSED', case when :in_books then coalesce(a.base_amount, a.amount) else a.amount end
  from ar_allocation a join invoice i on i.id = a.invoice_id where a.reversed_at <= :date_to::date
  union all
  select n.customer_id, n.operating_unit_id, n.territory_id, n.currency, n.posting_date, 'CREDIT_NOTE', -case when :in_books then n.base_total else n.total end
  from credit_note n where n.status in (1, 2, 3, 7) and n.cn_temporary_id is null and n.posting_date <= :date_to::date
  union all
  select n.customer_id, n.operating_unit_id, n.territory_id, n.currency, a.posting_date, 'CREDIT_NOTE', case when :in_books then coalesce(a.source_base, a.amount) else a.amount end
  from ar_allocation a join credit_note n on n.id = a.source_id where a.source_type = 'CREDIT_NOTE' and a.posting_date <= :date_to::date
  union all
  select n.customer_id, n.operating_unit_id, n.territory_id, n.currency, a.reversed_at, 'REVERSED', -case when :in_books then coalesce(a.source_base, a.amount) else a.amount end
  from ar_allocation a join credit_note n on n.id = a.source_id where a.source_type = 'CREDIT_NOTE' and a.reversed_at <= :date_to::date
  union all
  select n.customer_id, n.operating_unit_id, n.territory_id, n.currency, j.posting_date, 'REVERSED', case when :in_books then n.base_total else n.total end
  from credit_note n join lateral (
    select min(r.posting_date) as posting_date from journal r where r.source_doc_type = 'credit_note' and r.source_doc_id = n.id and r.reversal_of_id is not null
  ) j on true
  where n.status = 7 and n.cn_temporary_id is null and j.posting_date <= :date_to::date
  union all
  select l.partner_id, j.operating_unit_id, l.territory_id, coalesce(l.fx_currency, j.currency), j.posting_date, 'LEDGER',
    case when :in_books or l.fx_currency is null then l.debit - l.credit when l.debit <> 0 then l.fx_amount else -l.fx_amount end
  from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id
  where k.control_kind = 'AR' and l.partner_kind = 'CUSTOMER' and j.posting_date <= :date_to::date
),
moved as (
  select e.customer_id, e.operating_unit_id, e.territory_id, case when not :in_books then e.currency end as currency,
    coalesce(sum(e.amount) filter (where e.kind <> 'LEDGER' and e.day < :date_from::date), 0) as opening,
    coalesce(sum(e.amount) filter (where e.kind = 'INVOICE' and e.day >= :date_from::date), 0) as invoiced,
    coalesce(sum(e.amount) filter (where e.kind = 'DEBIT_MEMO' and e.day >= :date_from::date), 0) as debit_memo,
    coalesce(sum(e.amount) filter (where e.kind = 'PAYMENT' and e.day >= :date_from::date), 0) as paid,
    coalesce(sum(e.amount) filter (where e.kind in ('CREDIT_NOTE', 'TEMP_CN') and e.day >= :date_from::date), 0) as credit_note,
    coalesce(sum(e.amount) filter (where e.kind = 'DEPOSIT' and e.day >= :date_from::date), 0) as deposit,
    coalesce(sum(e.amount) filter (where e.kind = 'WITHHOLDING' and e.day >= :date_from::date), 0) as withheld,
    coalesce(sum(e.amount) filter (where e.kind = 'WRITE_OFF' and e.day >= :date_from::date), 0) as written_off,
    coalesce(sum(e.amount) filter (where e.kind in ('PAYMENT_DIFF', 'CLOSE') and e.day >= :date_from::date), 0) as difference,
    coalesce(sum(e.amount) filter (where e.kind = 'REVERSED' and e.day >= :date_from::date), 0) as reversed,
    coalesce(sum(e.amount) filter (where e.kind not in ('INVOICE', 'DEBIT_MEMO', 'PAYMENT', 'CREDIT_NOTE', 'TEMP_CN', 'DEPOSIT', 'WITHHOLDING', 'WRITE_OFF', 'PAYMENT_DIFF', 'CLOSE', 'REVERSED', 'LEDGER') and e.day >= :date_from::date), 0) as other,
    coalesce(sum(e.amount) filter (where e.kind <> 'LEDGER'), 0) as closing,
    coalesce(sum(e.amount) filter (where e.kind = 'LEDGER'), 0) as ledger
  from event e where :scope
  group by 1, 2, 3, 4
)
select
  m.customer_id, c.code as customer_code, c.name as customer_name, m.operating_unit_id, ou.code as operating_unit_code, m.territory_id, t.code as territory_code, coalesce(m.currency, co.base_currency) as currency,
  m.opening, m.invoiced, m.debit_memo, m.paid, m.credit_note, m.deposit, m.withheld, m.written_off, m.difference, m.reversed, m.other, m.closing, m.ledger, m.closing - m.ledger as ledger_difference
from moved m
join customer c on c.id = m.customer_id
left join operating_unit ou on ou.id = m.operating_unit_id
left join company co on co.id = ou.company_id
left join territory t on t.id = m.territory_id
where (m.opening, m.invoiced, m.debit_memo, m.paid, m.credit_note, m.deposit, m.withheld, m.written_off, m.difference, m.reversed, m.other, m.closing, m.ledger) is distinct from (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

-- Customer line items: every debit of an account (invoice, debit memo, opening item), every allocation against it as a line of its own until the
-- item is cleared, every credit note with its use, and the special ledger items (deposits, temporary claims, giro) apart from the control account.
with moved as (
  select invoice_id, sum(case when posting_date > :key_date::date then amount else -amount end) as amount
  from ar_allocation
  where (posting_date > :key_date::date and reversed_at is null)
     or (reversed_at > :key_date::date and posting_date <= :key_date::date)
  group by invoice_id
),
-- Invoices whose lines are asked for, with what they have open at the key date and the day they were cleared.
debit as (
  select i.id, i.code, i.invoice_type, i.customer_id, i.operating_unit_id, i.territory_id, i.doc_date, i.posting_date, i.due_date, case when :in_books then i.base_total else i.total end as amount, i.payment_term_id,
         i.sales_order_id, i.po_number, i.note, i.currency, i.remaining + coalesce(m.amount, 0) as open_then, i.remaining,
         case when i.remaining = 0 then i.closed_on end as cleared_on
  from invoice i
  left join moved m on m.invoice_id = i.id
  -- The document of a reversal is shown as what it does to the invoice it undoes.
  where i.status in (1, 2, 3, 6, 7) and i.invoice_type <> 'REVERSAL'
    and (:customer_id::bigint is null or i.customer_id = :customer_id::bigint)
    and case :item_status::text
          when 'OPEN' then i.posting_date <= :key_date::date and (i.remaining > 0 or m.amount is not null)
          when 'CLEARED' then (i.remaining = 0 and i.closed_on between :date_from::date and :date_to::date)
            or i.id in (select a.invoice_id from ar_allocation a where a.reversed_at between :date_from::date and :date_to::date)
          else i.posting_date <= :date_to::date and (i.closed_on is null or i.remaining > 0 or i.closed_on >= :date_from::date)
        end
),
credit as (
  select c.id, c.code, c.customer_id, c.operating_unit_id, c.territory_id, c.doc_date, c.posting_date, c.total, case when :in_books then c.base_total else c.total end as amount, c.claim_no, c.description, c.remaining, c.status, c.currency,
         r.posting_date as reversed_on
  from credit_note c
  left join lateral (
    select j.posting_date from journal j where j.source_doc_type = 'credit_note' and j.source_doc_id = c.id and j.reversal_of_id is not null limit 1
  ) as r on true
  -- A credit note that settled a temporary claim was never an item of the receivables account.
  where c.status in (1, 2, 3, 7) and c.cn_temporary_id is null and (:customer_id::bigint is null or c.customer_id = :customer_id::bigint)
),
line as (
  select 'I' || d.id as line_key, d.id as debit_id, null::bigint as credit_id, d.customer_id, d.operating_unit_id, d.territory_id, d.id as invoice_id, d.code as doc_code,
         case d.invoice_type when 'DEBIT_MEMO' then 'DR' when 'BEGBAL' then 'UE' else 'RV' end as doc_type,
         d.doc_date, d.posting_date, d.due_date, '' as special, d.amount, so.code as assignment, d.po_number as reference, d.note as text,
         d.payment_term_id, null::bigint as payment_id, d.currency, null::date as undone_on
  from debit d left join sales_order so on so.id = d.sales_order_id
  union all
  select case when e.is_undo then 'R' else 'A' end || a.id, d.id, null, d.customer_id, d.operating_unit_id, d.territory_id, d.id, coalesce(p.code, cn.code, cd.code, ct.code, rv.code, j.source_doc_code, d.code),
         case when e.is_undo or a.source_type = 'REVERSAL' then 'AB' when a.source_type = 'PAYMENT' then 'DZ' else 'DA' end,
         e.on_day, e.on_day, d.due_date, '', case when e.is_undo then 1 else -1 end * case when :in_books then coalesce(a.base_amount, a.amount) else a.amount end, so.code, d.code, null, d.payment_term_id, p.id, d.currency, a.reversed_at
  from debit d
  join ar_allocation a on a.invoice_id = d.id
  cross join lateral (select false as is_undo, a.posting_date as on_day union all select true, a.reversed_at where a.reversed_at is not null) as e
  left join sales_order so on so.id = d.sales_order_id
  left join ar_payment p on a.document_type = 'ar_payment' and p.id = a.document_id
  left join credit_note cn on a.source_type = 'CREDIT_NOTE' and cn.id = a.source_id
  left join customer_deposit cd on a.source_type = 'DEPOSIT' and cd.id = a.source_id
  left join cn_temporary ct on a.source_type = 'TEMP_CN' and ct.id = a.source_id
  left join invoice rv on a.source_type = 'REVERSAL' and rv.id = a.source_id
  left join journal j on j.id = a.journal_id
  union all
  select case when e.is_undo then 'X' else 'C' end || c.id, null, c.id, c.customer_id, c.operating_unit_id, c.territory_id, null, c.code, case when e.is_undo then 'AB' else 'DG' end,
         e.on_day, e.on_day, null, '', case when e.is_undo then c.amount else -c.amount end, c.claim_no, null, c.description, null, null, c.currency, null
  from credit c
  cross join lateral (select false as is_undo, c.posting_date as on_day union all select true, c.reversed_on where c.reversed_on is not null) as e
  union all
  select case when e.is_undo then 'V' else 'U' end || a.id, null, c.id, c.customer_id, c.operating_unit_id, c.territory_id, a.invoice_id, coalesce(p.code, c.code),
         case when e.is_undo then 'AB' else 'DA' end, e.on_day, e.on_day, null, '', case when e.is_undo then -1 else 1 end * case when :in_books then coalesce(a.source_base, a.amount) else a.amount end, c.claim_no, c.code, null, null, p.id, c.currency, a.reversed_at
  from credit c
  join ar_allocation a on a.source_type = 'CREDIT_NOTE' and a.source_id = c.id
  cross join lateral (select false as is_undo, a.posting_date as on_day union all select true, a.reversed_at where a.reversed_at is not null) as e
  left join ar_payment p on a.document_type = 'ar_payment' and p.id = a.document_id
  union all
  select 'D' || s.id, null, null, s.customer_id, s.operating_unit_id, s.territory_id, null, s.code, 'DZ', s.doc_date, s.posting_date, null, 'A',
         coalesce(sum(case when :in_books then coalesce(a.source_base, a.amount) else a.amount end), 0) - case when :in_books then s.base_total else s.amount end, null, s.reference_no, s.note, null, null, s.currency, null
  from customer_deposit s
  left join ar_allocation a on a.source_type = 'DEPOSIT' and a.source_id = s.id and a.posting_date <= :key_date::date and (a.reversed_at is null or a.reversed_at > :key_date::date)
  where :with_special::boolean and s.status in (1, 2, 3, 7) and (:customer_id::bigint is null or s.customer_id = :customer_id::bigint)
    and not exists (select 1 from journal j where j.reversal_of_id is not null and j.posting_date <= :key_date::date
      and ((j.source_doc_type = 'customer_deposit' and j.source_doc_id = s.id) or (s.origin = 'OVERPAYMENT' and j.source_doc_type = 'ar_payment' and j.source_doc_id = s.deposit_source_id)
        or (j.source_doc_type = 'customer_deposit_transfer' and j.source_doc_id = s.transfer_id)
        or (j.source_doc_type = 'credit_note_transfer' and j.source_doc_id = s.credit_note_transfer_id)))
  group by s.id
  union all
  select 'T' || s.id, null, null, s.customer_id, s.operating_unit_id, s.territory_id, s.invoice_id, s.code, 'DA', s.doc_date, s.posting_date, s.deadline, 'T',
         s.amount - coalesce(sum(n.total), 0) - coalesce((select sum(i.total) from invoice i where i.cn_temporary_id = s.id and i.posting_date <= :key_date::date), 0), null, s.expected_doc, s.note, null, null, s.currency, null
  from cn_temporary s
  left join credit_note n on n.cn_temporary_id = s.id and n.status in (1, 2, 3) and n.posting_date <= :key_date::date
  where :with_special::boolean and s.status in (1, 2, 3, 7) and (:customer_id::bigint is null or s.customer_id = :customer_id::bigint)
    and not exists (select 1 from journal j where j.source_doc_type = 'cn_temporary' and j.source_doc_id = s.id and j.reversal_of_id is not null and j.posting_date <= :key_date::date)
  group by s.id
  union all
  select 'W' || s.id, null, null, s.customer_id, s.operating_unit_id, s.territory_id, null, s.code, 'DZ', s.doc_date, s.posting_date, s.giro_due_date, 'W', case when :in_books then s.base_total else s.amount end, null, s.giro_no,
         s.note, null, s.id, s.currency, null
  from ar_payment s
  where :with_special::boolean and s.method in ('GIRO', 'CHEQUE') and s.status in (1, 2) and (:customer_id::bigint is null or s.customer_id = :customer_id::bigint)
),
credit_use as (
  select a.source_id as id, max(a.posting_date) filter (where a.reversed_at is null) as last_used_on,
         sum(a.amount) filter (where a.posting_date <= :key_date::date and (a.reversed_at is null or a.reversed_at > :key_date::date)) as used_then
  from ar_allocation a
  where a.source_type = 'CREDIT_NOTE'
  group by a.source_id
),
-- A credit note clears on the day its last use left nothing, or the day it was reversed.
credit_state as (
  select c.id, coalesce(c.reversed_on, case when c.remaining = 0 then u.last_used_on end) as cleared_on,
         case when c.reversed_on <= :key_date::date then 0 else c.total - coalesce(u.used_then, 0) end as open_then
  from credit c left join credit_use u on u.id = c.id
),
-- What was taken back and what took it back clear each other on that day, whatever the item they were about still owes.
stated as (
  select l.*, case when l.undone_on <= :key_date::date then 0 else coalesce(d.open_then, cs.open_then, l.amount) end as open_then,
         coalesce(l.undone_on, d.cleared_on, cs.cleared_on) as cleared_on
  from line l
  left join debit d on d.id = l.debit_id
  left join credit_state cs on cs.id = l.credit_id
)
select
  s.line_key, case when s.open_then = 0 or (s.special = '' and s.cleared_on <= :key_date::date) then 'CLEARED' when s.due_date < :key_date::date then 'OVERDUE' else 'OPEN' end as item_state,
  s.customer_id, c.code as customer_code, c.name as customer_name, s.operating_unit_id, ou.code as operating_unit_code, s.territory_id,
  s.assignment, s.doc_code, s.doc_type, s.doc_date, s.posting_date, s.due_date,
  case when s.due_date is not null then coalesce(case when s.cleared_on <= :key_date::date then s.cleared_on end, :key_date::date) - s.due_date end as arrears,
  s.special, s.cleared_on as clearing_date, case when s.undone_on is null then clearing.code else s.doc_code end as clearing_code, pt.code as payment_term_code, s.text, s.reference, s.invoice_id, s.payment_id, case when :in_books then co.base_currency else s.currency end as currency, s.amount
from stated s
join customer c on c.id = s.customer_id
join operating_unit ou on ou.id = s.operating_unit_id
join company co on co.id = ou.company_id
left join payment_term pt on pt.id = s.payment_term_id
left join lateral (
  select coalesce(p.code, j.source_doc_code) as code from ar_allocation a
  left join ar_payment p on a.document_type = 'ar_payment' and p.id = a.document_id
  left join journal j on j.id = a.journal_id
  where (p.id is not null or j.id is not null) and s.cleared_on is not null and a.invoice_id = s.debit_id and a.posting_date = s.cleared_on and a.reversed_at is null
  order by a.id desc limit 1
) as clearing on true
where :scope
  and case :item_status::text
        when 'OPEN' then s.posting_date <= :key_date::date and s.open_then <> 0
        when 'CLEARED' then s.special = '' and s.cleared_on between :date_from::date and :date_to::date
        else s.posting_date between :date_from::date and :date_to::date
      end

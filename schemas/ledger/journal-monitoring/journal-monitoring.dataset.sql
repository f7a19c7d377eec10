-- What documents should have booked against what stands in the ledger: one row for each event of a document of the days asked for, one for each control
-- account and unit at the last of them, and one for each unit and month that does not balance. A document books in the step that brings it about; what is
-- missing here was lost or changed by other hands.
with wanted as (
  select 'invoice' as doc_type, i.id as doc_id, i.code as doc_code, i.posting_date, i.operating_unit_id, i.territory_id, (select c.base_currency from operating_unit u join company c on c.id = u.company_id where u.id = i.operating_unit_id) as currency,
    case i.invoice_type when 'DEBIT_MEMO' then 'DEBIT_MEMO' when 'BEGBAL' then 'OB_AR' else 'INV' end as event, 'AR' as account, 1 as side, i.base_total as expected
  from invoice i
  where i.status in (1, 2, 3, 7) and i.invoice_type <> 'REVERSAL' and i.container_move_id is null and i.total <> 0 and i.posting_date between :date_from::date and :date_to::date
    and not (i.invoice_type = 'DEBIT_MEMO' and exists (select 1 from journal j where j.source_event = 'TCN_REFUSE' and exists (select 1 from journal_line l where l.journal_id = j.id and l.open_item_type = 'invoice' and l.open_item_id = i.id)))
  union all
  select 'goods_issue', g.id, g.code, g.posting_date, g.operating_unit_id, g.territory_id, g.currency, case when x.stays then 'CONS_FILL' else 'GI_SALE' end, case when x.stays then '113102' else '113106' end, 1, x.cost
  from goods_issue g cross join lateral (
    select sum(l.cost) as cost, bool_or(o.order_type in ('CONSIGN', 'CMI')) as stays, bool_or(o.order_type = 'CANVAS') as off_van from goods_issue_line l join sales_order_line s on s.id = l.order_line_id join sales_order o on o.id = s.sales_order_id where l.goods_issue_id = g.id
  ) x
  where g.status in (1, 2, 3, 7) and x.cost <> 0 and not x.off_van and g.posting_date between :date_from::date and :date_to::date
  union all
  select 'ar_payment', p.id, p.code, p.posting_date, p.operating_unit_id, p.territory_id, (select c.base_currency from operating_unit u join company c on c.id = u.company_id where u.id = p.operating_unit_id),
    case p.method when 'GIRO' then 'RCPT_GIRO' when 'CHEQUE' then 'RCPT_GIRO' when 'CIT' then 'RCPT_CIT' when 'COD' then 'RCPT_CIT' when 'UNIDENTIFIED' then 'RCPT_UNIDENT' when 'CASH' then 'RCPT_CASH' else 'RCPT_TRANSFER' end,
    'AR', -1, case when p.rate = 1 then p.allocated - p.credit_used else (
      select sum(coalesce(a.base_amount, a.amount)) - coalesce(sum(a.source_base) filter (where a.source_type = 'CREDIT_NOTE'), 0) from ar_allocation a where a.document_type = 'ar_payment' and a.document_id = p.id) end
  from ar_payment p
  where p.status in (1, 2, 3, 7) and p.allocated - p.credit_used <> 0 and p.posting_date between :date_from::date and :date_to::date
    and not exists (select 1 from ar_clearing c where c.ar_payment_id = p.id) and not exists (select 1 from ar_clearing_gov c where c.ar_payment_id = p.id)
  union all
  select 'cn_temporary', t.id, t.code, t.posting_date, t.operating_unit_id, t.territory_id, t.currency, 'TCN', 'AR', -1, t.amount
  from cn_temporary t where t.status in (1, 2, 3, 7) and t.posting_date between :date_from::date and :date_to::date
  union all
  select 'write_off', w.id, w.code, w.posting_date, w.operating_unit_id, w.territory_id, w.currency, case w.category when 'BAD_DEBT' then 'WRITE_OFF' else w.category end, 'AR', -1, w.total
  from write_off w where w.status in (1, 2, 3, 7) and w.total <> 0 and w.posting_date between :date_from::date and :date_to::date
  union all
  select 'vendor_invoice', i.id, i.code, i.posting_date, i.operating_unit_id, i.territory_id, (select c.base_currency from operating_unit u join company c on c.id = u.company_id where u.id = i.operating_unit_id),
    case when i.kind = 'NON_TRADE' and i.landed_by <> 'NONE' then 'AP_LANDED' when i.kind = 'NON_TRADE' then 'AP_NONTRADE' else case i.kind when 'SHIPMENT' then 'AP_SHIP' when 'BEGBAL' then 'OB_AP' else 'AP_TRADE' end end, 'AP', -1, i.base_total
  from vendor_invoice i where i.status in (1, 2, 3, 7) and i.total <> 0 and i.posting_date between :date_from::date and :date_to::date
  union all
  select 'debit_note', n.id, n.code, n.posting_date, n.operating_unit_id, n.territory_id, n.currency,
    case n.kind when 'NON_PO' then 'DN_NONPO' when 'BEGBAL' then 'OB_DN' else 'DN_' || n.kind end, '112203', 1, n.total - n.adjusted
  from debit_note n where n.status in (1, 2, 3, 7) and n.total - n.adjusted <> 0 and n.posting_date between :date_from::date and :date_to::date
  union all
  select 'debit_note_adjustment', b.id, b.code, b.posting_date, b.operating_unit_id, b.territory_id, b.currency, 'DN_ADJ', '112203', 1, b.amount
  from debit_note_adjustment b where b.status in (1, 7) and b.posting_date between :date_from::date and :date_to::date
  union all
  select 'dn_application', d.id, d.code, d.posting_date, d.operating_unit_id, d.territory_id, d.currency, 'DN_APPLY', 'AP', 1,
    d.total - coalesce((select sum(l.amount) from dn_application_line l where l.dn_application_id = d.id and l.supplier_credit_note_id is not null), 0)
  from dn_application d where d.status in (1, 7) and d.posting_date between :date_from::date and :date_to::date
  union all
  select 'ap_payment', p.id, p.code, p.posting_date, p.operating_unit_id, p.territory_id, (select c.base_currency from operating_unit u join company c on c.id = u.company_id where u.id = p.operating_unit_id), 'AP_PAY', 'AP', 1,
    coalesce((select sum(coalesce(a.base_amount, a.amount)) from ar_allocation a where a.document_type = 'ap_payment' and a.document_id = p.id and a.item_type = 'vendor_invoice'), 0) - p.credited
  from ap_payment p where p.status in (1, 3, 7) and p.kind = 'INVOICE' and p.settled - p.credited <> 0 and p.posting_date between :date_from::date and :date_to::date
  union all
  select 'ap_payment', p.id, p.code, p.posting_date, p.operating_unit_id, p.territory_id, p.currency, 'ADV_PAY', 'AP', 1, p.advanced
  from ap_payment p where p.status in (1, 3, 7) and p.kind = 'ADVANCE' and p.posting_date between :date_from::date and :date_to::date
  union all
  select 'vendor_advance', p.id, p.code, p.posting_date, p.operating_unit_id, p.territory_id, p.currency, case p.origin when 'BEGBAL' then 'OB_DN' else 'ADV_REQ' end, '115101', 1, p.amount
  from vendor_advance p where p.status in (1, 2, 3, 7) and p.posting_date between :date_from::date and :date_to::date
  union all
  select 'advance_application', p.id, p.code, p.posting_date, p.operating_unit_id, p.territory_id, p.currency, 'ADV_APPLY', 'AP', 1, p.applied
  from advance_application p where p.status in (1, 7) and p.posting_date between :date_from::date and :date_to::date
  union all
  select 'supplier_receipt', r.id, r.code, r.posting_date, r.operating_unit_id, r.territory_id, r.currency, 'SUP_RCPT', '212104', -1, r.amount
  from supplier_receipt r where r.status in (1, 2, 3, 7) and r.posting_date between :date_from::date and :date_to::date
  union all
  select 'payment_for_dn', p.id, p.code, p.posting_date, p.operating_unit_id, p.territory_id, p.currency, 'DN_PAID', '212104', 1, p.paid
  from payment_for_dn p where p.status in (1, 7) and p.posting_date between :date_from::date and :date_to::date
  union all
  select 'supplier_credit_note', n.id, n.code, n.posting_date, n.operating_unit_id, n.territory_id, n.currency, 'SCN', 'AP', 1, n.total
  from supplier_credit_note n where n.status in (1, 2, 3, 7) and n.posting_date between :date_from::date and :date_to::date
  union all
  select 'container_move', m.id, m.code, m.posting_date, m.operating_unit_id, m.territory_id, m.currency, 'CONT_' || m.kind, '212105', case m.kind when 'CHARGE' then -1 else 1 end, m.deposit
  from container_move m where m.status in (1, 7) and m.deposit <> 0 and m.posting_date between :date_from::date and :date_to::date
  union all
  select 'cash_deposit', d.id, d.code, d.posting_date, d.operating_unit_id, d.territory_id, d.currency, 'DEP_OUT', '111301', 1, d.total
  from cash_deposit d where d.status in (1, 3, 7) and d.posting_date between :date_from::date and :date_to::date
),
booked as (
  select w.*, j.id as journal_id, j.code as journal_code, coalesce(x.posted, 0) as posted
  from wanted w
  left join journal j on j.source_doc_type = w.doc_type and j.source_doc_id = w.doc_id and j.source_event = w.event
  left join lateral (
    select w.side * sum(l.debit - l.credit) as posted from journal_line l join account a on a.id = l.account_id
    where l.journal_id = j.id and case when w.account in ('AR', 'AP') then a.control_kind = w.account else a.code = w.account end
  ) x on true
),
control as (
  select unit, currency, account, sum(expected) as expected, sum(posted) as posted from (
    select i.operating_unit_id as unit, (select c.base_currency from operating_unit u join company c on c.id = u.company_id where u.id = i.operating_unit_id) as currency, '112101' as account, i.base_total - coalesce((
      select sum(coalesce(a.base_amount, a.amount)) from ar_allocation a where a.invoice_id = i.id and a.posting_date <= :date_to::date and (a.reversed_at is null or a.reversed_at > :date_to::date)), 0) as expected, 0 as posted
    from invoice i where i.status <> 0 and i.invoice_type <> 'REVERSAL' and i.posting_date <= :date_to::date
    union all
    select n.operating_unit_id, (select c.base_currency from operating_unit u join company c on c.id = u.company_id where u.id = n.operating_unit_id), '112101', -(n.base_total - coalesce((
      select sum(coalesce(a.source_base, a.amount)) from ar_allocation a where a.source_type = 'CREDIT_NOTE' and a.source_id = n.id and a.posting_date <= :date_to::date and (a.reversed_at is null or a.reversed_at > :date_to::date)), 0)), 0
    from credit_note n where n.status in (1, 2, 3, 7) and n.cn_temporary_id is null and n.posting_date <= :date_to::date
      and not exists (select 1 from journal u where u.source_doc_type = 'credit_note' and u.source_doc_id = n.id and u.reversal_of_id is not null and u.posting_date <= :date_to::date)
    union all
    select i.operating_unit_id, (select c.base_currency from operating_unit u join company c on c.id = u.company_id where u.id = i.operating_unit_id), '211101', -(i.base_total - coalesce((
      select sum(coalesce(a.base_amount, a.amount)) from ar_allocation a where a.item_type = 'vendor_invoice' and a.item_id = i.id and a.posting_date <= :date_to::date and (a.reversed_at is null or a.reversed_at > :date_to::date)), 0)), 0
    from vendor_invoice i where i.status in (1, 2, 3, 7) and i.posting_date <= :date_to::date
      and not exists (select 1 from journal u where u.source_doc_type = 'vendor_invoice' and u.source_doc_id = i.id and u.source_event in ('AP_NONTRADE_REV', 'AP_LANDED_REV', 'AP_TRADE_REV', 'AP_SHIP_REV', 'OB_AP_REV') and u.posting_date <= :date_to::date)
    union all
    select p.operating_unit_id, p.currency, '211101', -(p.total - coalesce((
      select sum(a.amount) from ar_allocation a where a.item_type = 'vendor_advance' and a.item_id = p.id and a.posting_date <= :date_to::date and (a.reversed_at is null or a.reversed_at > :date_to::date)), 0)), 0
    from vendor_advance p where p.status in (1, 2, 3, 7) and p.origin <> 'BEGBAL' and p.posting_date <= :date_to::date
      and not exists (select 1 from journal u where u.source_doc_type = 'vendor_advance' and u.source_doc_id = p.id and u.reversal_of_id is not null and u.posting_date <= :date_to::date)
    union all
    select n.operating_unit_id, n.currency, '211101', n.total - coalesce((
      select sum(a.amount) from ar_allocation a where a.source_type = 'SUPPLIER_CN' and a.source_id = n.id and a.posting_date <= :date_to::date and (a.reversed_at is null or a.reversed_at > :date_to::date)), 0), 0
    from supplier_credit_note n where n.status in (1, 2, 3, 7) and n.posting_date <= :date_to::date
      and not exists (select 1 from journal u where u.source_doc_type = 'supplier_credit_note' and u.source_doc_id = n.id and u.reversal_of_id is not null and u.posting_date <= :date_to::date)
    union all
    select m.operating_unit_id, 'IDR', '113101', m.cost_amount, 0 from stock_movement m where m.stock_class = 'UNRESTRICTED' and m.posting_date <= :date_to::date
    union all
    select j.operating_unit_id, j.currency, case a.control_kind when 'AR' then '112101' when 'AP' then '211101' else a.code end, 0, l.debit - l.credit
    from journal j join journal_line l on l.journal_id = j.id join account a on a.id = l.account_id
    where j.posting_date <= :date_to::date and (a.control_kind = 'AR' or a.code = '113101' or (a.control_kind = 'AP' and l.open_item_type is distinct from 'opening_balance'))
  ) both_sides group by unit, currency, account
),
row_of as (
  select 'DOCUMENT' as row_kind, b.doc_type || '-' || b.doc_id || '-' || b.event as row_key, b.doc_type, b.doc_id, b.doc_code, b.posting_date, b.operating_unit_id, b.territory_id, b.currency, b.event, null as account_code,
    b.journal_id, b.journal_code, b.expected, b.posted
  from booked b
  union all
  select 'CONTROL', 'control-' || account || '-' || unit || '-' || currency, null, null, null, :date_to::date, unit, null, currency, null, account, null, null, expected, posted from control
  union all
  select 'TRIAL', 'trial-' || j.operating_unit_id || '-' || j.period || '-' || j.currency, null, null, null, max(j.posting_date), j.operating_unit_id, null, j.currency, null, null, null, null, sum(l.credit), sum(l.debit)
  from journal j join journal_line l on l.journal_id = j.id where j.posting_date between :date_from::date and :date_to::date
  group by j.operating_unit_id, j.period, j.currency
),
told as (
  select r.*, r.posted - r.expected as difference,
    case
      when r.row_kind = 'DOCUMENT' and r.journal_id is null then
        case when exists (select 1 from accounting_period p where (p.operating_unit_id = r.operating_unit_id or p.operating_unit_id is null) and p.period = to_char(r.posting_date, 'YYYYMM') and p.module = 'GL' and p.status <> 'OPEN') then 'PERIOD' else 'MISSING' end
      when r.posted <> r.expected then 'DIFF' else 'OK'
    end as state
  from row_of r
)
select
  t.row_key, t.row_kind, t.doc_type, t.doc_code, t.posting_date, t.operating_unit_id, ou.code as operating_unit_code, t.territory_id, t.currency, t.event, t.account_code, a.name as account_name,
  t.journal_code, t.state, case when t.doc_type = 'invoice' then t.doc_id end as invoice_id, case when t.doc_type = 'ar_payment' then t.doc_id end as ar_payment_id,
  case when t.doc_type = 'goods_issue' then t.doc_id end as goods_issue_id, t.expected as expected_amount, t.posted as posted_amount, t.difference
from told t
join operating_unit ou on ou.id = t.operating_unit_id
left join account a on a.code = t.account_code
where (not :only_wrong::boolean or t.state <> 'OK') and :scope

-- Balances of accounts, and what the documents behind a control account come to on the last day: both sides must agree. Debits are positive.
-- Documents and allocations are added up apart: what is open of each is not asked for. Each has the territory it is booked under, so that whoever sees some
-- territories sees both sides of them.
with live as (
  -- Booked under the territory of what allocated it, wherever the customer has moved since the invoice.
  select a.invoice_id, a.source_type, a.source_id, coalesce(a.base_amount, a.amount) as amount, coalesce(a.source_base, a.amount) as source_amount, coalesce(p.territory_id, t.territory_id, c.territory_id, g.territory_id) as territory_id from ar_allocation a
  left join ar_payment p on a.document_type = 'ar_payment' and p.id = a.document_id left join cn_temporary t on a.document_type = 'cn_temporary' and t.id = a.document_id
  left join ar_clearing c on a.document_type = 'ar_clearing' and c.id = a.document_id left join ar_clearing_gov g on a.document_type = 'ar_clearing_gov' and g.id = a.document_id
  where a.posting_date <= :date_to::date and (a.reversed_at is null or a.reversed_at > :date_to::date)
),
-- Undone by a reversal on or before the day.
undone as (
  select distinct source_doc_type as doc_type, source_doc_id as doc_id from journal where right(source_event, 4) = '_REV' and posting_date <= :date_to::date
),
debit_item as (
  select id, ar_account_id, operating_unit_id, territory_id, base_total as total from invoice where status <> 0 and invoice_type <> 'REVERSAL' and posting_date <= :date_to::date
),
credit_item as (
  select n.id, n.ar_account_id, n.operating_unit_id, n.territory_id, n.base_total as total from credit_note n
  where n.status in (1, 2, 3, 7) and n.cn_temporary_id is null and n.posting_date <= :date_to::date
    and not exists (select 1 from undone u where u.doc_type = 'credit_note' and u.doc_id = n.id)
),
deposit_item as (
  select d.id, d.operating_unit_id, d.territory_id, d.base_total as amount, d.origin = 'RECEIPT' and d.method <> 'CASH' as is_on_the_way from customer_deposit d
  where d.status in (1, 2, 3, 7) and d.posting_date <= :date_to::date
    and not exists (select 1 from undone u where u.doc_type = 'customer_deposit' and u.doc_id = d.id)
    and not (d.origin = 'OVERPAYMENT' and exists (select 1 from undone u where u.doc_type = 'ar_payment' and u.doc_id = d.deposit_source_id))
),
receipt as (
  select p.id, p.method, p.operating_unit_id, p.territory_id, p.base_total as amount from ar_payment p
  where p.status in (1, 2, 3, 7) and p.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'ar_payment' and u.doc_id = p.id)
    -- The money of a clearing is booked and taken back by it.
    and not exists (select 1 from undone u join ar_clearing c on u.doc_type = 'ar_clearing' and c.id = u.doc_id where c.ar_payment_id = p.id)
    and not exists (select 1 from undone u join ar_clearing_gov c on u.doc_type = 'ar_clearing_gov' and c.id = u.doc_id where c.ar_payment_id = p.id)
),
-- A giro cleared by hand is on its way into the bank from that day on; the statement then takes it from there, whichever day it gives.
by_hand as (
  select source_doc_id as receipt_id, min(posting_date) as day from journal where source_doc_type = 'ar_payment' and source_event = 'GIRO_CLEAR' group by source_doc_id
),
-- What statements show of the money of customers and vendors.
shown as (
  select l.match_type, l.ar_payment_id, l.customer_deposit_id, l.cash_bank_document_id, l.ap_payment_id, l.supplier_receipt_id, l.credit, l.debit, s.operating_unit_id from bank_statement s join bank_statement_line l on l.bank_statement_id = s.id
  where s.status = 3 and l.value_date <= :date_to::date and l.match_type in ('PAYMENT', 'DEPOSIT', 'UNIDENTIFIED', 'CASH_DEPOSIT', 'CB_DOC', 'AP_PAYMENT', 'SUPPLIER_RECEIPT')
),
-- What was carried to the bank, but for giros that came back: on its way it is the unit's, whoever paid.
carried as (
  select d.operating_unit_id, l.territory_id, p.method, l.amount, l.handed_over_on is not null as is_handed_over from cash_deposit d join cash_deposit_line l on l.cash_deposit_id = d.id join ar_payment p on p.id = l.ar_payment_id
  where d.status in (1, 3, 7) and d.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'cash_deposit' and u.doc_id = d.id)
    and not exists (select 1 from journal j where j.source_doc_type = 'cash_deposit_line' and j.source_doc_id = l.id and j.source_event = 'DEP_RETURN' and j.posting_date <= :date_to::date)
),
cash_document as (
  select c.id, c.operating_unit_id, c.amount, c.from_house_bank_id is not null as is_out, c.to_house_bank_id is not null as is_in, case when c.kind in ('TRANSFER', 'PETTY_REFILL') then '111301' else '111302' end as into_account
  from cash_bank_document c
  where c.status in (1, 3, 7) and c.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'cash_bank_document' and u.doc_id = c.id)
),
document as (
  select ar_account_id as account_id, operating_unit_id, territory_id, total as amount from debit_item
  union all
  select i.ar_account_id, i.operating_unit_id, coalesce(a.territory_id, i.territory_id), -a.amount from live a join debit_item i on i.id = a.invoice_id
  union all
  select ar_account_id, operating_unit_id, territory_id, -total from credit_item
  union all
  select n.ar_account_id, n.operating_unit_id, coalesce(a.territory_id, n.territory_id), a.source_amount from live a join credit_item n on a.source_type = 'CREDIT_NOTE' and n.id = a.source_id
  union all
  select k.id, d.operating_unit_id, d.territory_id, -d.amount from deposit_item d join account k on k.code = '212101'
  union all
  select k.id, d.operating_unit_id, coalesce(a.territory_id, d.territory_id), a.source_amount from live a join deposit_item d on a.source_type = 'DEPOSIT' and d.id = a.source_id join account k on k.code = '212101'
  union all
  select k.id, t.operating_unit_id, t.territory_id, t.amount from cn_temporary t join account k on k.code = '112204'
  where t.status in (1, 2, 3, 7) and t.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'cn_temporary' and u.doc_id = t.id)
  union all
  select k.id, n.operating_unit_id, n.territory_id, -n.total from credit_note n join account k on k.code = '112204'
  where n.cn_temporary_id is not null and n.status in (1, 2, 3) and n.posting_date <= :date_to::date
  union all
  select k.id, i.operating_unit_id, i.territory_id, -i.total from invoice i join account k on k.code = '112204' where i.cn_temporary_id is not null and i.posting_date <= :date_to::date
  union all
  select k.id, m.operating_unit_id, coalesce(g.territory_id, b.territory_id, s.territory_id, p.territory_id, u.territory_id, r.territory_id), m.cost_amount from stock_movement m left join goods_issue g on m.doc_type = 'goods_issue' and g.id = m.doc_id
  left join consignment_sales s on m.doc_type = 'consignment_sales' and s.id = m.doc_id left join consignment_pickup p on m.doc_type = 'consignment_pickup' and p.id = m.doc_id
  left join cmi_consumption u on m.doc_type = 'cmi_consumption' and u.id = m.doc_id
  left join goods_issue_return b on m.doc_type = 'goods_issue_return' and b.id = m.doc_id left join sales_return r on m.doc_type = 'sales_return' and r.id = m.doc_id
  join account k on k.code = case m.stock_class
    when 'UNRESTRICTED' then '113101' when 'CONSIGNMENT' then '113102' when 'CANVAS' then '113103' when 'TRANSIT' then '113104' when 'RETURN' then '113105' end
  where m.posting_date <= :date_to::date
  union all
  select k.id, m.operating_unit_id, coalesce(g.territory_id, b.territory_id, r.territory_id), -m.cost_amount from stock_movement m left join goods_issue g on m.doc_type = 'goods_issue' and g.id = m.doc_id
  left join goods_issue_return b on m.doc_type = 'goods_issue_return' and b.id = m.doc_id left join sales_return r on m.doc_type = 'sales_return' and r.id = m.doc_id
  join account k on k.code = '113106'
  where m.movement_type in ('601', '602', '651', '652') and m.posting_date <= :date_to::date
  union all
  select k.id, r.operating_unit_id, r.territory_id, l.cost_credited from sales_return r join sales_return_line l on l.sales_return_id = r.id join account k on k.code = '113106'
  where r.credited_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'sales_return' and u.doc_id = r.id)
  union all
  select k.id, i.operating_unit_id, i.territory_id, -l.cogs from invoice i join invoice_line l on l.invoice_id = i.id join account k on k.code = '113106'
  where l.gi_line_id is not null and i.status in (1, 2, 3, 7) and i.invoice_type <> 'CANVAS' and i.posting_date <= :date_to::date
  union all
  -- Receipts of the field, giros not cleared, and what no statement shows yet.
  select k.id, r.operating_unit_id, r.territory_id, r.amount from receipt r
  join account k on k.code = case r.method when 'TRANSFER' then '111302' when 'VA' then '111302' when 'GIRO' then '111303' when 'CHEQUE' then '111303' when 'CIT' then '111103' when 'COD' then '111103' end
  union all
  select k.id, r.operating_unit_id, r.territory_id, case k.code when '111302' then r.amount else -r.amount end from receipt r join by_hand h on h.receipt_id = r.id and h.day <= :date_to::date
  join account k on k.code in ('111302', '111303')
  union all
  select k.id, r.operating_unit_id, r.territory_id, -r.amount from shown l join receipt r on r.id = l.ar_payment_id left join by_hand h on h.receipt_id = r.id
  join account k on k.code = case when r.method in ('GIRO', 'CHEQUE') and h.receipt_id is null then '111303' else '111302' end
  where l.match_type = 'PAYMENT'
  union all
  select k.id, r.operating_unit_id, r.territory_id, -(p.amount + p.short) from bank_statement s join bank_statement_part p on p.bank_statement_id = s.id
  join bank_statement_line l on l.bank_statement_id = s.id and l.line_no = p.statement_line join receipt r on r.id = p.ar_payment_id join account k on k.code = '111302'
  where s.status = 3 and l.value_date <= :date_to::date
  union all
  select k.id, d.operating_unit_id, d.territory_id, d.amount from deposit_item d join account k on k.code = '111302' where d.is_on_the_way
  union all
  select k.id, d.operating_unit_id, d.territory_id, -d.amount from shown l join deposit_item d on d.id = l.customer_deposit_id join account k on k.code = '111302' where l.match_type = 'DEPOSIT'
  union all
  -- Money nobody is known to have sent, less what has been found out.
  select k.id, l.operating_unit_id, null, -l.credit from shown l join account k on k.code = '212102' where l.match_type = 'UNIDENTIFIED'
  union all
  select k.id, r.operating_unit_id, r.territory_id, r.amount from receipt r join account k on k.code = '212102' where r.method = 'UNIDENTIFIED'
  union all
  select k.id, c.operating_unit_id, case when k.code <> '111301' then c.territory_id end, case k.code when '111301' then c.amount else -c.amount end from carried c
  join account k on k.code = '111301' or k.code = case when c.method in ('GIRO', 'CHEQUE') then '111303' when c.method in ('CIT', 'COD') and not c.is_handed_over then '111103' end
  union all
  -- Cash of the field that the cashier has: counted of a driver's trip, brought with a collection list, less what he gave out again.
  select k.id, r.operating_unit_id, r.territory_id, -r.expected from cod_reconciliation r join account k on k.code = '111103'
  where r.status in (1, 3, 7) and r.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'cod_reconciliation' and u.doc_id = r.id)
  union all
  select k.id, c.operating_unit_id, null, -c.handed_over from collection_list c join journal j on j.source_doc_type = 'collection_list' and j.source_doc_id = c.id and j.source_event = 'COD_HANDOVER'
  join account k on k.code = '111103' where j.posting_date <= :date_to::date
  union all
  select k.id, p.operating_unit_id, null, p.amount from ar_payment p join journal j on j.source_doc_type = 'ar_payment' and j.source_doc_id = p.id and j.source_event = 'COD_RETURN'
  join account k on k.code = '111103' where j.posting_date <= :date_to::date
  union all
  -- What vendors paid back, until a statement shows it.
  select k.id, v.operating_unit_id, null, v.amount from supplier_receipt v join account k on k.code = '111302'
  where v.status in (1, 2, 3, 7) and v.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'supplier_receipt' and u.doc_id = v.id)
  union all
  select k.id, v.operating_unit_id, null, -l.credit from shown l join supplier_receipt v on v.id = l.supplier_receipt_id join account k on k.code = '111302' where l.match_type = 'SUPPLIER_RECEIPT'
  union all
  select k.id, l.operating_unit_id, null, -l.credit from shown l join account k on k.code = '111301' where l.match_type = 'CASH_DEPOSIT'
  union all
  select k.id, c.operating_unit_id, null, case k.code when '214101' then -c.amount else c.amount end from cash_document c join account k on (c.is_in and k.code = c.into_account) or (c.is_out and k.code = '214101')
  union all
  select k.id, r.operating_unit_id, r.territory_id, -r.refund from customer_deposit_settlement r join account k on k.code = '214101'
  where r.status in (1, 3, 7) and r.kind = 'REFUND' and r.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'customer_deposit_settlement' and u.doc_id = r.id)
  union all
  select k.id, l.operating_unit_id, null, l.debit - l.credit from shown l join cash_document c on c.id = l.cash_bank_document_id
  join account k on k.code = case when l.debit > 0 then '214101' else c.into_account end where l.match_type = 'CB_DOC'
  union all
  select k.id, p.operating_unit_id, p.territory_id, -round(p.paid_out * p.rate, 2) from ap_payment p join account k on k.code = '214101'
  -- Deposits paid back are booked by their settlement.
  where p.status in (1, 3, 7) and p.kind <> 'DEPOSIT_REFUND' and p.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'ap_payment' and u.doc_id = p.id)
  union all
  select k.id, p.operating_unit_id, p.territory_id, round((l.debit - l.credit) * p.rate, 2) from shown l join ap_payment p on p.id = l.ap_payment_id join account k on k.code = '214101' where l.match_type = 'AP_PAYMENT'
  union all
  -- Freight accrued, less what transporters have billed of it.
  select k.id, c.operating_unit_id, null, -c.estimate from shipment_cost c join account k on k.code = '211104'
  where c.status in (1, 3, 7) and c.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'shipment_cost' and u.doc_id = c.id)
  union all
  select k.id, v.operating_unit_id, null, l.accrued from vendor_invoice v join vendor_invoice_line l on l.vendor_invoice_id = v.id join account k on k.code = '211104'
  where v.kind = 'SHIPMENT' and v.status in (1, 2, 3, 7) and v.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'vendor_invoice' and u.doc_id = v.id)
  union all
  select k.id, m.operating_unit_id, m.territory_id, case m.kind when 'CHARGE' then -m.deposit else m.deposit end from container_move m join account k on k.code = '212105'
  where m.status in (1, 7) and m.posting_date <= :date_to::date and not exists (select 1 from undone u where u.doc_type = 'container_move' and u.doc_id = m.id)
  union all
  select k.id, r.operating_unit_id, null, l.gain - l.loss from fx_revaluation r join fx_revaluation_line l on l.fx_revaluation_id = r.id join account k on k.code = case l.kind when 'AR' then '112108' else '211108' end
  where r.doc_date <= :date_to::date and (r.status = 1 or (r.status = 3 and r.reverses_on > :date_to::date))
  union all
  -- A bank in the currency of the books: what its first statement opened with, and every line of approved statements since.
  select b.gl_account_id, b.operating_unit_id, null, coalesce((select s.opening_balance from bank_statement s where s.house_bank_id = b.id and s.status = 3 order by s.doc_date, s.id limit 1), 0)
    + coalesce((select sum(l.credit - l.debit) from bank_statement s join bank_statement_line l on l.bank_statement_id = s.id where s.house_bank_id = b.id and s.status = 3 and l.value_date <= :date_to::date), 0)
  from house_bank b join operating_unit o on o.id = b.operating_unit_id join company f on f.id = o.company_id where b.currency = f.base_currency
)
select
  k.id as account_id, k.code as account_code, k.name as account_name, k.type as account_type, k.control_kind, b.operating_unit_id, ou.code as operating_unit_code, co.base_currency as currency,
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
join company co on co.id = ou.company_id
left join (
  select account_id, operating_unit_id, sum(amount) as amount from document where :scope group by account_id, operating_unit_id
) d on d.account_id = k.id and d.operating_unit_id = b.operating_unit_id

-- Debit notes to vendors: what became of them, set off against invoices or received in money, and how long the rest is open.
select
  n.id as debit_note_id, n.code as dn_code, n.kind, n.status, b.code as vendor_code, b.name as vendor_name, o.code as order_code, g.code as receipt_code, c.name as cause_name, n.reference_no,
  n.doc_date, n.posting_date, n.due_date, case when n.remaining > 0 then :today::date - n.doc_date end as age, n.currency, n.operating_unit_id, ou.code as operating_unit_code,
  n.dpp, n.ppn, n.adjusted, n.total, x.applied, x.received_money, n.remaining
from debit_note n
join business_partner b on b.id = n.vendor_id
left join purchase_order o on o.id = n.purchase_order_id
left join goods_receipt g on g.id = n.goods_receipt_id
left join reason c on c.id = n.cause_id
left join operating_unit ou on ou.id = n.operating_unit_id
cross join lateral (
  select coalesce(sum(a.amount) filter (where a.item_type = 'vendor_invoice'), 0) as applied, coalesce(sum(a.amount) filter (where a.source_type = 'SUPPLIER_RECEIPT'), 0) as received_money
  from ar_allocation a where a.reversed_at is null and ((a.source_type = 'DEBIT_NOTE' and a.source_id = n.id) or (a.item_type = 'debit_note' and a.item_id = n.id))
) x
where n.status in (1, 2, 3) and n.posting_date between :date_from::date and :date_to::date and :scope

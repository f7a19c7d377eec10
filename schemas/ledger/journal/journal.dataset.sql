select
  l.id as line_id, j.id as journal_id, j.code as journal_code, j.journal_type, j.posting_date, j.period, j.operating_unit_id, ou.code as operating_unit_code, j.currency,
  l.territory_id, l.line_no, a.code as account_code, a.name as account_name, regexp_replace(j.source_event, '_REV$', '') as source_event, j.source_event like '%\_REV' as is_reversal, j.source_doc_type, j.source_doc_id, j.source_doc_code,
  l.partner_kind, coalesce(c.code, v.code, e.work_number) as partner_code, coalesce(c.name, v.name, e.name) as partner_name, i.code as item_code,
  coalesce(l.memo, j.description) as description, u.name as created_by_name, j.status as journal_status,
  case when j.source_doc_type = 'invoice' then j.source_doc_id end as invoice_id, case when j.source_doc_type = 'sales_order' then j.source_doc_id end as sales_order_id,
  case when j.source_doc_type = 'ar_payment' then j.source_doc_id end as ar_payment_id, case when j.source_doc_type = 'goods_issue' then j.source_doc_id end as goods_issue_id,
  l.debit, l.credit, l.debit - l.credit as balance
from journal j
join journal_line l on l.journal_id = j.id
join account a on a.id = l.account_id
join operating_unit ou on ou.id = j.operating_unit_id
left join customer c on l.partner_kind = 'CUSTOMER' and c.id = l.partner_id
left join business_partner v on l.partner_kind = 'VENDOR' and v.id = l.partner_id
left join employee e on l.partner_kind = 'EMPLOYEE' and e.id = l.partner_id
left join item i on i.id = l.item_id
left join app_user u on u.id = j.created_by
where j.posting_date between :date_from::date and :date_to::date
  and (:account_from::text is null or a.code >= :account_from::text)
  and (:account_to::text is null or a.code <= :account_to::text)
  and :scope

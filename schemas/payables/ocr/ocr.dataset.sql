-- How well scans are read: what was found, how sure, and what people had to put right before they accepted it.
select
  o.id as vendor_invoice_ocr_id, a.name as file_name, p.code as vendor_code, p.name as vendor_name, t.code as template_code, o.doc_date as uploaded_on, o.status,
  o.operating_unit_id, ou.code as operating_unit_code, coalesce(o.fields_read, 0) as fields_read, coalesce(o.corrected, 0) as corrected, coalesce(o.fields_read, 0) - coalesce(o.corrected, 0) as kept,
  (o.confidence is not null)::integer as read_scans, coalesce(o.confidence, 0) / 100 as sureness, case when o.accepted_at is not null then (extract(epoch from o.accepted_at - o.created_at) / 60)::integer end as minutes_to_accept
from vendor_invoice_ocr o
join attachment a on a.id = o.scan_id
left join business_partner p on p.id = o.vendor_id
left join ocr_template t on t.id = o.template_id
left join operating_unit ou on ou.id = o.operating_unit_id
where o.doc_date between :date_from::date and :date_to::date and :scope

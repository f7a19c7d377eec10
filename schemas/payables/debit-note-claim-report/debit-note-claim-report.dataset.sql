-- Promotion claims of customers and what of them principals bear: claimed by debit notes, settled, still to be claimed. What is settled of a debit note
-- counts for its lines by their part of it.
select
  n.id as credit_note_id, n.code as cn_code, n.doc_date as cn_date, x.principal_code, x.principal_name, p.name as promotion_name, n.customer_id, c.code as customer_code, c.name as customer_name,
  x.dn_codes, x.dn_date, :today::date - n.doc_date as age, n.currency, n.operating_unit_id, ou.code as operating_unit_code, n.territory_id,
  n.total as claim_amount, n.principal_share, coalesce(x.total, 0) as dn_total, coalesce(x.settled, 0) as settled, coalesce(x.total - x.settled, 0) as outstanding, n.principal_share - coalesce(x.total, 0) as unclaimed
from credit_note n
join customer c on c.id = n.customer_id
left join credit_note_promo_type p on p.id = n.promo_type_id
left join operating_unit ou on ou.id = n.operating_unit_id
left join lateral (
  select string_agg(distinct d.code, ', ') as dn_codes, max(d.doc_date) as dn_date, min(b.code) as principal_code, min(b.name) as principal_name, sum(l.amount) as total,
    sum(round(l.amount * (d.total - d.remaining) / nullif(d.total, 0), 2)) as settled
  from debit_note_line l join debit_note d on d.id = l.debit_note_id join business_partner b on b.id = d.vendor_id where l.credit_note_id = n.id and d.status in (1, 2, 3)
) x on true
where n.status in (1, 2, 3) and n.principal_share > 0 and n.doc_date between :date_from::date and :date_to::date and :scope

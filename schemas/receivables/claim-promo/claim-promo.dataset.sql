-- What customers claim: what was asked, what was granted of it and what not, and how long it took to decide. Those not decided by the as-of day still wait.
select
  n.id as credit_note_id, n.code as credit_note_code, n.claim_no, n.claim_date, n.doc_date, n.status, case when :in_books then co.base_currency else n.currency end as currency, n.rate, n.customer_id, c.code as customer_code, c.name as customer_name,
  n.operating_unit_id, ou.code as operating_unit_code, n.territory_id, t.code as territory_code, n.promo_type_id, p.name as claim_type_name, n.treatment, n.funding,
  n.cn_temporary_id, x.code as cn_temporary_code, decided.day as decided_on, coalesce(decided.day, :as_of::date) - coalesce(n.claim_date, n.doc_date) as days_to_decide, n.description,
  asked.amount as claimed,
  case when n.status in (1, 2, 3) then n.dpp else 0 end as approved,
  case when n.status in (1, 2, 3) then asked.amount - n.dpp when n.status in (5, 7) then asked.amount else 0 end as refused,
  case when n.status in (0, 4) then asked.amount else 0 end as waiting,
  case when n.status in (1, 2, 3) then n.ppn else 0 end as ppn,
  case when n.status in (1, 2, 3) then n.pph else 0 end as pph,
  case when n.status in (1, 2, 3) then n.total else 0 end as total,
  case when n.status in (1, 2, 3) then n.principal_share else 0 end as principal_share,
  case when n.status in (1, 2, 3) then n.remaining else 0 end as remaining,
  coalesce(decided.day - coalesce(n.claim_date, n.doc_date), 0) as decide_days, case when decided.day is null then 0 else 1 end as decide_count
from credit_note n
join customer c on c.id = n.customer_id
join operating_unit ou on ou.id = n.operating_unit_id
join company co on co.id = ou.company_id
left join territory t on t.id = n.territory_id
left join credit_note_promo_type p on p.id = n.promo_type_id
left join cn_temporary x on x.id = n.cn_temporary_id
cross join lateral (select greatest(n.claimed, n.dpp) as amount) as asked
left join lateral (
  select (max(r.decided_at) at time zone 'Asia/Jakarta')::date as day from approval_request r where r.doc_type = 'credit_note' and r.doc_id = n.id and r.transition = 'approve' and r.status in (3, 5)
) as decided on n.status not in (0, 4)
where n.kind = 'CLAIM' and coalesce(n.claim_date, n.doc_date) between :date_from::date and :date_to::date and :scope

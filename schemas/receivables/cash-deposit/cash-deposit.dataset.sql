-- Slips carried to the bank: how many payments, how long they were on their way.
select
  d.id as cash_deposit_id, d.code as deposit_code, d.doc_date, d.status, d.currency, d.operating_unit_id, ou.code as operating_unit_code, u.name as cashier_name,
  hb.code as bank_code, hb.name as bank_name, d.slip_no, bl.value_date as matched_date,
  case when d.status in (1, 3) then coalesce(bl.value_date, :as_of::date) - d.doc_date end as days_in_transit,
  d.total as amount, d.returned, case when d.status = 1 then d.expected else 0 end as on_the_way, l.payments
from cash_deposit d
join house_bank hb on hb.id = d.house_bank_id
left join operating_unit ou on ou.id = d.operating_unit_id
left join app_user u on u.id = d.created_by
left join bank_statement_line bl on bl.id = d.bank_statement_line_id
left join lateral (select count(*)::integer as payments from cash_deposit_line x where x.cash_deposit_id = d.id) l on true
where d.doc_date between :date_from::date and :date_to::date and :scope

-- Credits of statements being entered, each with the receipts it may be: amount within the tolerance, the reference in the bank's words or the days close.
create view bank_match as
with pair as (
  select l.id as line_id, p.id as payment_id, l.ar_payment_id is not null as is_taken,
    case when l.credit <> p.amount then 40
      when length(coalesce(p.giro_no, p.reference_no, '')) >= 4 and position(lower(coalesce(p.giro_no, p.reference_no)) in lower(coalesce(l.description, '') || ' ' || coalesce(l.reference, ''))) > 0 then 90
      when p.account_number is not null and length(p.account_number) >= 4 and position(p.account_number in coalesce(l.description, '') || ' ' || coalesce(l.reference, '')) > 0 then 80
      when abs(l.value_date - p.payment_date) <= 3 then 60 else 20 end as points
  from bank_statement s join bank_statement_line l on l.bank_statement_id = s.id
  join ar_payment p on p.operating_unit_id = s.operating_unit_id and p.currency = s.currency
  left join lateral (
    select t.amount from tolerance t where t.usage = 'BANK_MATCH' and t.is_active and coalesce(t.operating_unit_id, s.operating_unit_id) = s.operating_unit_id order by t.operating_unit_id is null limit 1) t on true
  where s.status = 0 and l.credit > 0 and l.debit = 0
    and ((l.ar_payment_id = p.id and l.match_type = 'PAYMENT')
      or (l.match_type = 'NONE' and l.ar_payment_id is null and p.pending_transition is null and p.bank_statement_line_id is null
        and abs(l.credit - p.amount) <= case when p.method in ('GIRO', 'CHEQUE') and p.status = 1 then 0 else coalesce(t.amount, 0) end
        and ((p.method in ('TRANSFER', 'VA') and p.status = 1 and p.house_bank_id = s.house_bank_id)
          or (p.method in ('GIRO', 'CHEQUE') and (p.status = 1 or (p.status = 3 and p.house_bank_id = s.house_bank_id))))
        and not exists (select 1 from bank_statement_line o join bank_statement x on x.id = o.bank_statement_id where o.ar_payment_id = p.id and x.status in (0, 4))))
)
select pair.line_id * 16777216 + pair.payment_id as id, coalesce(s.code, s.statement_no) || ' / ' || l.line_no as code, s.id as bank_statement_id, s.operating_unit_id, p.territory_id, s.house_bank_id, s.currency,
  l.value_date, l.description, l.reference, l.credit, p.id as ar_payment_id, p.customer_id, p.method, p.payment_date, p.amount, (l.credit - p.amount)::numeric(18, 2) as diff, pair.points, pair.is_taken,
  not pair.is_taken and pair.points >= 60 and 1 = count(*) filter (where pair.points >= 60) over (partition by pair.line_id, pair.points) and pair.points = max(pair.points) over (partition by pair.line_id)
    and pair.points = max(pair.points) over (partition by pair.payment_id) and 1 = count(*) filter (where pair.points >= 60) over (partition by pair.payment_id, pair.points) as is_only
from pair join bank_statement_line l on l.id = pair.line_id join bank_statement s on s.id = l.bank_statement_id join ar_payment p on p.id = pair.payment_id;

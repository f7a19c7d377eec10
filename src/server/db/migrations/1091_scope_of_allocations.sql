-- Whose an allocation is: the invoice's it settles, or the deposit's or credit note's it uses where it settles none.
create view ar_allocation_scope as
select a.id, coalesce(i.operating_unit_id, d.operating_unit_id, n.operating_unit_id) as operating_unit_id, coalesce(i.territory_id, d.territory_id, n.territory_id) as territory_id
from ar_allocation a
left join invoice i on i.id = a.invoice_id
left join customer_deposit d on a.invoice_id is null and a.source_type = 'DEPOSIT' and d.id = a.source_id
left join credit_note n on a.invoice_id is null and a.source_type = 'CREDIT_NOTE' and n.id = a.source_id;

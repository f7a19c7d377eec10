-- What a bank statement books of a customer's receipt bears his territory, as the receipt itself does: without one it is seen in all of them.
-- No amount and no account of a posted line changes.
alter table journal_line disable trigger journal_line_immutable;
update journal_line l set territory_id = coalesce(p.territory_id, d.territory_id)
from journal j
join bank_statement_line b on b.id = j.source_doc_id
left join ar_payment p on p.id = b.ar_payment_id
left join customer_deposit d on d.id = b.customer_deposit_id
where j.id = l.journal_id and j.source_doc_type = 'bank_statement_line' and l.partner_kind = 'CUSTOMER' and l.territory_id is null;
alter table journal_line enable trigger journal_line_immutable;

-- What is owed vendors in other currencies than the books, and what it is worth there.

ALTER TABLE "vendor_invoice" ADD COLUMN "base_total" numeric(18,2) NOT NULL DEFAULT 0, ADD COLUMN "base_settled" numeric(18,2) NOT NULL DEFAULT 0, ADD COLUMN "base_remaining" numeric(18,2) NOT NULL DEFAULT 0;

update vendor_invoice set base_total = total, base_settled = total - remaining, base_remaining = remaining;

create trigger vendor_invoice_base before insert or update of total, remaining, rate, base_settled on vendor_invoice for each row execute function base_of_total();

-- Proposals pay in the currency of the books.
create or replace view payable_due as
select i.id, i.code, i.operating_unit_id, i.vendor_id, i.vendor_invoice_no, i.doc_date, i.due_date, i.discount_until, i.total, (i.remaining - coalesce(h.amount, 0))::numeric(18,2) as remaining, i.currency
from vendor_invoice i
join business_partner v on v.id = i.vendor_id
join operating_unit o on o.id = i.operating_unit_id
join company c on c.id = o.company_id
left join (select item_id, sum(amount) as amount from held_item where item_type = 'vendor_invoice' group by item_id) h on h.item_id = i.id
left join (select distinct vendor_invoice_id from proposal_under_way) u on u.vendor_invoice_id = i.id
where i.status in (1, 2) and i.currency = c.base_currency and i.remaining > coalesce(h.amount, 0) and i.pending_transition is null and not v.block_payment and u.vendor_invoice_id is null;

-- What is withheld is declared in the currency of the books.
create or replace view withholding_slip as
select min(l.id) as id, i.id as vendor_invoice_id, i.vendor_id, i.operating_unit_id, to_char(i.posting_date, 'YYYYMM')::char(6) as period, i.vendor_invoice_no, i.doc_date, i.posting_date, v.npwp, v.nitku, e.tax_object_code, t.rate,
  round(sum(l.amount) * i.rate, 2)::numeric(18, 2) as dpp, round(sum(l.pph) * i.rate, 2)::numeric(18, 2) as pph, case when i.rate = 1 then i.currency else c.base_currency end as currency
from vendor_invoice i join vendor_invoice_line l on l.vendor_invoice_id = i.id join tax_code t on t.id = l.pph_code_id and t.kind = 'PPH23' join business_partner v on v.id = i.vendor_id
join operating_unit o on o.id = i.operating_unit_id join company c on c.id = o.company_id
left join expense_type e on e.id = l.expense_type_id
where i.status in (1, 2, 3) and l.pph > 0
group by i.id, v.id, e.id, t.id, c.id;

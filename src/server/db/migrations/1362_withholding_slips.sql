-- Slips of the income tax withheld from vendors, month by month, as the tax office takes them.

ALTER TABLE "expense_type" ADD COLUMN "tax_object_code" text;

create view withholding_slip as
select min(l.id) as id, i.id as vendor_invoice_id, i.vendor_id, i.operating_unit_id, to_char(i.posting_date, 'YYYYMM')::char(6) as period, i.vendor_invoice_no, i.doc_date, i.posting_date, v.npwp, v.nitku, e.tax_object_code, t.rate,
  sum(l.amount)::numeric(18, 2) as dpp, sum(l.pph)::numeric(18, 2) as pph, i.currency
from vendor_invoice i join vendor_invoice_line l on l.vendor_invoice_id = i.id join tax_code t on t.id = l.pph_code_id and t.kind = 'PPH23' join business_partner v on v.id = i.vendor_id
left join expense_type e on e.id = l.expense_type_id
where i.status in (1, 2, 3) and l.pph > 0
group by i.id, v.id, e.id, t.id;

create view withholding_month as
select s.operating_unit_id * 1000000 + s.period::bigint as id, s.operating_unit_id, s.period, count(*)::int as withheld_count, sum(dpp)::numeric(18, 2) as dpp, sum(pph)::numeric(18, 2) as pph,
  count(*) filter (where s.npwp is null or s.tax_object_code is null or c.npwp is null)::int as incomplete, min(s.currency) as currency
from withholding_slip s join operating_unit o on o.id = s.operating_unit_id join company c on c.id = o.company_id group by s.operating_unit_id, s.period;

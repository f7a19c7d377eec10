-- Tax a buyer said he withheld, and has not proved in time, is owed again.

ALTER TABLE "ar_payment_deduction" ADD COLUMN "undone_on" date;

create or replace view tax_proof as
select l.id * 4 + x.bit as id, c.code, c.operating_unit_id, c.territory_id, c.id as ar_clearing_gov_id, null::bigint as ar_payment_id, c.customer_id, l.invoice_id, c.doc_date, x.kind, x.amount, c.currency,
  x.document_no, x.document_date, x.ntpn, (x.document_no is null or x.document_date is null or (x.kind = 'PPN_WAPU' and x.ntpn is null)) as pending_doc, l.id as line_id
from ar_clearing_gov_line l join ar_clearing_gov c on c.id = l.ar_clearing_gov_id
cross join lateral (values
  (0, 'PPN_WAPU', l.ppn_withheld, l.ppn_doc_no, l.ppn_doc_date, l.ntpn), (1, 'PPH22', l.pph22_withheld, l.pph_doc_no, l.pph_doc_date, null), (2, 'PPH23', l.pph23_withheld, l.pph_doc_no, l.pph_doc_date, null)
) x(bit, kind, amount, document_no, document_date, ntpn)
where c.status = 1 and x.amount > 0
union all
select d.id * 4 + 3, p.code, p.operating_unit_id, p.territory_id, null, p.id, p.customer_id, l.invoice_id, p.payment_date, d.kind, d.amount, p.currency, d.document_no, d.document_date, null, d.pending_doc, d.id
from ar_payment_deduction d join ar_payment_line l on l.id = d.ar_payment_line_id join ar_payment p on p.id = l.ar_payment_id
where p.status in (1, 2, 3) and d.kind in ('PPN_WAPU', 'PPH22', 'PPH23') and d.undone_on is null;

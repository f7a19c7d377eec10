-- An invoice line keeps the rate of VAT it was billed with: a file for the tax office says that of the line.
alter table invoice_line add column ppn_rate numeric(7,4) not null default 0;
update invoice_line l set ppn_rate = coalesce(
    (select t.rate from tax_code t where t.kind = 'PPN_OUT' and round(l.dpp_other * t.rate / 100, 2) = l.ppn order by t.id = (select i.tax_code_id from item i where i.id = l.item_id) desc nulls last, t.is_default desc, t.id limit 1),
    least(round(l.ppn * 100 / l.dpp_other, 2), 999))
  where l.dpp_other <> 0;

-- The paper of a buyer who has neither NPWP nor NIK: of passports and others the number stood among those.
alter table customer add column tax_id_number text;
update customer set tax_id_number = coalesce(nullif(nik, ''), nullif(npwp, '')) where tax_id_type in ('PASSPORT', 'OTHER');

-- Goods taxed on their full price go under 01, not under the company's usual code, where neither the buyer has a code of his own nor collects.
with mended as (
  update invoice i set trx_code = '01'
    from customer c
    where c.id = i.customer_id and c.trx_code is null and i.trx_code = '04' and i.ppn_collector = 'SELLER' and i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL'
      and exists (select 1 from invoice_line l where l.invoice_id = i.id and l.ppn > 0)
      and not exists (select 1 from invoice_line l where l.invoice_id = i.id and l.dpp_other <> l.dpp)
      and not exists (select 1 from tax_invoice t where t.invoice_id = i.id and t.status not in ('DRAFT', 'CANCELLED'))
    returning i.id)
update tax_invoice t set trx_code = '01', version = version + 1 from mended m where t.invoice_id = m.id and t.status = 'DRAFT';

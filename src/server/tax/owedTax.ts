import type { Queries, Row } from '#server/context.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'

/** What owes a tax invoice of its own; a tax invoice names it by the reference `<entity>_id`. */
export const taxed = ['invoice', 'container_move', 'customer_deposit'] as const
export type Taxed = (typeof taxed)[number]

export function referenceTo(of: Taxed): Sql {
  return ident(`${of}_id`)
}

/** What the buyer of invoice `i` has used for it of advances that have tax invoices of their own. */
const advances = sql`
  select coalesce(sum(a.amount) - sum(round(a.amount * d.vat / d.amount)), 0) as dpp, coalesce(sum(round(a.amount * d.vat / d.amount)), 0) as ppn
  from ar_allocation a join customer_deposit d on d.id = a.source_id and d.vat > 0 where a.invoice_id = i.id and a.source_type = 'DEPOSIT' and a.reversed_at is null`

/** What of the advance `i` has been paid back or handed to somebody else. */
const givenBack = sql`
  select coalesce(sum(a.amount) - sum(round(a.amount * i.vat / i.amount)), 0) as dpp, coalesce(sum(round(a.amount * i.vat / i.amount)), 0) as ppn
  from ar_allocation a where a.source_type = 'DEPOSIT' and a.source_id = i.id and a.invoice_id is null and a.reversed_at is null`

/**
 * What each of them owes. Invoices posted with VAT, less the advances used for them; containers lost, whose deposit or value bears VAT from then on; advances with VAT, less what
 * went back. `is_owed`: whether it does where its company is PKP.
 */
const owedBy: { readonly [of in Taxed]: Sql } = {
  invoice: sql`(
    select i.id, i.code, i.operating_unit_id, i.territory_id, i.customer_id, i.bill_to_id, coalesce(i.posting_date, i.doc_date) as day, i.period, i.trx_code,
      round(i.dpp * i.rate, 2) - x.dpp as dpp, case when i.dpp = 0 then 0 else round(round(i.dpp_other * i.rate, 2) * (round(i.dpp * i.rate, 2) - x.dpp) / round(i.dpp * i.rate, 2), 2) end as dpp_other,
      round(i.ppn * i.rate, 2) - x.ppn as ppn, x.dpp as advance_dpp, x.ppn as advance_ppn,
      i.status in (1, 2, 3) and i.invoice_type in ('SALES', 'CONSIGNMENT', 'CMI', 'CANVAS') and i.dpp_other > 0 and round(i.dpp * i.rate, 2) > x.dpp as is_owed
    from invoice i cross join lateral (${advances}) x)`,
  container_move: sql`(
    select i.id, i.code, i.operating_unit_id, i.territory_id, i.customer_id, null::bigint as bill_to_id, i.posting_date as day, i.period, null::text as trx_code,
      i.dpp, i.dpp_other, i.ppn, 0::numeric as advance_dpp, 0::numeric as advance_ppn, i.status = 1 and i.kind = 'LOST' and i.dpp_other > 0 as is_owed
    from container_move i)`,
  customer_deposit: sql`(
    select i.id, i.code, i.operating_unit_id, i.territory_id, i.customer_id, null::bigint as bill_to_id, i.posting_date as day, i.period, null::text as trx_code,
      i.dpp - x.dpp as dpp, round(i.dpp_other * (i.dpp - x.dpp) / i.dpp, 2) as dpp_other, i.vat - x.ppn as ppn, x.dpp as advance_dpp, x.ppn as advance_ppn, i.status in (1, 2, 3) and i.dpp > x.dpp as is_owed
    from customer_deposit i cross join lateral (${givenBack}) x where i.vat > 0)`,
}

/** What owes a tax invoice and has none that counts. */
export const owing = sql`(${join(taxed.map((of) => sql`
  select ${join(taxed.map((one) => sql`${one === of ? sql`s.id` : sql`null::bigint`} as ${referenceTo(one)}`))}, s.* from ${owedBy[of]} s
  where s.is_owed and not exists (select 1 from tax_invoice f where f.${referenceTo(of)} = s.id and f.status not in ('REPLACED', 'CANCELLED'))`), ' union all ')})`

/** The buyer of `i` as the tax office is told of him. */
const buyer = sql`
  select k.document, case k.document when 'TIN' then c.npwp when 'NIK' then c.nik else c.tax_id_number end as number,
    coalesce(nullif(c.tax_name, ''), nullif(c.legal_name, ''), c.name) as name, coalesce(nullif(c.tax_address, ''), (select a.address from customer_address a where a.id = i.bill_to_id)) as address,
    coalesce(c.tax_email, c.email) as email, c.nitku
  from customer c cross join lateral (select coalesce(c.tax_id_type, case when c.npwp ~ '^[0-9]{16}$' then 'TIN' when c.nik ~ '^[0-9]{16}$' then 'NIK' else 'OTHER' end) as document) k
  where c.id = i.customer_id`

const references = taxed.map((of) => sql`i.${referenceTo(of)}`)

/** Drafts of the tax invoices that are owed for a month, `scope` over `i`; answers their ids. */
export function newDrafts(period: string, scope: Sql, userId: number | null, at: string): Sql {
  const same = join(taxed.map((of) => sql`p.${referenceTo(of)} = i.${referenceTo(of)}`), ' or ')
  return sql`
    with made as (
      insert into tax_invoice (code, status, direction, operating_unit_id, territory_id, ${join(taxed.map(referenceTo))}, customer_id, doc_date, period, trx_code, dpp, dpp_other, ppn, advance_dpp, advance_ppn,
        buyer_document, buyer_number, buyer_name, buyer_address, buyer_email, buyer_nitku, created_by, created_at)
      select i.code || case when n.before = 0 then '' else '-N' || n.before end, 'DRAFT', 'OUT', i.operating_unit_id, i.territory_id, ${join(references)}, i.customer_id, i.day, ${period},
        coalesce(i.trx_code, c.trx_code, m.default_trx_code), i.dpp, i.dpp_other, i.ppn, i.advance_dpp, i.advance_ppn,
        b.document, b.number, b.name, b.address, b.email, b.nitku, ${userId}::bigint, ${at}::timestamptz
      from ${owing} i join customer c on c.id = i.customer_id join operating_unit o on o.id = i.operating_unit_id join company m on m.id = o.company_id
      cross join lateral (${buyer}) b
      cross join lateral (select count(*) as before from tax_invoice p where (${same}) and p.replaces_id is null) n
      where i.period = ${period} and m.is_pkp and ${scope} order by ${join(references)} returning id, customer_deposit_id
    ), linked as (update customer_deposit d set tax_invoice_id = made.id from made where made.customer_deposit_id = d.id)
    select id from made order by id`
}

/** An advance leads to its tax invoice that counts. */
export async function linkDeposit(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`update customer_deposit d set tax_invoice_id = t.id from tax_invoice t where t.id = ${id} and d.id = t.customer_deposit_id`)
}

/**
 * Drafts follow what they are of until they leave the house: a buyer mended at the customer, advances used since, paid back or taken back; where nothing is owed any more
 * they go. Answers those that changed, with what they are now.
 */
export function refreshedDrafts(of: Taxed, scope: Sql): Sql {
  const kept = ['dpp', 'dpp_other', 'ppn', 'advance_dpp', 'advance_ppn', 'buyer_document', 'buyer_number', 'buyer_name', 'buyer_address', 'buyer_email', 'buyer_nitku']
  const now = sql`i.dpp, i.dpp_other, i.ppn, i.advance_dpp, i.advance_ppn, b.document, b.number, b.name, b.address, b.email, b.nitku`
  return sql`
    update tax_invoice t set (${join(kept.map(ident))}) = row(${now}), status = case when i.is_owed then 'DRAFT' else 'CANCELLED' end, version = t.version + 1
    from ${owedBy[of]} i cross join lateral (${buyer}) b
    where i.id = t.${referenceTo(of)} and t.status = 'DRAFT' and ${scope} and (not i.is_owed or (${now}) is distinct from (${join(kept.map((name) => ident(`t.${name}`)))})) returning t.id, t.status`
}

/** What a tax invoice that is replaced covers from now on; {} where it is owed no longer. */
export async function owedNow(tx: Queries, faktur: Row): Promise<Row> {
  const of = taxed.find((one) => faktur[`${one}_id`] != null)
  if (of === undefined) return {}
  return (await tx.first<Row>(sql`select dpp, dpp_other, ppn, advance_dpp, advance_ppn from ${owedBy[of]} i where i.id = ${Number(faktur[`${of}_id`])} and i.is_owed`)) ?? {}
}

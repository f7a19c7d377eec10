import { isDate } from '#base/date.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { isSame } from '#server/documents/audit.ts'
import type { DocumentHooks, Saving } from '#server/documents/hooks.ts'
import { mostCounted, useSentence } from '#server/documents/usedIn.ts'
import { taxOf } from '#server/pricing/pricingMasters.ts'
import { wrong } from '#server/problemError.ts'

/** How much of which part of a price a tax is, and where each is entered. */
const basis = { rate: 'Rate', base_numerator: 'BaseNumerator', base_denominator: 'BaseDenominator' } as const

/** What orders and invoices have been taxed by stays as it is: another rate is another code, given to the goods from its day on. */
export const taxCodeHooks: DocumentHooks = {
  async beforeSave(saving) {
    const { context, before, header, problem } = saving
    await checkDefault(saving)
    if (before === undefined) return
    const changed = (['rate', 'base_numerator', 'base_denominator'] as const).filter((column) => Object.hasOwn(header, column) && !isSame(before[column], header[column], { type: 'rate' }))
    const where = changed.length === 0 ? [] : await taxedBy(context.tx, before)
    if (where.length > 0) for (const column of changed) problem(wrong(basis[column], 'READ_ONLY.used', { where }))
  },
}

/** Goods that name no code bear one tax a day, and it is VAT on sales. */
async function checkDefault({ context, before, header, problem }: Saving): Promise<void> {
  const tax: Row = { ...before, ...header }
  if (tax['is_default'] !== true || !['is_default', 'kind', 'valid_from', 'valid_to'].some((column) => Object.hasOwn(header, column) && !isSame(before?.[column], header[column]))) return
  if (tax['kind'] !== 'PPN_OUT') {
    if (header['is_default'] === true) return problem(wrong('IsDefault', 'NOT_A_CHOICE.default-tax'))
    header['is_default'] = false
    return
  }
  if (!isDate(tax['valid_from'])) return
  const other = await context.tx.first<{ code: string }>(sql`
    select code from tax_code where is_default and id <> ${before?.id ?? 0} and valid_from <= coalesce(${tax['valid_to'] ?? null}::date, 'infinity') and coalesce(valid_to, 'infinity') >= ${tax['valid_from']}::date limit 1`)
  if (other !== undefined) problem(wrong('IsDefault', 'DUPLICATE.default-tax', { code: other.code }))
}

/** Lines of documents, of the days it applies on, whose goods bear the tax. */
async function taxedBy(tx: Queries, tax: Row & { readonly id: number }) {
  const { id } = tax
  const onItsDays = (day: Sql): Sql => sql`${day} between ${tax['valid_from']}::date and coalesce(${tax['valid_to'] ?? null}::date, 'infinity')`
  const goods = sql`select i.id from item i join tax_code t on ${taxOf} where i.is_taxable and t.id = ${id}`
  const rows = await tx.rows<{ name: 'sales_order_line' | 'invoice_line'; n: number }>(sql`
    select 'sales_order_line' as name, count(*)::int as n from (select 1 from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.status <> 0 and ${onItsDays(sql`o.doc_date`)} and l.item_id in (${goods}) limit ${mostCounted + 1}) x
    union all select 'invoice_line', count(*)::int from (select 1 from invoice_line l join invoice o on o.id = l.invoice_id where ${onItsDays(sql`o.doc_date`)} and l.item_id in (${goods}) limit ${mostCounted + 1}) x`)
  return rows.filter(({ n }) => n > 0).map(useSentence)
}

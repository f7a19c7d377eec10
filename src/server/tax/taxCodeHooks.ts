import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { isSame } from '#server/documents/audit.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { mostCounted, useSentence } from '#server/documents/usedIn.ts'
import { wrong } from '#server/problemError.ts'

/** How much of which part of a price a tax is, and where each is entered. */
const basis = { rate: 'Rate', base_numerator: 'BaseNumerator', base_denominator: 'BaseDenominator' } as const

/** What orders and invoices have been taxed by stays as it is: another rate is another code, given to the goods from its day on. */
export const taxCodeHooks: DocumentHooks = {
  async beforeSave({ context, before, header, problem }) {
    if (before === undefined) return
    const changed = (['rate', 'base_numerator', 'base_denominator'] as const).filter((column) => Object.hasOwn(header, column) && !isSame(before[column], header[column]))
    const where = changed.length === 0 ? [] : await taxedBy(context.tx, before.id)
    if (where.length > 0) for (const column of changed) problem(wrong(basis[column], 'READ_ONLY.used', { where }))
  },
}

/** Lines of documents whose goods bear the tax. Goods that name no code bear the ordinary one. */
async function taxedBy(tx: Queries, id: number) {
  const goods = sql`select i.id from item i where i.is_taxable and ${id} = coalesce(i.tax_code_id, (select id from tax_code where code = 'PPN04'))`
  const rows = await tx.rows<{ name: 'sales_order_line' | 'invoice_line'; n: number }>(sql`
    select 'sales_order_line' as name, count(*)::int as n from (select 1 from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.status <> 0 and l.item_id in (${goods}) limit ${mostCounted + 1}) x
    union all select 'invoice_line', count(*)::int from (select 1 from invoice_line l where l.item_id in (${goods}) limit ${mostCounted + 1}) x`)
  return rows.filter(({ n }) => n > 0).map(useSentence)
}

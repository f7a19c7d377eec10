import type { Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'

/** An item is sold in one festive assortment of a season: twice it would have two prices and two quotas. */
export const festiveHooks: DocumentHooks = {
  async beforeSave({ context, before, header, lines, problem }) {
    const { season, order_from: from, order_to: to, is_active: isActive }: Row = { ...before, ...header }
    if (isActive === false) return
    // Dates moved or the assortment taken up again: what it holds already counts as what is sent.
    const stored = before === undefined ? [] : await context.tx.rows<Row>(sql`select id, item_id, territory_id from product_festive_line where product_festive_id = ${before.id} order by line_no, id`)
    const rows: readonly Row[] = lines?.['Lines']?.map(({ id, columns }) => ({ ...stored.find((row) => row['id'] === id), ...columns })) ?? stored
    const seen = new Set<string>()
    const items = rows.map((row) => row['item_id']).filter((id) => typeof id === 'number')
    const taken = items.length === 0 ? [] : await context.tx.exclusive(`festive assortments of ${String(season)}`, () =>
      context.tx.rows<{ item_id: number; code: string }>(sql`
        select l.item_id, f.code from product_festive_line l join product_festive f on f.id = l.product_festive_id
        where f.is_active and f.id <> ${before?.id ?? 0} and f.season = ${season} and f.order_from <= ${to}::date and f.order_to >= ${from}::date and l.item_id = any(${items}::bigint[])`))
    const elsewhere = new Map(taken.map((row) => [row.item_id, row.code]))
    for (const [i, row] of rows.entries()) {
      const item = row['item_id']
      if (typeof item !== 'number') continue
      const key = `${item} ${String(row['territory_id'] ?? '')}`
      if (seen.has(key)) problem(wrong(`Lines[${i}].ItemID`, 'DUPLICATE.festive-line'))
      seen.add(key)
      const festive = elsewhere.get(item)
      if (festive !== undefined) problem(wrong(`Lines[${i}].ItemID`, 'DUPLICATE.festive', { festive }))
    }
  },
}

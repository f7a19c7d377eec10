import { exact, fixed, quantityText, type Exact } from '#base/decimal.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks, Saving, SavingLine } from '#server/documents/hooks.ts'
import { unitsOf } from '#domain/pricing/masters.ts'
import { pricedItems } from '#server/pricing/pricingMasters.ts'
import { wrong } from '#server/problemError.ts'
import { numberOrNull } from '#server/workflow/newDocument.ts'

/** Goods given away are entered in any unit of the item; what a file gives away must be there already. */
export const freeGoodsHooks: DocumentHooks = {
  computed: ['lines.factor', 'lines.qty_base'],
  async beforeDerive(saving) {
    const lines = saving.lines?.['Lines'] ?? []
    await countInBase(saving, lines)
    if (saving.context.source === 'IMPORT') await assertThere(saving, lines)
  },
}

async function countInBase({ context: { tx }, lines, problem }: Saving, own: readonly SavingLine[]): Promise<void> {
  if (lines === undefined) return
  const items = await pricedItems.all(tx, own.map(({ columns }) => Number(columns['item_id'])))
  for (const [i, { columns }] of own.entries()) {
    const item = items.get(Number(columns['item_id']))
    const uom = String(columns['uom'] ?? '') || (item?.baseUom ?? '')
    const factor = item?.factors.get(uom)
    if (item !== undefined && factor === undefined) problem(wrong(`Lines[${i}].Uom`, 'NOT_A_CHOICE.uom', { units: unitsOf(item) }))
    Object.assign(columns, { uom, factor: fixed(factor ?? '1', 6), qty_base: fixed(exact(String(columns['qty'] ?? '0')).times(factor ?? '1'), 3) })
  }
}

async function assertThere({ context: { tx }, header, problem }: Saving, own: readonly SavingLine[]): Promise<void> {
  const rows = await tx.rows<{ item_id: number; batch: string; free: string }>(sql`
    select item_id, coalesce(batch, '') as batch, sum(on_hand - reserved)::text as free from stock_balance
    where warehouse_id = ${numberOrNull(header, 'warehouse_id')}::bigint and item_id = any(${own.map(({ columns }) => Number(columns['item_id']))}::bigint[]) group by item_id, coalesce(batch, '')`)
  const free = new Map<string, Exact>(rows.map((row) => [`${row.item_id} ${row.batch}`, exact(row.free)]))
  for (const [i, { columns }] of own.entries()) {
    const key = `${String(columns['item_id'])} ${String(columns['batch'] ?? '')}`
    const there = free.get(key) ?? exact(0)
    const left = there.minus(String(columns['qty_base'] ?? '0'))
    if (left.lt(0)) problem(wrong(`Lines[${i}].Qty`, 'EXCEEDS_AVAILABLE.stock', { stock: quantityText(there.lt(0) ? exact(0) : there) }))
    free.set(key, left)
  }
}

import type { Decimal } from '#base/decimal.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

export interface ItemUnits {
  readonly base: string
  /** Base units in one, by unit of measure. */
  readonly factors: ReadonlyMap<string, Decimal>
}

/** The units each item is counted in, by item id. */
export async function itemUnits(tx: Queries, itemIds: readonly number[]): Promise<ReadonlyMap<number, ItemUnits>> {
  const rows = await tx.rows<{ id: number; base: string; uom: string; factor: Decimal }>(sql`
    select i.id, i.base_uom as base, unit.uom, unit.factor::text as factor from item i
    cross join lateral (select i.sales_uom as uom, i.pack_qty::numeric as factor, 1 as rank union all select u.uom, u.factor, 2 from item_uom u where u.item_id = i.id union all select i.base_uom, 1, 3) unit
    where i.id = any(${[...new Set(itemIds)]}::bigint[]) order by i.id, unit.rank`)
  const units = new Map<number, { base: string; factors: Map<string, Decimal> }>()
  for (const { id, base, uom, factor } of rows) {
    const item = units.get(id) ?? { base, factors: new Map() }
    item.factors.set(uom, factor)
    units.set(id, item)
  }
  return units
}

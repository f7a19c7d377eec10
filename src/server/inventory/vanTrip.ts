import { exact, fixed, quantityText, type Decimal, type Exact } from '#base/decimal.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'

interface Goods {
  readonly item_id: number
  readonly batch: string
  readonly qty: Decimal
}

interface TripLine extends Row {
  readonly id: number
  readonly item_id: number
  readonly item_code: string
  readonly batch: string
  readonly loaded: Decimal
  readonly sold: Decimal
}

/** What leaves a van counts as sold on the trip it is on, never more than was loaded; answers the trip. */
export async function sellFromTrip(context: CommandContext, warehouseId: number, goods: readonly Goods[]): Promise<number> {
  const trip = await context.tx.first<{ id: number }>(sql`
    select id from canvas_request where van_warehouse_id = ${warehouseId} and status = 8 and stage = 'SELLING' for update`)
  if (trip === undefined) fail('ILLEGAL_TRANSITION.van-not-selling')
  await count(context, trip.id, goods, 1)
  return trip.id
}

/** What comes back to a van is on it again, as long as it has not been counted. */
export async function giveBackToTrip(context: CommandContext, tripId: number, goods: readonly Goods[]): Promise<void> {
  const trip = await context.tx.first<{ code: string; isSelling: boolean }>(sql`
    select code, status = 8 and stage = 'SELLING' as "isSelling" from canvas_request where id = ${tripId} for update`)
  if (trip?.isSelling !== true) fail('ILLEGAL_TRANSITION.van-counted', { document: trip?.code ?? '' })
  await count(context, tripId, goods, -1)
}

async function count({ tx }: CommandContext, tripId: number, goods: readonly Goods[], sign: 1 | -1): Promise<void> {
  const lines = await tx.rows<TripLine>(sql`
    select l.id, l.item_id, i.code as item_code, coalesce(l.batch, '') as batch, l.qty_loaded as loaded, l.qty_sold as sold from canvas_request_line l join item i on i.id = l.item_id
    where l.canvas_request_id = ${tripId} order by l.line_no, l.id`)
  const changes = new Map<number, Exact>()
  for (const { item_id: itemId, batch, qty } of goods) {
    let open = exact(qty)
    for (const line of lines.filter((one) => one.item_id === itemId && one.batch === batch)) {
      const before = changes.get(line.id) ?? exact(0)
      const room = sign === 1 ? exact(line.loaded).minus(line.sold).minus(before) : exact(line.sold).minus(before)
      const part = open.lt(room) ? open : room
      if (part.lte(0)) continue
      changes.set(line.id, before.plus(part))
      open = open.minus(part)
    }
    if (open.gt(0)) fail('STOCK_INSUFFICIENT.item', { item: lines.find((one) => one.item_id === itemId)?.item_code ?? '', stock: quantityText(exact(qty).minus(open)), needed: quantityText(qty) })
  }
  const rows = [...changes].map(([id, qty]) => ({ id, qty: fixed(qty.times(sign), 3) }))
  const changed = await tx.run(sql`
    update canvas_request_line l set qty_sold = l.qty_sold + x.qty from ${recordset(rows, { id: 'bigint', qty: 'numeric' }, 'x')}
    where l.id = x.id and l.qty_sold + x.qty between 0 and l.qty_loaded`)
  if (changed !== rows.length) throw new Error(`Trip ${tripId} sold more than it has`)
}

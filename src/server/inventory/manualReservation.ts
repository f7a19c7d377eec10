import { exact, fixed, quantityText, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Effect, Precondition, Row, TransitionContext } from '#server/context.ts'
import { insertRowsLater } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { numberOf, numberOrNull } from '#server/workflow/newDocument.ts'
import { partsOf } from './countedUnits.ts'
import { releaseHeld } from './reservation.ts'
import { changeBalances, lockBalances } from './stock.ts'

interface Line extends Row {
  readonly id: number
  readonly item_id: number
  readonly batch: string | null
  readonly qty: Decimal
}

interface Taken {
  readonly line: Line
  readonly balanceId: number
  readonly batch: string
  readonly qty: Decimal
}

/** What is free of each line, oldest batch first; a line that is short is told. */
async function takenFor({ tx, current }: TransitionContext): Promise<readonly Taken[]> {
  const lines = await tx.rows<Line>(sql`select id, item_id, batch, qty from reservation_line where reservation_id = ${current.id} order by line_no, id`)
  const balances = await lockBalances(tx, numberOf(current, 'warehouse_id'), lines.map((line) => line.item_id))
  const free = new Map(balances.map((row) => [row.id, exact(row.on_hand).minus(row.reserved)]))
  const problems: FieldProblem[] = []
  const broken = await partsOf(tx, lines.map((line, at) => ({ itemId: line.item_id, qtyBase: line.qty, at })))
  for (const { at, item, qty } of broken) problems.push(wrong(`Lines[${at}].Qty`, 'INVALID.part-of-piece', { item, qty }))
  const taken = lines.flatMap((line, at) => {
    let left = exact(line.qty)
    const found = balances.filter((row) => row.item_id === line.item_id && (line.batch === null || row.batch === line.batch)).flatMap((row): Taken[] => {
      const there = free.get(row.id) ?? exact(0)
      const part = left.lt(there) ? left : there
      if (part.lte(0)) return []
      free.set(row.id, there.minus(part))
      left = left.minus(part)
      return [{ line, balanceId: row.id, batch: row.batch, qty: fixed(part, 3) }]
    })
    if (left.gt(0)) problems.push(wrong(`Lines[${at}].Qty`, 'EXCEEDS_AVAILABLE.stock', { stock: quantityText(exact(line.qty).minus(left)) }))
    return found
  })
  if (problems.length > 0) invalid(problems)
  return taken
}

/** Nothing is promised that is not there. */
export const reservationFits: Precondition = async (context) => {
  await takenFor(context)
}

/** Goods are kept for a customer, a channel or a project; orders of that customer or channel draw on them first. */
export const holdReserved: Effect = async (context) => {
  const { tx, entity, current, now } = context
  const taken = await takenFor(context)
  await changeBalances(tx, taken.map(({ balanceId, qty }) => ({ id: balanceId, on_hand: '0', reserved: qty })))
  await insertRowsLater(tx, 'stock_reservation', taken.map(({ line, batch, qty }) => ({
    item_id: line.item_id, warehouse_id: numberOf(current, 'warehouse_id'), batch, qty, open_qty: qty, kind: 'MANUAL', customer_id: numberOrNull(current, 'customer_id'),
    channel_id: numberOrNull(current, 'sales_channel_id'), doc_type: entity.id, doc_id: current.id, doc_line_id: line.id, expires_on: current['expires_on'], created_at: now.toISOString(),
  })))
  tx.later(sql`update reservation_line set open_qty = qty where reservation_id = ${current.id}`)
}

/** What is still held goes back to stock. */
export const freeReserved: Effect = (context) => releaseHeld(context, { type: context.entity.id, id: context.current.id })

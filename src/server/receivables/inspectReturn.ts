import { exact, fixed, money, quantityText, sum, type Decimal } from '#base/decimal.ts'
import { shares } from '#domain/billing/returned.ts'
import type { EventAmount } from '#domain/ledger/entries.ts'
import type { Effect, Row, TransitionContext } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import { changeBalances, lockBalances, moveStock } from '#server/inventory/stock.ts'
import { partsOf } from '#server/inventory/countedUnits.ts'
import { post as book, stockAccount } from '#server/ledger/post.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'
import { quantities } from './salesReturn.ts'

interface Looked {
  readonly id: number
  readonly itemId: number
  readonly batch: string
  readonly good: Decimal
  readonly refused: Decimal
  readonly bad: Decimal
  readonly costGood: Decimal
  readonly costRefused: Decimal
}

/** The goods have been looked at: what is good can be sold again, what is refused goes back to the customer, the rest stays where returns lie. All at what they came in at. */
export const inspectReturn: Effect = async (context) => {
  const { tx, today } = context
  const lines = (await linesOf(context)).map(({ row }) => row)
  const nothing = (): Decimal => '0.000'
  const bad = quantities(context, 'bad', lines, 'qty_received', nothing)
  const refused = quantities(context, 'refused', lines, 'qty_received', nothing)
  const looked = lines.map((line): Looked => lookedAt(line, bad.get(numberOf(line, 'id')) ?? '0', refused.get(numberOf(line, 'id')) ?? '0'))
  const parts = await partsOf(tx, looked.flatMap(({ id, itemId, good, refused: back }) => [good, back].map((qty) => ({ id, itemId, qty, qtyBase: qty }))))
  if (parts.length > 0) invalid(parts.map(({ id, item, qty }) => wrong(`Bad.${id}`, 'INVALID.part-of-piece', { item, qty })))
  await tx.run(sql`
    update sales_return_line l set qty_good = x.good, qty_bad = x.bad, qty_refused = x.refused, qty_taken = l.qty_received - x.refused, cost_good = x.cost_good, cost_refused = x.cost_refused
    from ${recordset(looked.map((one) => ({ id: one.id, good: one.good, bad: one.bad, refused: one.refused, cost_good: one.costGood, cost_refused: one.costRefused })), { id: 'bigint', good: 'numeric', bad: 'numeric', refused: 'numeric', cost_good: 'numeric', cost_refused: 'numeric' }, 'x')} where l.id = x.id`)
  // What was refused is the customer's again, and may be asked to be taken back another time.
  await tx.run(sql`
    update invoice_line v set returned_qty = v.returned_qty - x.qty from (
      select invoice_line_id, sum(qty_refused) as qty from sales_return_line where sales_return_id = ${context.current.id} and invoice_line_id is not null group by 1) x where x.invoice_line_id = v.id and x.qty > 0`)
  await moveLooked(context, looked)
  context.set({ inspected_date: today })
}

function lookedAt(line: Row, bad: Decimal, refused: Decimal): Looked {
  const received = textOf(line, 'qty_received')
  const good = exact(received).minus(bad).minus(refused)
  if (good.lt(0)) return invalid([wrong(`Refused.${numberOf(line, 'id')}`, 'EXCEEDS_REMAINING.quantity', { limit: quantityText(exact(received).minus(bad)) })])
  const [costRefused = '0', costGood = '0'] = shares(textOf(line, 'cost'), received, [refused, fixed(good, 3)])
  return { id: numberOf(line, 'id'), itemId: numberOf(line, 'item_id'), batch: String(line['batch'] ?? ''), good: fixed(good, 3), bad: fixed(bad, 3), refused: fixed(refused, 3), costGood, costRefused }
}

async function moveLooked(context: TransitionContext, looked: readonly Looked[]): Promise<void> {
  const { tx, current } = context
  const quarantine = numberOf(current, 'quarantine_id')
  const warehouse = numberOf(current, 'warehouse_id')
  const balances = new Map<number, Awaited<ReturnType<typeof lockBalances>>>()
  for (const place of [quarantine, warehouse].toSorted((a, b) => a - b)) balances.set(place, await lockBalances(tx, place, looked.map(({ itemId }) => itemId)))
  const leaving = looked.map((one) => {
    const balance = balances.get(quarantine)?.find((row) => row.item_id === one.itemId && row.batch === one.batch)
    return { one, balance, qty: sum([one.good, one.refused]) }
  }).filter(({ qty }) => qty.gt(0))
  for (const { one, balance } of leaving) {
    const needed = sum(leaving.filter((other) => other.balance?.id === balance?.id).map(({ qty }) => qty))
    const free = balance === undefined ? exact('0') : exact(balance.on_hand).minus(balance.reserved)
    if (balance === undefined || needed.gt(free)) {
      const item = await tx.first<{ code: string }>(sql`select code from item where id = ${one.itemId}`)
      fail('STOCK_INSUFFICIENT.item', { item: item?.code ?? '', stock: quantityText(free), needed: quantityText(needed) })
    }
  }
  await changeBalances(tx, leaving.flatMap(({ balance, qty }) => (balance === undefined ? [] : [{ id: balance.id, on_hand: fixed(qty.times(-1), 3), reserved: '0' }])))
  const minus = (value: Decimal, places: number): Decimal => fixed(exact(value).times(-1), places)
  const out = (type: string, qty: (one: Looked) => Decimal, cost: (one: Looked) => Decimal) => moveFrom(context, type, quarantine, looked.filter((one) => exact(qty(one)).gt(0)).map((one) => ({ one, qty: minus(qty(one), 3), cost: minus(cost(one), 2) })))
  await out('652', (one) => one.refused, (one) => one.costRefused)
  await out('653', (one) => one.good, (one) => one.costGood)
  const arriving = looked.filter((one) => exact(one.good).gt(0))
  if (arriving.length === 0) return
  await tx.run(sql`
    insert into stock_balance as b (item_id, warehouse_id, batch, on_hand, reserved)
    select x.item_id, ${warehouse}, x.batch, sum(x.qty), 0 from ${recordset(arriving.map((one) => ({ item_id: one.itemId, batch: one.batch, qty: one.good })), { item_id: 'bigint', batch: 'text', qty: 'numeric' }, 'x')}
    group by 1, 3 order by 1, 3 on conflict (item_id, warehouse_id, batch) do update set on_hand = b.on_hand + excluded.on_hand`)
  await moveFrom(context, '653', warehouse, arriving.map((one) => ({ one, qty: one.good, cost: money(one.costGood) })))
}

async function moveFrom(context: TransitionContext, type: string, warehouseId: number, moves: readonly { readonly one: Looked; readonly qty: Decimal; readonly cost: Decimal }[]): Promise<void> {
  if (moves.length === 0) return
  const { tx, current, today } = context
  const place = await tx.first<{ operating_unit_id: number; stock_class: string }>(sql`select operating_unit_id, stock_class from warehouse where id = ${warehouseId}`)
  if (place === undefined) throw new Error(`There is no warehouse ${warehouseId}`)
  const moved = await moveStock(context, {
    type, date: today, operatingUnitId: place.operating_unit_id, warehouseId, stockClass: place.stock_class, docType: 'sales_return', docId: current.id, levels: true,
    moves: moves.map(({ one, qty, cost }) => ({ itemId: one.itemId, batch: one.batch, qty, cost, lineId: one.id, reversalOf: null })),
  })
  const rests = moved.slice(moves.length)
  if (rests.length === 0) return
  const account = await stockAccount(tx, place.stock_class)
  await book(context, {
    event: 'STOCK_REST', source: { type: 'sales_return', id: current.id, code: textOf(current, 'code') }, operatingUnitId: place.operating_unit_id, date: today, description: `sales return ${textOf(current, 'code')}`,
    amounts: rests.map(({ itemId, movement }): EventAmount => ({ key: 'rest', amount: movement.cost, itemId, account })),
  })
}

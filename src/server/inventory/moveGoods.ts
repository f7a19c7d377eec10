import { exact, fixed, money, quantityText, spread, sum, type Decimal, type Exact } from '#base/decimal.ts'
import { dayText, type DateText } from '#base/date.ts'
import { wireName } from '#base/wireName.ts'
import type { FieldProblem } from '#api/problems.ts'
import { holds } from '#meta/evaluate.ts'
import type { Moving } from '#meta/resolved.ts'
import type { Precondition, Row, TransitionContext } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { fieldMap, knownEntity } from '#server/documents/entities.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { bookingDate } from '#server/workflow/bookingDate.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'
import { partsOf } from './countedUnits.ts'
import { giveWay } from './reservation.ts'
import { changeBalances, leastStockSince, lockBalances, moveStock, type Moved } from './stock.ts'

/** A line of goods that move. */
export interface Goods {
  readonly lineId: number
  readonly itemId: number
  readonly batch: string
  readonly qty: Decimal
  readonly qtyBase: Decimal
  /** Value it comes in at, where the document says it. */
  readonly cost: Decimal
  /** Its part of the value of what has left. */
  readonly share: Decimal
  readonly from: number | null
  readonly to: number | null
  /** Wire path of the quantity. */
  readonly at: string
}

interface Warehouse extends Row {
  readonly id: number
  readonly operating_unit_id: number
  readonly stock_class: string
}

/** What would leave is there: in whole pieces, not promised to anybody, on that day and every day since. Asked when the document is submitted and when it moves. */
export const goodsAreThere: Precondition = async (context) => {
  for (const moving of movingsOf(context, true)) await assertThere(context, moving, await goodsOf(context, moving), dayOf(context))
}

/** Moves the goods of the document's lines as its workflow says; the lines keep what they moved at. */
export async function moveGoods(context: TransitionContext): Promise<void> {
  const gone: Decimal[] = []
  for (const moving of movingsOf(context, false)) {
    const goods = await goodsOf(context, moving)
    const day = dayOf(context)
    await assertThere(context, moving, goods, day)
    const left = await leave(context, moving, goods, day)
    gone.push(...left.values())
    const costs = moving.share === undefined ? left : sharesOf(goods, sum(gone))
    await arrive(context, moving, goods.map((one) => ({ ...one, cost: costs.get(one.lineId) ?? one.cost })), day)
    if (moving.into !== undefined && costs.size > 0) await keep(context, moving, moving.into, costs)
  }
}

/** What has left is worth to the cent what comes in. */
function sharesOf(goods: readonly Goods[], gone: Exact): ReadonlyMap<number, Decimal> {
  const parts = spread(gone, goods.map(({ share }) => exact(share)), 2)
  return new Map(goods.map(({ lineId }, i) => [lineId, money(parts[i] ?? exact(0))]))
}

/** Value that stock gave less, or more, than what came back had been worth; by item and stock class. */
export interface StockRest {
  readonly itemId: number
  readonly stockClass: string
  /** Added to the value of the stock. */
  readonly amount: Decimal
}

/** What would leave by the document's own lines, at whatever transition. */
export async function goodsLeaving(context: TransitionContext): Promise<readonly Goods[]> {
  const movings = (context.metadata.workflows[context.entity.id]?.moves ?? []).filter(({ from }) => from !== undefined)
  for (const moving of movings) await assertThere(context, moving, await goodsOf(context, moving), context.today)
  return (await Promise.all(movings.map((moving) => goodsOf(context, moving)))).flat()
}

/** Moves back what the document has moved, as far as it is still there, at the value it moved at; what the stock cannot give of that is answered. */
export async function moveGoodsBack(context: TransitionContext, day: DateText): Promise<readonly StockRest[]> {
  const { tx, entity, current } = context
  if ((context.metadata.workflows[entity.id]?.moves ?? []).length === 0) return []
  const back = new Map((context.metadata.workflows[entity.id]?.moves ?? []).flatMap((moving) => [[moving.type, moving.back ?? moving.type] as const, [moving.arrives, moving.back ?? moving.arrives] as const]))
  const rows = await tx.rows<Movement>(sql`
    select m.id, m.movement_type, m.item_id, i.code, m.warehouse_id, m.operating_unit_id, m.stock_class, m.batch, m.qty, m.cost_amount, m.doc_line_id
    from stock_movement m join item i on i.id = m.item_id
    where m.doc_type = ${entity.id} and m.doc_id = ${current.id} and m.reversal_of_id is null and m.qty <> 0 and not exists (select 1 from stock_movement r where r.reversal_of_id = m.id) order by m.id`)
  const rests: StockRest[] = []
  for (const warehouseId of [...new Set(rows.map((row) => row.warehouse_id))].sort((a, b) => a - b)) await lockBalances(tx, warehouseId, rows.filter((row) => row.warehouse_id === warehouseId).map((row) => row.item_id))
  // What moved last goes back first: it may have moved on from where it had come.
  const places = [...new Map(rows.map((row) => [`${row.warehouse_id} ${row.movement_type}`, row])).values()].sort((a, b) => b.id - a.id)
  for (const place of places) {
    const own = rows.filter((row) => row.warehouse_id === place.warehouse_id && row.movement_type === place.movement_type)
    await returnToBalances(context, place.warehouse_id, own)
    const moved = await moveStock(context, {
      type: back.get(place.movement_type) ?? place.movement_type, date: day, operatingUnitId: place.operating_unit_id, warehouseId: place.warehouse_id, stockClass: place.stock_class,
      docType: entity.id, docId: current.id, levels: true,
      moves: own.map((row) => ({ itemId: row.item_id, batch: row.batch, qty: negated(row.qty, 3), cost: negated(row.cost_amount, 2), lineId: row.doc_line_id, reversalOf: row.id })),
    })
    rests.push(...moved.slice(own.length).map(({ itemId, movement }) => ({ itemId, stockClass: place.stock_class, amount: movement.cost })))
  }
  return rests
}

interface Movement extends Row {
  readonly id: number
  readonly movement_type: string
  readonly item_id: number
  readonly code: string
  readonly warehouse_id: number
  readonly operating_unit_id: number
  readonly stock_class: string
  readonly batch: string
  readonly qty: Decimal
  readonly cost_amount: Decimal
  readonly doc_line_id: number | null
}

async function returnToBalances(context: TransitionContext, warehouseId: number, movements: readonly Movement[]): Promise<void> {
  const balances = await lockBalances(context.tx, warehouseId, movements.map((row) => row.item_id))
  const changes = movements.map((row) => {
    const balance = balances.find((one) => one.item_id === row.item_id && one.batch === row.batch)
    if (balance === undefined) throw new Error(`Item ${row.code} has no balance in warehouse ${warehouseId}`)
    return { id: balance.id, on_hand: negated(row.qty, 3), reserved: '0', row, balance }
  })
  for (const { id, balance, row } of changes) {
    const needed = sum(changes.filter((change) => change.id === id).map((change) => change.row.qty))
    const free = exact(balance.on_hand).minus(balance.reserved)
    if (needed.gt(free)) fail('STOCK_INSUFFICIENT.item', { item: row.code, stock: quantityText(free), needed: quantityText(needed) })
  }
  await changeBalances(context.tx, changes)
}

function movingsOf({ metadata, entity, action }: TransitionContext, isAsked: boolean): readonly Moving[] {
  return (metadata.workflows[entity.id]?.moves ?? []).filter(({ at }) => at === undefined || at.includes(action.action) || (isAsked && action.action === 'submit'))
}

/** Goods that leave or arrive on a later step move on the day of that step. */
function dayOf({ current, record, today }: TransitionContext): DateText {
  return record['posting_date'] == null ? bookingDate(current) : today
}

async function goodsOf(context: TransitionContext, { lines, when, item, batch, qty, cost, share, from, to }: Moving): Promise<readonly Goods[]> {
  const { current, user, today } = context
  const problems: FieldProblem[] = []
  const goods = (await linesOf(context, lines.name)).flatMap(({ row }, i): Goods[] => {
    if (row[item] == null || (when !== undefined && !holds(when, row, { user: { id: user.id }, today, params: {} }))) return []
    // A base quantity follows from the one that was entered.
    const at = `${lines.wire}[${i}].${wireName(qty === 'qty_base' ? 'qty' : qty)}`
    const value = textOf(row, qty)
    if (exact(value).lt(0)) problems.push(wrong(at, 'NEGATIVE'))
    const place = (name: string | undefined): number | null => (name === undefined ? null : numberOf(row[name] === undefined ? current : row, name))
    const one = { lineId: numberOf(row, 'id'), itemId: numberOf(row, item), batch: batch === undefined ? '' : String(row[batch] ?? ''), qty: value, qtyBase: value, cost: cost === undefined ? '0.00' : String(row[cost] ?? '0.00'), share: share === undefined ? '0' : String(row[share] ?? '0'), from: place(from), to: place(to), at }
    return exact(value).eq(0) ? [] : [one]
  })
  for (const part of await partsOf(context.tx, goods)) problems.push(wrong(part.at, 'INVALID.part-of-piece', { item: part.item, qty: part.qty }))
  if (problems.length > 0) invalid(problems)
  return goods
}

async function assertThere(context: TransitionContext, { reserved }: Moving, goods: readonly Goods[], day: DateText): Promise<void> {
  const problems: FieldProblem[] = []
  for (const warehouseId of placesOf(goods, 'from')) {
    const own = goods.filter(({ from }) => from === warehouseId)
    const keyOf = (itemId: number, batch: string): string => `${itemId} ${batch}`
    const balances = new Map((await lockBalances(context.tx, warehouseId, own.map(({ itemId }) => itemId))).map((row) => [keyOf(row.item_id, row.batch), row]))
    const before = day < context.today ? await leastStockSince(context.tx, warehouseId, day, own.map(({ itemId }) => itemId)) : []
    const needed = new Map<string, Exact>()
    for (const { itemId, batch, qty, at } of own) {
      const key = keyOf(itemId, batch)
      needed.set(key, exact(qty).plus(needed.get(key) ?? 0))
      const balance = balances.get(key)
      const free = balance === undefined ? exact(0) : exact(balance.on_hand).minus(reserved === 'gives-way' ? '0' : balance.reserved)
      const then = before.find((row) => keyOf(row.item_id, row.batch) === key)
      if (needed.get(key)?.gt(free) === true) problems.push(wrong(at, 'EXCEEDS_AVAILABLE.stock', { stock: quantityText(free) }))
      else if (then !== undefined && needed.get(key)?.gt(then.stock) === true) problems.push(wrong(at, 'EXCEEDS_AVAILABLE.stock-then', { day: dayText(then.day), stock: quantityText(then.stock) }))
    }
  }
  if (problems.length > 0) invalid(problems)
}

async function leave(context: TransitionContext, moving: Moving, goods: readonly Goods[], day: DateText): Promise<ReadonlyMap<number, Decimal>> {
  const costs = new Map<number, Decimal>()
  for (const warehouseId of placesOf(goods, 'from')) {
    const own = goods.filter(({ from }) => from === warehouseId)
    if (moving.reserved === 'gives-way') await giveWay(context, warehouseId, own.map(({ itemId, batch, qty }) => ({ itemId, batch, leaves: qty })))
    const balances = await lockBalances(context.tx, warehouseId, own.map(({ itemId }) => itemId))
    await changeBalances(context.tx, own.flatMap(({ itemId, batch, qty }) => balances.filter((row) => row.item_id === itemId && row.batch === batch).map(({ id }) => ({ id, on_hand: negated(qty, 3), reserved: '0' }))))
    const moved = await move(context, moving.type, warehouseId, own, day, () => null)
    for (const [i, { lineId }] of own.entries()) costs.set(lineId, negated(moved[i]?.movement.cost ?? '0', 2))
  }
  return costs
}

async function arrive(context: TransitionContext, moving: Moving, goods: readonly Goods[], day: DateText): Promise<void> {
  for (const warehouseId of placesOf(goods, 'to')) {
    const own = goods.filter(({ to }) => to === warehouseId)
    const rows = own.map(({ itemId, batch, qty }) => ({ item_id: itemId, batch, qty: fixed(qty, 3) }))
    await context.tx.run(sql`
      insert into stock_balance as b (item_id, warehouse_id, batch, on_hand, reserved)
      select x.item_id, ${warehouseId}, x.batch, sum(x.qty), 0 from ${recordset(rows, { item_id: 'bigint', batch: 'text', qty: 'numeric' }, 'x')}
      group by 1, 3 order by 1, 3 on conflict (item_id, warehouse_id, batch) do update set on_hand = b.on_hand + excluded.on_hand`)
    await move(context, moving.from === undefined ? moving.type : moving.arrives, warehouseId, own, day, ({ cost }) => cost)
  }
}

async function move(context: TransitionContext, type: string, warehouseId: number, goods: readonly Goods[], date: DateText, costOf: (one: Goods) => Decimal | null): Promise<readonly Moved[]> {
  const warehouse = await context.tx.first<Warehouse>(sql`select id, operating_unit_id, stock_class from warehouse where id = ${warehouseId}`)
  if (warehouse === undefined) throw new Error(`There is no warehouse ${warehouseId}`)
  return moveStock(context, {
    type, date, operatingUnitId: warehouse.operating_unit_id, warehouseId, stockClass: warehouse.stock_class, docType: context.entity.id, docId: context.current.id,
    moves: goods.map((one) => ({ itemId: one.itemId, batch: one.batch, qty: one.qty, cost: costOf(one), lineId: one.lineId, reversalOf: null })),
  })
}

async function keep(context: TransitionContext, { lines, qty, against, gap }: Moving, into: string, costs: ReadonlyMap<number, Decimal>): Promise<void> {
  const { tx, metadata, entity } = context
  const line = knownEntity(metadata, entity.lines.find(({ name }) => name === lines.name)?.entity ?? '')
  const rows = [...costs].map(([id, cost]) => ({ id, cost }))
  const each = fieldMap(line).has('unit_cost') ? sql`, unit_cost = round(x.cost / nullif(l.${ident(qty)}, 0), 6)` : sql``
  const rest = gap === undefined || against === undefined ? sql`` : sql`, ${ident(gap)} = ${join(against.map((name) => sql`l.${ident(name)}`), ' + ')} - x.cost`
  await tx.run(sql`update ${ident(line.table)} l set ${ident(into)} = x.cost ${each} ${rest} from ${recordset(rows, { id: 'bigint', cost: 'numeric' }, 'x')} where l.id = x.id`)
  // What the document adds up over its lines follows.
  const sums = Object.entries(entity.derive ?? {}).filter(([, source]) => typeof source === 'object' && 'sum' in source && source.sum === `${lines.name}.${into}`)
  for (const [name] of sums) context.set({ [name]: money(sum(costs.values())) })
}

function placesOf(goods: readonly Goods[], end: 'from' | 'to'): readonly number[] {
  return [...new Set(goods.flatMap((one) => one[end] ?? []))].sort((a, b) => a - b)
}

function negated(value: Decimal, places: 2 | 3): Decimal {
  const other = exact(value).times(-1)
  return places === 2 ? money(other) : fixed(other, 3)
}

import { dayText, type DateText } from '#base/date.ts'
import { exact, fixed, money, quantityText, sum, type Decimal } from '#base/decimal.ts'
import { issue, receive, type Movement, type StockValue } from '#domain/inventory/costing.ts'
import type { CommandContext, Queries, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { once, onlyOnce } from '#server/workflow/once.ts'

export interface BalanceRow extends Row {
  readonly id: number
  readonly item_id: number
  readonly warehouse_id: number
  readonly batch: string
  readonly on_hand: Decimal
  readonly reserved: Decimal
  /** What of it is promised to customers or channels without an order. */
  readonly held: readonly Held[] | null
}

export interface Held {
  readonly id: number
  readonly customer_id: number | null
  readonly channel_id: number | null
  readonly open: Decimal
}

/** Transactions in which a change of balances waits to be sent. */
const changing = new WeakSet<object>()

/** A change of balances that is sent later; whoever locks balances afterwards sees it. */
export function balancesLater(tx: Queries, statement: Sql): void {
  changing.add(tx.unit)
  tx.later(statement)
}

/** Locks every balance of the items in the warehouse, in id order: all who touch stock queue the same way. */
export function lockBalances(tx: Queries, warehouseId: number, itemIds: readonly number[]): Promise<BalanceRow[]> {
  return (changing.has(tx.unit) ? tx : tx.ahead).rows<BalanceRow>(sql`${balancesOf(warehouseId, itemIds)} for update`)
}

function balancesOf(warehouseId: number, itemIds: readonly number[]): Sql {
  return sql`
    select id, item_id, warehouse_id, batch, on_hand, reserved, (
      select jsonb_agg(jsonb_build_object('id', r.id, 'customer_id', r.customer_id, 'channel_id', r.channel_id, 'open', r.open_qty::text) order by r.id) from stock_reservation r
      where r.item_id = b.item_id and r.warehouse_id = b.warehouse_id and r.batch = b.batch and r.kind = 'MANUAL' and r.open_qty > 0
    ) as held from stock_balance b
    where warehouse_id = ${warehouseId} and item_id = any(${[...new Set(itemIds)]}::bigint[]) order by id`
}

/** Asks early what `freeBalances` will be asked for. */
export function freeBalancesAhead(tx: Queries, warehouseId: number, itemIds: readonly number[]): void {
  void once(tx, balancesKey(warehouseId, itemIds), () => askFree(tx, warehouseId, itemIds))
}

/** Balances to reserve from, as `lockBalances`; what was asked early is known already, unless balances have changed since. */
export function freeBalances(tx: Queries, warehouseId: number, itemIds: readonly number[]): Promise<BalanceRow[]> {
  return changing.has(tx.unit) ? lockBalances(tx, warehouseId, itemIds) : onlyOnce(tx, balancesKey(warehouseId, itemIds), () => askFree(tx, warehouseId, itemIds))
}

/** Where others have taken what was free, the balance refuses to have more reserved than is on hand (`stock_balance_range`). */
function askFree(tx: Queries, warehouseId: number, itemIds: readonly number[]): Promise<BalanceRow[]> {
  return tx.foresees() ? tx.ahead.rows<BalanceRow>(balancesOf(warehouseId, itemIds)) : lockBalances(tx, warehouseId, itemIds)
}

function balancesKey(warehouseId: number, itemIds: readonly number[]): string {
  return `balances ${warehouseId} ${[...new Set(itemIds)].join()}`
}

/** The least there was of an item and batch on a day and on all days since. */
export interface LeastStock extends Row {
  readonly item_id: number
  readonly code: string
  readonly batch: string
  readonly stock: Decimal
  readonly day: DateText
}

/** What of items was there on a day and every day since, by what has come and gone after it; those nothing has come of since are left out, for they were there all along. */
export function leastStockSince(tx: Queries, warehouseId: number, date: DateText, itemIds: readonly number[]): Promise<LeastStock[]> {
  return tx.rows<LeastStock>(sql`
    with moved as (
      select item_id, batch, posting_date, sum(qty) as qty from stock_movement
      where warehouse_id = ${warehouseId} and item_id = any(${[...new Set(itemIds)]}::bigint[]) and posting_date > ${date}::date group by 1, 2, 3
    ), since as (
      select item_id, batch, posting_date - 1 as day, sum(qty) over (partition by item_id, batch order by posting_date desc) as came from moved
    )
    select distinct on (b.item_id, b.batch) b.item_id, i.code, b.batch, b.on_hand - s.came as stock, s.day
    from since s join stock_balance b on b.item_id = s.item_id and b.batch = s.batch and b.warehouse_id = ${warehouseId} join item i on i.id = b.item_id
    where s.came > 0 order by b.item_id, b.batch, s.came desc, s.day`)
}

/** Adds signed quantities to balances. */
export async function changeBalances(tx: Queries, changes: readonly { readonly id: number; readonly on_hand: Decimal; readonly reserved: Decimal }[]): Promise<void> {
  if (changes.length === 0) return
  const byId = new Map<number, { on_hand: Decimal[]; reserved: Decimal[] }>()
  for (const change of changes) {
    const known = byId.get(change.id) ?? { on_hand: [], reserved: [] }
    byId.set(change.id, { on_hand: [...known.on_hand, change.on_hand], reserved: [...known.reserved, change.reserved] })
  }
  const rows = [...byId].map(([id, parts]) => ({ id, on_hand: fixed(sum(parts.on_hand), 3), reserved: fixed(sum(parts.reserved), 3) }))
  balancesLater(tx, sql`
    update stock_balance b set on_hand = b.on_hand + x.on_hand, reserved = b.reserved + x.reserved
    from ${recordset(rows, { id: 'bigint', on_hand: 'numeric', reserved: 'numeric' }, 'x')} where b.id = x.id`)
}

interface CostRow extends Row {
  readonly id: number
  readonly item_id: number
  readonly item_code: string
  readonly qty: Decimal
  readonly value: Decimal
}

/** One movement to make. `qty` is positive (negative where a receipt is taken back as it was); `cost` is known for what comes in and null for what goes out at moving average. */
export interface Move {
  readonly itemId: number
  readonly batch: string
  readonly qty: Decimal
  readonly cost: Decimal | null
  readonly lineId: number | null
  readonly reversalOf: number | null
}

export interface MoveOrder {
  /** Movement type of the domain reference, 4.7. */
  readonly type: string
  readonly date: DateText
  readonly operatingUnitId: number
  readonly warehouseId: number
  readonly stockClass: string
  readonly docType: string
  readonly docId: number
  readonly moves: readonly Move[]
  /** What comes back may be worth less by now than it was: value that would be left without goods, or below nothing, moves as well. Such movements come last in the answer. */
  readonly levels?: true
}

export interface Moved {
  readonly movementId: number
  readonly itemId: number
  readonly movement: Movement
}

/** Values and writes movements in the order given, at moving average per operating unit and stock class. Balances are the caller's. */
export async function moveStock(context: CommandContext, order: MoveOrder): Promise<Moved[]> {
  const { tx } = context
  if (order.date < context.today) await assertNotCounted(context, order)
  const itemIds = [...new Set(order.moves.map((move) => move.itemId))]
  tx.later(sql`
    insert into stock_cost (item_id, operating_unit_id, stock_class, qty, value)
    select item, ${order.operatingUnitId}, ${order.stockClass}, 0, 0 from unnest(${itemIds}::bigint[]) item order by item on conflict do nothing`)
  const costs = await tx.rows<CostRow>(sql`
    select c.id, c.item_id, i.code as item_code, c.qty, c.value from stock_cost c join item i on i.id = c.item_id
    where c.operating_unit_id = ${order.operatingUnitId} and c.stock_class = ${order.stockClass} and c.item_id = any(${itemIds}::bigint[]) order by c.id for update of c`)
  const stock = new Map<number, StockValue>(costs.map((row) => [row.item_id, { qty: row.qty, value: row.value }]))
  const movementOf = (move: Move): Movement => {
    const before = stock.get(move.itemId) ?? { qty: '0', value: '0' }
    if (move.cost === null && exact(before.qty).lt(move.qty)) {
      const item = costs.find((row) => row.item_id === move.itemId)?.item_code ?? ''
      fail('STOCK_INSUFFICIENT.item', { item, stock: quantityText(before.qty), needed: quantityText(move.qty) })
    }
    const movement = move.cost === null ? issue(before, move.qty) : receive(before, move.qty, move.cost)
    stock.set(move.itemId, movement.after)
    return movement
  }
  const made = order.moves.map((move) => ({ move, movement: movementOf(move) }))
  if (order.levels === true) made.push(...restsOf(stock).map((move) => ({ move, movement: movementOf(move) })))
  const after = costs.map((row) => ({ id: row.id, qty: stock.get(row.item_id)?.qty ?? row.qty, value: stock.get(row.item_id)?.value ?? row.value }))
  tx.later(sql`update stock_cost c set qty = x.qty, value = x.value from ${recordset(after, { id: 'bigint', qty: 'numeric', value: 'numeric' }, 'x')} where c.id = x.id`)
  const ids = await insertRows(
    tx,
    'stock_movement',
    made.map(({ move, movement }) => ({
      posted_at: context.now.toISOString(),
      posting_date: order.date,
      movement_type: order.type,
      item_id: move.itemId,
      warehouse_id: order.warehouseId,
      operating_unit_id: order.operatingUnitId,
      batch: move.batch,
      stock_class: order.stockClass,
      qty: movement.qty,
      unit_cost: movement.unitCost,
      cost_amount: movement.cost,
      doc_type: order.docType,
      doc_id: order.docId,
      doc_line_id: move.lineId,
      reversal_of_id: move.reversalOf,
    })),
  )
  return made.map(({ move, movement }, at) => ({ movement, movementId: ids[at] ?? 0, itemId: move.itemId }))
}

/** What was counted stays as it was: nothing is booked on the day of a posted count of the item and warehouse, or before, once that day is over. */
async function assertNotCounted({ tx }: CommandContext, { date, warehouseId, moves }: MoveOrder): Promise<void> {
  const items = moves.flatMap(({ itemId, qty }) => (exact(qty).eq(0) ? [] : [itemId]))
  const counted = await tx.first<{ code: string; item: string; day: DateText }>(sql`
    select o.code, i.code as item, o.count_date as day from stock_opname o join stock_opname_line l on l.stock_opname_id = o.id join item i on i.id = l.item_id
    where o.status = 3 and o.warehouse_id = ${warehouseId} and o.count_date >= ${date}::date and l.moved_by is null and l.item_id = any(${items}::bigint[])
    order by o.count_date desc, o.id limit 1`)
  if (counted !== undefined) fail('ILLEGAL_TRANSITION.counted', { item: counted.item, count: counted.code, day: dayText(counted.day) })
}

/** Movements of value alone that leave no value without goods and none below nothing. */
function restsOf(stock: ReadonlyMap<number, StockValue>): Move[] {
  return [...stock].flatMap(([itemId, { qty, value }]) => {
    const isLevel = exact(qty).gt(0) ? exact(value).gte(0) : exact(value).eq(0)
    return isLevel ? [] : [{ itemId, batch: '', qty: '0', cost: money(exact(value).times(-1)), lineId: null, reversalOf: null }]
  })
}

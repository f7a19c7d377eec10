import { exact, fixed, sum, type Decimal, type Exact } from '#base/decimal.ts'
import type { CommandContext, Queries, Row } from '#server/context.ts'
import { insertRowsLater } from '#server/db/insertRows.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { balancesLater, changeBalances, freeBalances, lockBalances, type Held } from './stock.ts'

export interface ReservationNeed {
  readonly orderId: number
  readonly orderLineId: number
  readonly customerId: number
  readonly channelId?: number | null
  readonly itemId: number
  readonly qty: Decimal
}

/** Most an order may take of an item, given what was free of it before this, what is free now and what the orders before it have taken. */
export type Limit = (orderId: number, itemId: number, free: { readonly before: Exact; readonly now: Exact; readonly taken: ReadonlyMap<number, Exact> }) => Exact

export type Taken = ReadonlyMap<number, { readonly reserved: Decimal; readonly free: Decimal }>

/**
 * Reserves what is free for order lines of one warehouse, in the order given, oldest batch first; what is short stays unreserved.
 * Answers the quantity reserved and what was free before, by order line.
 */
export async function reserve(context: CommandContext, warehouseId: number, needs: readonly ReservationNeed[], limit?: Limit): Promise<Taken> {
  const answer = await takeFree(context, warehouseId, needs, limit)
  await addReserved(context, [...answer].map(([id, { reserved }]) => ({ id, qty: reserved })))
  return answer
}

/** As `reserve`, but the quantity reserved is the caller's to add to the order lines. */
export async function takeFree(
  context: CommandContext,
  warehouseId: number,
  needs: readonly ReservationNeed[],
  limit?: Limit,
): Promise<Taken> {
  const balances = await freeBalances(context.tx, warehouseId, needs.map((need) => need.itemId))
  const free = new Map(balances.map((row) => [row.id, exact(row.on_hand).minus(row.reserved)]))
  const taken: Row[] = []
  const changes: { id: number; on_hand: Decimal; reserved: Decimal }[] = []
  const answer = new Map<number, { reserved: Decimal; free: Decimal }>()
  const atFirst = new Map<number, Exact>()
  const takenOf = new Map<number, Map<number, Exact>>()
  const allowed = new Map<string, Exact>()
  const heldOpen = new Map(balances.flatMap(({ held }) => held ?? []).map(({ id, open }) => [id, exact(open)]))
  const turned: { id: number; qty: Exact }[] = []
  for (const need of needs) {
    const own = balances.filter((row) => row.item_id === need.itemId)
    const kept = own.flatMap(({ batch, held }) => (held ?? []).filter((row) => isHolder(row, need)).map(({ id }) => ({ id, batch })))
    const before = sum([...own.map((row) => free.get(row.id) ?? exact(0)), ...kept.map(({ id }) => heldOpen.get(id) ?? exact(0))])
    const rowOf = (batch: string, qty: Decimal): Row => ({
      item_id: need.itemId, warehouse_id: warehouseId, batch, qty, open_qty: qty, kind: 'ORDER', order_line_id: need.orderLineId, customer_id: need.customerId, created_at: context.now.toISOString(),
    })
    // What was promised to whoever orders becomes his order's; the balance has it reserved already.
    let given = exact(0)
    for (const { id, batch } of kept) {
      const part = least(exact(need.qty).minus(given), heldOpen.get(id) ?? exact(0))
      if (part.lte(0)) continue
      heldOpen.set(id, (heldOpen.get(id) ?? exact(0)).minus(part))
      given = given.plus(part)
      turned.push({ id, qty: part })
      taken.push(rowOf(batch, fixed(part, 3)))
    }
    if (!atFirst.has(need.itemId)) atFirst.set(need.itemId, before)
    const key = `${need.orderId} ${need.itemId}`
    const takenBy = takenOf.get(need.itemId) ?? new Map<number, Exact>()
    takenOf.set(need.itemId, takenBy)
    const most = limit === undefined ? undefined : (allowed.get(key) ?? limit(need.orderId, need.itemId, { before: atFirst.get(need.itemId) ?? before, now: before, taken: takenBy }))
    const rest = exact(need.qty).minus(given)
    const wanted = most === undefined ? rest : least(rest, most)
    let left = wanted
    for (const balance of own) {
      const part = least(left, free.get(balance.id) ?? exact(0))
      if (part.lte(0)) continue
      const qty = fixed(part, 3)
      free.set(balance.id, (free.get(balance.id) ?? exact(0)).minus(part))
      left = left.minus(part)
      changes.push({ id: balance.id, on_hand: '0', reserved: qty })
      taken.push(rowOf(balance.batch, qty))
    }
    const reserved = wanted.minus(left)
    takenBy.set(need.orderId, reserved.plus(takenBy.get(need.orderId) ?? '0'))
    if (most !== undefined) allowed.set(key, most.minus(reserved))
    answer.set(need.orderLineId, { reserved: fixed(reserved.plus(given), 3), free: fixed(before, 3) })
  }
  await changeBalances(context.tx, changes)
  turnHeld(context.tx, turned)
  await insertRowsLater(context.tx, 'stock_reservation', taken)
  return answer
}

function isHolder({ customer_id: customer, channel_id: channel }: Held, need: ReservationNeed): boolean {
  return customer !== null ? customer === need.customerId : channel !== null && channel === need.channelId
}

function turnHeld(tx: Queries, turned: readonly { readonly id: number; readonly qty: Exact }[]): void {
  if (turned.length === 0) return
  const rows = turned.map(({ id, qty }) => ({ id, qty: fixed(qty, 3) }))
  tx.later(sql`
    update stock_reservation r set open_qty = r.open_qty - x.qty from (select id, sum(qty) as qty from ${recordset(rows, { id: 'bigint', qty: 'numeric' }, 'y')} group by id) x where r.id = x.id`)
  countHeld(tx, turned.map(({ id }) => id))
  tx.later(sql`
    update reservation d set status = 3, version = d.version + 1 where d.status = 1 and d.id in (select doc_id from stock_reservation where id = any(${turned.map(({ id }) => id)}::bigint[]) and doc_type = 'reservation')
      and not exists (select 1 from stock_reservation r where r.doc_type = 'reservation' and r.doc_id = d.id and r.open_qty > 0)`)
}

/** Lines of reservations say what is still held for them. */
function countHeld(tx: Queries, ids: readonly number[]): void {
  if (ids.length === 0) return
  tx.later(sql`
    update reservation_line l set open_qty = coalesce((select sum(r.open_qty) from stock_reservation r where r.doc_type = 'reservation' and r.doc_id = l.reservation_id and r.doc_line_id = l.id), 0)
    where l.id in (select doc_line_id from stock_reservation where id = any(${[...ids]}::bigint[]) and doc_type = 'reservation')`)
}

interface OpenReservation extends Row {
  readonly id: number
  /** Null where no order holds it. */
  readonly order_line_id: number | null
  readonly item_id: number
  readonly warehouse_id: number
  readonly batch: string
  readonly open_qty: Decimal
}

/** Gives open reservations of order lines back to stock: all of them, or `qty` per line, newest first. */
export async function release(context: CommandContext, lines: readonly { readonly orderLineId: number; readonly qty: Decimal | 'all' }[]): Promise<void> {
  const open = await openReservations(context, lines.map((line) => line.orderLineId))
  const steps = lines.flatMap((line) => {
    let left = line.qty === 'all' ? null : exact(line.qty)
    return open
      .filter((row) => row.order_line_id === line.orderLineId)
      .reverse()
      .flatMap((row) => {
        const part = left === null ? exact(row.open_qty) : least(left, exact(row.open_qty))
        if (left !== null) left = left.minus(part)
        return part.gt(0) ? [{ row, part }] : []
      })
  })
  await changeReservations(context, steps.map(({ row, part }) => ({ row, qty: part.times(-1) })), false)
}

/** Turns reservations of order lines into goods gone: `qty` of a batch leaves the reservation and the balance. */
export async function consume(context: CommandContext, lines: readonly { readonly orderLineId: number; readonly batch: string; readonly qty: Decimal }[]): Promise<void> {
  const open = await openReservations(context, lines.map((line) => line.orderLineId))
  const left = new Map(open.map((row) => [row.id, exact(row.open_qty)]))
  const steps: { row: OpenReservation; qty: Exact }[] = []
  for (const line of lines) {
    let needed = exact(line.qty)
    for (const row of open.filter((candidate) => candidate.order_line_id === line.orderLineId && candidate.batch === line.batch)) {
      const part = least(needed, left.get(row.id) ?? exact(0))
      if (part.lte(0)) continue
      left.set(row.id, (left.get(row.id) ?? exact(0)).minus(part))
      needed = needed.minus(part)
      steps.push({ row, qty: part.times(-1) })
    }
    if (needed.gt(0)) throw new Error(`Order line ${line.orderLineId} has no reservation for ${needed.toString()} more`)
  }
  await changeReservations(context, steps, true)
}

/** Goods are not there any more that were promised: the newest reservations of an item and batch give way until `leaves` can go. Their order lines are short again. */
export async function giveWay(context: CommandContext, warehouseId: number, losses: readonly { readonly itemId: number; readonly batch: string; readonly leaves: Decimal }[]): Promise<void> {
  const balances = await lockBalances(context.tx, warehouseId, losses.map(({ itemId }) => itemId))
  const steps: { row: OpenReservation; qty: Exact }[] = []
  for (const { itemId, batch, leaves } of losses) {
    const balance = balances.find((row) => row.item_id === itemId && row.batch === batch)
    let short = balance === undefined ? exact(0) : exact(balance.reserved).plus(leaves).minus(balance.on_hand)
    if (short.lte(0)) continue
    const rows = await context.tx.rows<OpenReservation>(sql`
      select id, order_line_id, item_id, warehouse_id, batch, open_qty from stock_reservation
      where item_id = ${itemId} and warehouse_id = ${warehouseId} and batch = ${batch} and open_qty > 0 order by created_at desc, id desc for update`)
    for (const row of rows) {
      const part = least(short, exact(row.open_qty))
      if (part.lte(0)) break
      short = short.minus(part)
      steps.push({ row, qty: part.times(-1) })
    }
  }
  await changeReservations(context, steps, false)
}

/** Gives what a document holds back to stock. */
export async function releaseHeld(context: CommandContext, document: { readonly type: string; readonly id: number }): Promise<void> {
  const rows = await locked(context, sql`select id, order_line_id, item_id, warehouse_id, batch, open_qty from stock_reservation where doc_type = ${document.type} and doc_id = ${document.id} and open_qty > 0 order by id`)
  await changeReservations(context, rows.map((row) => ({ row, qty: exact(row.open_qty).times(-1) })), false)
}

/** Goods of a cancelled issue come back and belong to their order lines again. */
export async function restore(
  context: CommandContext,
  warehouseId: number,
  lines: readonly { readonly orderLineId: number; readonly customerId: number; readonly itemId: number; readonly batch: string; readonly qty: Decimal }[],
): Promise<void> {
  const balances = await lockBalances(context.tx, warehouseId, lines.map((line) => line.itemId))
  await changeBalances(context.tx, lines.flatMap((line) => {
    const balance = balances.find((row) => row.item_id === line.itemId && row.batch === line.batch)
    return balance ? [{ id: balance.id, on_hand: line.qty, reserved: line.qty }] : []
  }))
  await insertRowsLater(context.tx, 'stock_reservation', lines.map((line) => ({
    item_id: line.itemId, warehouse_id: warehouseId, batch: line.batch, qty: line.qty, open_qty: line.qty, kind: 'ORDER', order_line_id: line.orderLineId,
    customer_id: line.customerId, created_at: context.now.toISOString(),
  })))
  await addReserved(context, lines.map((line) => ({ id: line.orderLineId, qty: line.qty })))
}

/** Open reservations of order lines; their balances are locked first, as by everyone. */
function openReservations(context: CommandContext, orderLineIds: readonly number[]): Promise<OpenReservation[]> {
  return locked(context, sql`select id, order_line_id, item_id, warehouse_id, batch, open_qty from stock_reservation where order_line_id = any(${[...orderLineIds]}::bigint[]) and open_qty > 0 order by id`)
}

async function locked(context: CommandContext, find: Sql): Promise<OpenReservation[]> {
  const rows = await context.tx.rows<OpenReservation>(find)
  const warehouses = [...new Set(rows.map((row) => row.warehouse_id))].sort((a, b) => a - b)
  for (const warehouse of warehouses) await lockBalances(context.tx, warehouse, rows.filter((row) => row.warehouse_id === warehouse).map((row) => row.item_id))
  return context.tx.rows<OpenReservation>(sql`${find} for update`)
}

async function changeReservations(context: CommandContext, steps: readonly { readonly row: OpenReservation; readonly qty: Exact }[], leavesStock: boolean): Promise<void> {
  if (steps.length === 0) return
  const rows = steps.map(({ row, qty }) => ({ id: row.id, qty: fixed(qty, 3), item_id: row.item_id, warehouse_id: row.warehouse_id, batch: row.batch }))
  context.tx.later(sql`
    update stock_reservation r set open_qty = r.open_qty + x.qty
    from (select id, sum(qty) as qty from ${recordset(rows, { id: 'bigint', qty: 'numeric' }, 'y')} group by id) x where r.id = x.id`)
  balancesLater(context.tx, sql`
    update stock_balance b set reserved = b.reserved + x.qty, on_hand = b.on_hand + case when ${leavesStock} then x.qty else 0 end
    from (select item_id, warehouse_id, batch, sum(qty) as qty
      from ${recordset(rows, { qty: 'numeric', item_id: 'bigint', warehouse_id: 'bigint', batch: 'text' }, 'y')} group by 1, 2, 3) x
    where b.item_id = x.item_id and b.warehouse_id = x.warehouse_id and b.batch = x.batch`)
  countHeld(context.tx, steps.flatMap(({ row }) => (row.order_line_id === null ? [row.id] : [])))
  await addReserved(context, steps.flatMap(({ row, qty }) => (row.order_line_id === null ? [] : [{ id: row.order_line_id, qty: fixed(qty, 3) }])))
}

async function addReserved(context: CommandContext, changes: readonly { readonly id: number; readonly qty: Decimal }[]): Promise<void> {
  if (changes.length === 0) return
  context.tx.later(sql`
    update sales_order_line l set reserved_qty = l.reserved_qty + x.qty
    from (select id, sum(qty) as qty from ${recordset([...changes], { id: 'bigint', qty: 'numeric' }, 'y')} group by id) x where l.id = x.id`)
}

function least(a: Exact, b: Exact): Exact {
  return a.lt(b) ? a : b
}

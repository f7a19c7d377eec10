import { exact, fixed, money, quantityText, sum, type Decimal } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import type { CommandContext, Queries, Row } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { changeBalances, leastStockSince, lockBalances, moveStock } from './stock.ts'

/** Where goods of ours stand at a customer. */
export interface ConsignedPlace {
  readonly id: number
  readonly operatingUnitId: number
}

/** The customer's consignment warehouse; undefined where he has none. */
export async function consignedPlace(tx: Queries, customerId: number): Promise<ConsignedPlace | undefined> {
  const row = await tx.first<{ id: number; unit: number }>(sql`
    select w.id, w.operating_unit_id as unit from warehouse w where w.customer_id = ${customerId} and w.kind = 'CONSIGNMENT' and w.stock_class = 'CONSIGNMENT' and w.is_active order by w.id limit 1`)
  return row === undefined ? undefined : { id: row.id, operatingUnitId: row.unit }
}

interface Arrival {
  readonly itemId: number
  readonly batch: string
  readonly qty: Decimal
  readonly cost: Decimal
  readonly lineId: number
}

/** Goods of ours come to stand at the customer, at the cost they left at. */
export async function fillUp(context: CommandContext, customerId: number, doc: { readonly type: string; readonly id: number; readonly date: DateText; readonly unit: number }, goods: readonly Arrival[]): Promise<void> {
  const place = await consignedPlace(context.tx, customerId)
  if (place?.operatingUnitId !== doc.unit) fail('VALIDATION_FAILED.no-consignment')
  const rows = goods.map(({ itemId, batch, qty }) => ({ item_id: itemId, batch, qty: fixed(qty, 3) }))
  await context.tx.run(sql`
    insert into stock_balance as b (item_id, warehouse_id, batch, on_hand, reserved)
    select x.item_id, ${place.id}, x.batch, sum(x.qty), 0 from ${recordset(rows, { item_id: 'bigint', batch: 'text', qty: 'numeric' }, 'x')}
    group by 1, 3 order by 1, 3 on conflict (item_id, warehouse_id, batch) do update set on_hand = b.on_hand + excluded.on_hand`)
  await moveStock(context, {
    type: '631', date: doc.date, operatingUnitId: doc.unit, warehouseId: place.id, stockClass: 'CONSIGNMENT', docType: doc.type, docId: doc.id,
    moves: goods.map(({ itemId, batch, qty, cost, lineId }) => ({ itemId, batch, qty, cost, lineId, reversalOf: null })),
  })
}

export interface SoldLine {
  readonly lineId: number
  readonly itemId: number
  readonly itemCode: string
  readonly qty: Decimal
  /** Wire path of what says how much. */
  readonly at: string
}

/** Goods at the customer are sold: 633 at average cost, oldest batch first; `type`: they leave otherwise. Answers the cost by line. */
export async function issueConsigned(context: CommandContext, place: ConsignedPlace, doc: { readonly type: string; readonly id: number; readonly date: DateText }, lines: readonly SoldLine[], type: '633' | '702' = '633'): Promise<ReadonlyMap<number, Decimal>> {
  const { tx } = context
  const itemIds = lines.map(({ itemId }) => itemId)
  const balances = await lockBalances(tx, place.id, itemIds)
  const then = doc.date < context.today ? await leastStockSince(tx, place.id, doc.date, itemIds) : []
  const left = new Map(balances.map((row) => {
    const least = then.find((one) => one.item_id === row.item_id && one.batch === row.batch)?.stock
    return [row.id, exact(least !== undefined && exact(least).lt(row.on_hand) ? least : row.on_hand)] as const
  }))
  const parts = lines.flatMap((line) => {
    const own = balances.filter((row) => row.item_id === line.itemId).toSorted((a, b) => (a.batch < b.batch ? -1 : 1))
    let open = exact(line.qty)
    const taken = own.flatMap((row) => {
      const free = left.get(row.id) ?? exact(0)
      const part = open.lt(free) ? open : free
      if (part.lte(0)) return []
      open = open.minus(part)
      left.set(row.id, free.minus(part))
      return [{ line, balance: row, qty: fixed(part, 3) }]
    })
    if (open.gt(0)) invalid([wrong(line.at, 'EXCEEDS_AVAILABLE.stock', { stock: quantityText(exact(line.qty).minus(open)) })])
    return taken
  })
  await changeBalances(tx, parts.map(({ balance, qty }) => ({ id: balance.id, on_hand: fixed(exact(qty).times(-1), 3), reserved: '0' })))
  const moved = await moveStock(context, {
    type, date: doc.date, operatingUnitId: place.operatingUnitId, warehouseId: place.id, stockClass: 'CONSIGNMENT', docType: doc.type, docId: doc.id,
    moves: parts.map(({ line, balance, qty }) => ({ itemId: line.itemId, batch: balance.batch, qty, cost: null, lineId: line.lineId, reversalOf: null })),
  })
  const costs = new Map<number, Decimal[]>()
  for (const [i, { line }] of parts.entries()) costs.set(line.lineId, [...(costs.get(line.lineId) ?? []), money(exact(moved[i]?.movement.cost ?? '0').times(-1))])
  return new Map([...costs].map(([id, own]) => [id, money(sum(own))]))
}

interface Issued extends Row {
  readonly id: number
  readonly item_id: number
  readonly warehouse_id: number
  readonly operating_unit_id: number
  readonly batch: string
  readonly qty: Decimal
  readonly cost_amount: Decimal
  readonly doc_line_id: number | null
}

/** What a document sold stands at the customer again: 634 at the cost it left at. */
export async function takeBackConsigned(context: CommandContext, doc: { readonly type: string; readonly id: number; readonly date: DateText }): Promise<void> {
  const { tx } = context
  const rows = await tx.rows<Issued>(sql`
    select m.id, m.item_id, m.warehouse_id, m.operating_unit_id, m.batch, -m.qty as qty, -m.cost_amount as cost_amount, m.doc_line_id from stock_movement m
    where m.doc_type = ${doc.type} and m.doc_id = ${doc.id} and m.movement_type = '633' and not exists (select 1 from stock_movement r where r.reversal_of_id = m.id) order by m.id`)
  const [first] = rows
  if (first === undefined) return
  const balances = await lockBalances(tx, first.warehouse_id, rows.map((row) => row.item_id))
  await changeBalances(tx, rows.flatMap((row) => balances.filter((one) => one.item_id === row.item_id && one.batch === row.batch).map(({ id }) => ({ id, on_hand: row.qty, reserved: '0' }))))
  await moveStock(context, {
    type: '634', date: doc.date, operatingUnitId: first.operating_unit_id, warehouseId: first.warehouse_id, stockClass: 'CONSIGNMENT', docType: doc.type, docId: doc.id,
    moves: rows.map((row) => ({ itemId: row.item_id, batch: row.batch, qty: row.qty, cost: row.cost_amount, lineId: row.doc_line_id, reversalOf: row.id })),
  })
}

interface Filled extends Issued {
  readonly code: string
}

/**
 * Goods a document brought to stand at a customer leave there again, at the cost they came at, as far as they are still there. Answers what the stock there gave less,
 * or more, of value, by item.
 */
export async function takeBackFill(context: CommandContext, doc: { readonly type: string; readonly id: number; readonly date: DateText; readonly unit: number }): Promise<readonly { readonly itemId: number; readonly amount: Decimal }[]> {
  const { tx } = context
  const rows = await tx.rows<Filled>(sql`
    select m.id, m.item_id, i.code, m.warehouse_id, m.operating_unit_id, m.batch, m.qty, m.cost_amount, m.doc_line_id from stock_movement m join item i on i.id = m.item_id
    where m.doc_type = ${doc.type} and m.doc_id = ${doc.id} and m.movement_type = '631' and m.stock_class = 'CONSIGNMENT' and not exists (select 1 from stock_movement r where r.reversal_of_id = m.id) order by m.id`)
  const [first] = rows
  if (first === undefined) return []
  const balances = await lockBalances(tx, first.warehouse_id, rows.map((row) => row.item_id))
  const back = rows.map((row) => ({ row, balance: balances.find((one) => one.item_id === row.item_id && one.batch === row.batch), qty: fixed(exact(row.qty).times(-1), 3), cost: money(exact(row.cost_amount).times(-1)) }))
  const changes = back.map(({ row, balance, qty }) => {
    const needed = sum(rows.filter((one) => one.item_id === row.item_id && one.batch === row.batch).map((one) => one.qty))
    const there = balance === undefined ? exact(0) : exact(balance.on_hand).minus(balance.reserved)
    if (balance === undefined || needed.gt(there)) return fail('STOCK_INSUFFICIENT.item', { item: row.code, stock: quantityText(there), needed: quantityText(needed) })
    return { id: balance.id, on_hand: qty, reserved: '0' }
  })
  await changeBalances(tx, changes)
  const moved = await moveStock(context, {
    type: '632', date: doc.date, operatingUnitId: doc.unit, warehouseId: first.warehouse_id, stockClass: 'CONSIGNMENT', docType: doc.type, docId: doc.id, levels: true,
    moves: back.map(({ row, qty, cost }) => ({ itemId: row.item_id, batch: row.batch, qty, cost, lineId: row.doc_line_id, reversalOf: row.id })),
  })
  return moved.slice(rows.length).map(({ itemId, movement }) => ({ itemId, amount: movement.cost }))
}

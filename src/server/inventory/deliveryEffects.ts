import { exact, fixed, isDecimal, money, quantityText, sum, type Decimal } from '#base/decimal.ts'
import { dayText, isDate, type DateText } from '#base/date.ts'
import { decimalsOf } from '#domain/pricing/currency.ts'
import { issueAmounts } from '#domain/ledger/invoiceAmounts.ts'
import type { CommandContext, Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import { post, reverse, stockAccount } from '#server/ledger/post.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { earnedGifts, giftsAhead } from '#server/sales/gifts.ts'
import { ordersOfLines, refreshOrders } from '#server/sales/orderStatus.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { insertDocument, numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { dayIsFixed } from '#server/workflow/periods.ts'
import { fillUp, takeBackFill } from './consignedGoods.ts'
import { deliverContainers, recallContainers, shipContainers, unshipContainers } from './containers.ts'
import { partsOf } from './countedUnits.ts'
import { addPlanned, valueOf } from './planDelivery.ts'
import { consume, restore } from './reservation.ts'
import { leastStockSince, moveStock } from './stock.ts'
import { giveBackToTrip, sellFromTrip } from './vanTrip.ts'

interface PlanLine extends Row {
  readonly order_line_id: number
  readonly qty: Decimal
  readonly sales_order_id: number
  readonly customer_id: number
  readonly ship_to_id: number | null
  readonly territory_id: number | null
  readonly item_id: number
  readonly total: Decimal
  readonly qty_base: Decimal
  readonly is_cod: boolean
  /** Goods that stay ours at the customer's: no goods issue has them beside goods that are sold. */
  readonly is_consigned: boolean
}

/** One delivery order for each customer and address, with a line for each order line and batch reserved. */
export const releasePlan: Effect = async (context) => {
  const { tx, record } = context
  const lines = await tx.rows<PlanLine>(sql`
    select p.order_line_id, p.qty, l.sales_order_id, o.customer_id, o.ship_to_id, o.territory_id, l.item_id, l.total, l.qty_base, coalesce(t.is_cod, false) and o.order_type not in ('CONSIGN', 'CMI') as is_cod, o.order_type in ('CONSIGN', 'CMI') as is_consigned
    from delivery_plan_line p join sales_order_line l on l.id = p.order_line_id join sales_order o on o.id = l.sales_order_id left join payment_term t on t.id = o.payment_term_id
    where p.delivery_plan_id = ${record.id} order by p.stop_no, p.line_no`)
  const batches = await freeBatches(tx, lines.map((line) => line.order_line_id))
  const keyOf = (line: PlanLine): string => `${line.customer_id} ${line.ship_to_id ?? 0} ${line.is_consigned}`
  for (const first of lines.filter((line, at) => lines.findIndex((other) => keyOf(other) === keyOf(line)) === at)) {
    const group = lines.filter((line) => keyOf(line) === keyOf(first))
    const shipTo = first.ship_to_id ?? (await defaultAddress(tx, first.customer_id))
    const orders = new Set(group.map((line) => line.sales_order_id))
    const cod = group.filter((line) => line.is_cod).map((line) => valueOf(line.total, line.qty_base, line.qty))
    const unit = numberOf(record, 'operating_unit_id')
    await insertDocument(
      context,
      'delivery_order',
      {
        code: await context.nextNumber('DO', unit, context.today),
        operating_unit_id: unit,
        territory_id: first.territory_id,
        doc_date: textOf(record, 'plan_date'),
        customer_id: first.customer_id,
        ship_to_id: shipTo,
        delivery_plan_id: record.id,
        sales_order_id: orders.size === 1 ? first.sales_order_id : null,
        warehouse_id: numberOf(record, 'warehouse_id'),
        cod_amount: cod.length > 0 ? money(sum(cod).round(decimalsOf(await homeCurrency(tx, unit)))) : null,
      },
      { table: 'delivery_order_line', rows: group.flatMap((line) => splitByBatch(line, batches).map(({ batch, qty }) => ({ order_line_id: line.order_line_id, item_id: line.item_id, batch, qty_planned: qty }))) },
    )
  }
  await refreshOrders(context, lines.map((line) => line.sales_order_id))
}

interface BatchRow extends Row {
  readonly order_line_id: number
  readonly batch: string
  readonly qty: Decimal
}

/** Free quantities of batches by order line. */
export type FreeBatches = ReadonlyMap<number, { batch: string; qty: Decimal }[]>

/** Reserved of each order line by batch, less what live delivery orders hold. */
export async function freeBatches(tx: Queries, orderLineIds: readonly number[]): Promise<FreeBatches> {
  const rows = await tx.rows<BatchRow>(sql`
    select r.order_line_id, r.batch, sum(r.open_qty) - coalesce((
      select sum(d.qty_planned) from delivery_order_line d join delivery_order o on o.id = d.delivery_order_id
      where d.order_line_id = r.order_line_id and d.batch = r.batch and o.status in (0, 1, 8)), 0) as qty
    from stock_reservation r where r.order_line_id = any(${[...orderLineIds]}::bigint[]) and r.open_qty > 0 group by 1, 2 order by 1, 2`)
  const batches = new Map<number, { batch: string; qty: Decimal }[]>()
  for (const row of rows) batches.set(row.order_line_id, [...(batches.get(row.order_line_id) ?? []), { batch: row.batch, qty: row.qty }])
  return batches
}

/** What a quantity of an order line takes of which batch; what it takes is no longer free. */
export function splitByBatch(line: { readonly order_line_id: number; readonly qty: Decimal }, batches: FreeBatches): { readonly batch: string; readonly qty: Decimal }[] {
  let left = exact(line.qty)
  const parts: { batch: string; qty: Decimal }[] = []
  for (const batch of batches.get(line.order_line_id) ?? []) {
    const part = left.lt(batch.qty) ? left : exact(batch.qty)
    if (part.lte(0)) continue
    batch.qty = fixed(exact(batch.qty).minus(part), 3)
    left = left.minus(part)
    parts.push({ batch: batch.batch, qty: fixed(part, 3) })
  }
  if (left.gt(0)) fail('STOCK_INSUFFICIENT.reserved')
  return parts
}

async function defaultAddress(tx: Queries, customerId: number): Promise<number> {
  const row = await tx.first<{ id: number }>(sql`select id from customer_address where customer_id = ${customerId} order by kind = 'SHIP_TO' desc, is_default desc, id limit 1`)
  if (row === undefined) fail('VALIDATION_FAILED.ship-to')
  return row.id
}

export const planIsIssued: Precondition = async ({ tx, record }) => {
  const open = await tx.first<{ code: string }>(sql`select code from delivery_order where delivery_plan_id = ${record.id} and status in (0, 1, 8) order by id limit 1`)
  if (open !== undefined) fail('ILLEGAL_TRANSITION.delivery-not-issued', { delivery: open.code })
}

export const planIsDelivered: Precondition = async ({ tx, record }) => {
  const open = await tx.first<{ code: string }>(sql`select code from delivery_order where delivery_plan_id = ${record.id} and status in (0, 1, 2, 8) order by id limit 1`)
  if (open !== undefined) fail('ILLEGAL_TRANSITION.delivery-not-confirmed', { delivery: open.code })
}

export const planNotIssued: Precondition = async ({ tx, record }) => {
  const issued = await tx.first<{ code: string }>(sql`select code from delivery_order where delivery_plan_id = ${record.id} and status in (2, 3) order by id limit 1`)
  if (issued !== undefined) fail('ILLEGAL_TRANSITION.delivery-issued', { delivery: issued.code })
}

/** Its deliveries end with it; a draft gives its quantities back to the order lines. */
export const cancelPlan: Effect = async (context) => {
  const { tx, record } = context
  if (record['status'] === 0) {
    const lines = await tx.rows<{ order_line_id: number; qty: Decimal }>(sql`select order_line_id, qty from delivery_plan_line where delivery_plan_id = ${record.id} order by order_line_id`)
    await addPlanned(context, lines.map((line) => ({ id: line.order_line_id, qty: `-${line.qty}` })))
    await refreshOrders(context, await ordersOfLines(context, lines.map((line) => line.order_line_id)))
    return
  }
  const deliveries = await tx.rows<{ id: number }>(sql`select id from delivery_order where delivery_plan_id = ${record.id} and status in (0, 1, 8) order by id`)
  for (const delivery of deliveries) await context.transition('delivery_order', delivery.id, 'cancel', { reason_id: context.input['reason_id'] ?? null, reason_text: context.input['reason_text'] ?? null })
}

interface DeliveryLine extends Row {
  readonly id: number
  readonly order_line_id: number
  readonly item_id: number
  readonly batch: string
  readonly qty_planned: Decimal
  readonly qty_picked: Decimal
  readonly qty_issued: Decimal
  readonly is_free: boolean
}

function deliveryLines(tx: Queries, id: number): Promise<DeliveryLine[]> {
  return tx.rows<DeliveryLine>(sql`
    select d.id, d.order_line_id, d.item_id, d.batch, d.qty_planned, d.qty_picked, d.qty_issued, l.is_free
    from delivery_order_line d join sales_order_line l on l.id = d.order_line_id where d.delivery_order_id = ${id} order by d.line_no, d.id for update of d`)
}

/** `quantities`: `{ "<line id>": "<picked>" }`, at most what was planned; a line not named is picked whole. */
export const pickDelivery: Effect = (context) => confirmPicked(context, (line) => line.qty_planned)

/** What was confirmed wrongly is said anew as long as the goods are here; a line not named stays as it was picked. */
export const correctPicking: Effect = (context) => confirmPicked(context, (line) => line.qty_picked)

async function confirmPicked(context: TransitionContext, unnamed: (line: DeliveryLine) => Decimal): Promise<void> {
  const given = pickedQuantities(context.input['quantities'])
  const lines = await deliveryLines(context.tx, context.record.id)
  const foreign = [...given.keys()].find((id) => !lines.some((line) => line.id === id))
  if (foreign !== undefined) invalid([wrong(`Quantities.${foreign}`, 'NOT_IN_SCOPE.line')])
  const rows = lines.map((line) => {
    const qty = given.get(line.id) ?? unnamed(line)
    if (exact(qty).gt(line.qty_planned)) fail('EXCEEDS_AVAILABLE.picked', { planned: quantityText(line.qty_planned), picked: quantityText(qty) })
    return { id: line.id, itemId: line.item_id, qty, qtyBase: qty, isWhole: exact(qty).eq(line.qty_planned) }
  })
  const parts = await partsOf(context.tx, rows.filter((row) => !row.isWhole))
  if (parts.length > 0) invalid(parts.map(({ id, item, qty }) => wrong(`Quantities.${id}`, 'INVALID.part-of-piece', { item, qty })))
  await giftsGoAlong(context.tx, lines, new Map(rows.map((row) => [row.id, row.qty])))
  if (rows.every((row) => exact(row.qty).eq(0))) invalid([wrong('Quantities', 'REQUIRED.picked')])
  await context.tx.run(sql`update delivery_order_line l set qty_picked = x.qty from ${recordset(rows, { id: 'bigint', qty: 'numeric' }, 'x')} where l.id = x.id`)
}

/** Gifts leave with the goods they are given for, or after them. `picked`: by delivery line. */
async function giftsGoAlong(tx: Queries, lines: readonly DeliveryLine[], picked: ReadonlyMap<number, Decimal>): Promise<void> {
  const leaving = (orderLineId: number) => sum(lines.filter((line) => line.order_line_id === orderLineId).map((line) => picked.get(line.id) ?? '0'))
  const going = lines.filter((line) => line.is_free && exact(picked.get(line.id) ?? '0').gt(0))
  if (going.length === 0) return
  const gifts = await earnedGifts(tx, going.map((line) => line.order_line_id), (line) => fixed(leaving(line.id).plus(line.delivered_qty), 3))
  const problems = gifts.flatMap(({ line, earned }) => {
    const most = exact(earned).minus(line.delivered_qty)
    const first = going.find((one) => one.order_line_id === line.id)
    return first === undefined || leaving(line.id).lte(most) ? [] : [wrong(`Quantities.${first.id}`, 'TOO_LARGE.gift', { item: line.item_code, most: quantityText(fixed(most.gt(0) ? most : exact(0), 3)) })]
  })
  if (problems.length > 0) invalid(problems)
}

function pickedQuantities(given: unknown): ReadonlyMap<number, Decimal> {
  if (given === null || given === undefined) return new Map()
  if (typeof given !== 'object') return invalid([wrong('Quantities', 'INVALID.quantities')])
  return new Map(
    Object.entries(given).map(([id, qty]) => {
      const text = String(qty)
      if (!isDecimal(text, 3) || exact(text).lt(0) || !/^\d{1,15}$/.test(id)) invalid([wrong(`Quantities.${id}`, 'INVALID.not-quantity', { value: text.slice(0, 40) })])
      return [Number(id), text] as const
    }),
  )
}

/** Makes and posts the goods issue of what was picked; what was planned and not picked goes back to the order. */
export const issueDelivery: Effect = async (context) => {
  const { tx, record } = context
  const lines = await deliveryLines(tx, record.id)
  const { posting_date: asked } = context.input
  const date = isDate(asked) ? asked : context.today
  if (date > context.today) invalid([wrong('PostingDate', 'TOO_LATE.goods-issue')])
  const picked = lines.filter((line) => exact(line.qty_picked).gt(0))
  await giftsGoAlong(tx, picked, new Map(picked.map((line) => [line.id, line.qty_picked])))
  const { id } = await insertDocument(
    context,
    'goods_issue',
    {
      operating_unit_id: numberOf(record, 'operating_unit_id'),
      territory_id: numberOrNull(record, 'territory_id'),
      doc_date: context.today,
      posting_date: date,
      delivery_order_id: record.id,
      customer_id: numberOf(record, 'customer_id'),
      warehouse_id: numberOf(record, 'warehouse_id'),
    },
    { table: 'goods_issue_line', rows: picked.map((line) => ({ delivery_order_line_id: line.id, order_line_id: line.order_line_id, item_id: line.item_id, batch: line.batch, qty: line.qty_picked })) },
  )
  await context.transition('goods_issue', id, 'post')
}

interface IssueLine extends Row {
  readonly id: number
  readonly delivery_order_line_id: number
  readonly order_line_id: number
  readonly item_id: number
  readonly batch: string
  readonly qty: Decimal
  readonly cost: Decimal
  readonly qty_planned: Decimal
  readonly movement_id: number | null
}

function issueLines(tx: Queries, id: number): Promise<IssueLine[]> {
  return tx.rows<IssueLine>(sql`
    select g.id, g.delivery_order_line_id, g.order_line_id, g.item_id, g.batch, g.qty, g.cost, d.qty_planned, g.movement_id
    from goods_issue_line g join delivery_order_line d on d.id = g.delivery_order_line_id where g.goods_issue_id = ${id} order by g.line_no, g.id`)
}

/** How goods leave: out of the warehouse, to stand at the customer unsold, or sold from a van. */
const ways = {
  sale: { stockClass: 'UNRESTRICTED', issue: '601', back: '602', event: 'GI_SALE' },
  consigned: { stockClass: 'UNRESTRICTED', issue: '631', back: '632', event: 'CONS_FILL' },
  // What is sold from a van is invoiced at once: it is never issued and not invoiced.
  van: { stockClass: 'CANVAS', issue: 'V03', back: 'V04', event: null },
} as const

/** Order lines first, then stock: everyone who ships locks in this order. Answers how their goods leave. */
async function lockOrderLines(context: CommandContext, lines: readonly { readonly order_line_id: number }[]): Promise<keyof typeof ways> {
  const rows = await context.tx.rows<{ way: keyof typeof ways }>(sql`
    select case when o.order_type in ('CONSIGN', 'CMI') then 'consigned' when o.order_type = 'CANVAS' then 'van' else 'sale' end as way from sales_order_line l join sales_order o on o.id = l.sales_order_id
    where l.id = any(${lines.map((line) => line.order_line_id)}::bigint[]) order by l.id for update of l`)
  return rows.find(({ way }) => way !== 'sale')?.way ?? 'sale'
}

/** Goods leave the warehouse at moving average: stock, reservation, order lines, journal. */
export const postGoodsIssue: Effect = async (context) => {
  const { tx, record } = context
  const unit = numberOf(record, 'operating_unit_id')
  const date = textOf(record, 'posting_date')
  await context.assertPeriodOpen(['ST', 'GL'], unit, date)
  const lines = await issueLines(tx, record.id)
  const way = await lockOrderLines(context, lines)
  const { stockClass, issue, event } = ways[way]
  if (date < context.today) await wasThere(tx, numberOf(record, 'warehouse_id'), date, lines)
  await consume(context, lines.map((line) => ({ orderLineId: line.order_line_id, batch: line.batch, qty: line.qty })))
  const moved = await moveStock(context, {
    type: issue, date, operatingUnitId: unit, warehouseId: numberOf(record, 'warehouse_id'), stockClass, docType: 'goods_issue', docId: record.id,
    moves: lines.map((line) => ({ itemId: line.item_id, batch: line.batch, qty: line.qty, cost: null, lineId: line.id, reversalOf: null })),
  })
  const costs = lines.map((line, at) => ({
    id: line.id, cost: negated(moved[at]?.movement.cost ?? '0'), unit_cost: moved[at]?.movement.unitCost ?? '0', movement_id: moved[at]?.movementId ?? null,
    qty: line.qty, delivery_line: line.delivery_order_line_id, order_line: line.order_line_id, planned: line.qty_planned, item_id: line.item_id,
  }))
  await tx.run(sql`
    update goods_issue_line g set cost = x.cost, unit_cost = x.unit_cost, movement_id = x.movement_id
    from ${recordset(costs, { id: 'bigint', cost: 'numeric', unit_cost: 'numeric', movement_id: 'bigint' }, 'x')} where g.id = x.id`)
  await tx.run(sql`update delivery_order_line d set qty_issued = x.qty from ${recordset(costs, { delivery_line: 'bigint', qty: 'numeric' }, 'x')} where d.id = x.delivery_line`)
  // A line nothing was picked of has no goods issue line, but its plan ends all the same.
  await tx.run(sql`
    update sales_order_line l set delivered_qty = l.delivered_qty + x.issued, planned_qty = l.planned_qty - x.planned
    from (select order_line_id, sum(qty_issued) as issued, sum(qty_planned) as planned from delivery_order_line where delivery_order_id = ${numberOf(record, 'delivery_order_id')} group by 1) x
    where l.id = x.order_line_id`)
  const code = textOf(context.current, 'code')
  context.set({ cost: money(sum(costs.map((line) => line.cost))) })
  if (way === 'van') context.set({ canvas_request_id: await sellFromTrip(context, numberOf(record, 'warehouse_id'), lines) })
  if (way === 'consigned') {
    const doc = { type: 'goods_issue', id: record.id, date, unit }
    await fillUp(context, numberOf(record, 'customer_id'), doc, lines.map((line, at) => ({ itemId: line.item_id, batch: line.batch, qty: line.qty, cost: costs[at]?.cost ?? '0', lineId: line.id })))
    await nothingToBill(context, record.id)
  }
  await shipContainers(context, numberOf(record, 'delivery_order_id'), numberOf(record, 'customer_id'))
  await refreshOrders(context, await ordersOfLines(context, lines.map((line) => line.order_line_id)))
  if (event === null) return
  await post(context, {
    event, source: { type: 'goods_issue', id: record.id, code }, operatingUnitId: unit, date, description: `Goods issue ${code}`,
    amounts: issueAmounts(costs.map((line) => ({ itemId: line.item_id, cost: line.cost })), numberOrNull(record, 'territory_id')),
  })
}

/** Goods brought to stand at the customer are billed by what is sold of them: of this goods issue nothing is. */
async function nothingToBill(context: TransitionContext, id: number): Promise<void> {
  await context.tx.run(sql`update goods_issue_line set billed_qty = qty where goods_issue_id = ${id}`)
  await context.tx.run(sql`
    update sales_order_line l set billed_qty = l.billed_qty + x.qty from (select order_line_id, sum(qty) as qty from goods_issue_line where goods_issue_id = ${id} group by 1) x where l.id = x.order_line_id`)
  context.endIn(3)
}

/** Goods that leave on an earlier day had been ordered by then, and were there on that day and every day since. */
async function wasThere(tx: Queries, warehouseId: number, date: DateText, lines: readonly IssueLine[]): Promise<void> {
  const order = await tx.first<{ code: string; day: DateText }>(sql`
    select o.code, o.doc_date as day from sales_order o where o.doc_date > ${date}::date
      and o.id in (select sales_order_id from sales_order_line where id = any(${lines.map((line) => line.order_line_id)}::bigint[])) order by o.doc_date desc, o.id limit 1`)
  if (order !== undefined) invalid([wrong('PostingDate', 'TOO_EARLY.order', { day: dayText(order.day), order: order.code })])
  const keyOf = (itemId: number, batch: string): string => `${itemId} ${batch}`
  for (const { item_id: itemId, batch, code, stock, day } of await leastStockSince(tx, warehouseId, date, lines.map((line) => line.item_id))) {
    const needed = sum(lines.filter((line) => keyOf(line.item_id, line.batch) === keyOf(itemId, batch)).map((line) => line.qty))
    if (needed.gt(stock)) fail('STOCK_INSUFFICIENT.then', { item: code, day: dayText(day), stock: quantityText(stock), needed: quantityText(needed) })
  }
}

function negated(value: Decimal): Decimal {
  return money(exact(value).times(-1))
}

export const goodsIssueIsUnbilled: Precondition = async ({ tx, record }) => {
  // What stands at a customer is billed by what is sold of it: of the goods issue itself nothing ever is.
  const billed = await tx.first(sql`
    select 1 from goods_issue_line g join sales_order_line l on l.id = g.order_line_id join sales_order o on o.id = l.sales_order_id
    where g.goods_issue_id = ${record.id} and g.billed_qty > 0 and o.order_type not in ('CONSIGN', 'CMI') limit 1`)
  if (billed !== undefined) fail('ILLEGAL_TRANSITION.goods-invoiced')
  const back = await tx.first<{ code: string }>(sql`select coalesce(code, 'DRAFT-' || id) as code from goods_issue_return where goods_issue_id = ${record.id} and status in (0, 1, 4) order by id limit 1`)
  if (back !== undefined) fail('ILLEGAL_TRANSITION.goods-returned', { document: back.code })
  const delivered = await tx.first<{ code: string }>(sql`select code from delivery_order where id = ${numberOf(record, 'delivery_order_id')} and status <> 2`)
  if (delivered !== undefined) fail('ILLEGAL_TRANSITION.delivery-confirmed', { delivery: delivered.code })
}

/** The goods come back at the cost they left at, to the order lines they were for; the delivery may be issued again. */
export const cancelGoodsIssue: Effect = async (context) => {
  const { tx, record } = context
  const unit = numberOf(record, 'operating_unit_id')
  // Goods do not come back before the day they left.
  const left = textOf(record, 'posting_date')
  const { date: asked } = context.input
  const date = isDate(asked) ? asked : left > context.today ? left : context.today
  await dayIsFixed(context.assertPeriodOpen(['ST', 'GL'], unit, date))
  const lines = await issueLines(tx, record.id)
  const way = await lockOrderLines(context, lines)
  const { stockClass, back, event } = ways[way]
  const rests = way === 'consigned' ? await takeBackFill(context, { type: 'goods_issue', id: record.id, date, unit }) : []
  if (way === 'van') await giveBackToTrip(context, numberOf(record, 'canvas_request_id'), lines)
  if (way === 'consigned') await billableAgain(context, record.id)
  await restore(context, numberOf(record, 'warehouse_id'), lines.map((line) => ({
    orderLineId: line.order_line_id, customerId: numberOf(record, 'customer_id'), itemId: line.item_id, batch: line.batch, qty: line.qty,
  })))
  await moveStock(context, {
    type: back, date, operatingUnitId: unit, warehouseId: numberOf(record, 'warehouse_id'), stockClass, docType: 'goods_issue', docId: record.id,
    moves: lines.map((line) => ({ itemId: line.item_id, batch: line.batch, qty: line.qty, cost: line.cost, lineId: line.id, reversalOf: line.movement_id })),
  })
  await tx.run(sql`
    update sales_order_line l set delivered_qty = l.delivered_qty - x.issued, planned_qty = l.planned_qty + x.issued
    from (select order_line_id, sum(qty_issued) as issued from delivery_order_line where delivery_order_id = ${numberOf(record, 'delivery_order_id')} group by 1) x
    where l.id = x.order_line_id`)
  // The plan of the delivery shrinks to what was picked: the rest went back to the order when it was issued.
  await tx.run(sql`update delivery_order_line set qty_planned = qty_issued, qty_picked = qty_issued, qty_issued = 0 where delivery_order_id = ${numberOf(record, 'delivery_order_id')}`)
  const ahead = await giftsAhead(tx, lines.map((line) => line.order_line_id))
  if (ahead.length > 0) fail('ILLEGAL_TRANSITION.gift-stays', { items: ahead })
  await unshipContainers(context, numberOf(record, 'delivery_order_id'))
  await context.transition('delivery_order', numberOf(record, 'delivery_order_id'), 'unissue')
  await refreshOrders(context, await ordersOfLines(context, lines.map((line) => line.order_line_id)))
  const code = textOf(record, 'code')
  const source = { type: 'goods_issue', id: record.id, code }
  if (event !== null) await reverse(context, { source, event }, { source, date, description: `Cancellation of goods issue ${code}` })
  if (rests.length === 0) return
  const account = await stockAccount(tx, 'CONSIGNMENT')
  await post(context, { event: 'STOCK_REST', source, operatingUnitId: unit, date, description: `Cancellation of goods issue ${code}`, amounts: rests.map(({ itemId, amount }) => ({ key: 'rest' as const, amount, itemId, account })) })
}

async function billableAgain(context: TransitionContext, id: number): Promise<void> {
  await context.tx.run(sql`
    update sales_order_line l set billed_qty = l.billed_qty - x.qty from (select order_line_id, sum(billed_qty) as qty from goods_issue_line where goods_issue_id = ${id} group by 1) x where l.id = x.order_line_id`)
  await context.tx.run(sql`update goods_issue_line set billed_qty = 0 where goods_issue_id = ${id}`)
}

/** The customer has everything that was sent; terms that count from delivery count from today. */
export const confirmDelivery: Effect = async (context) => {
  await context.tx.run(sql`update delivery_order_line set qty_received = qty_issued, qty_rejected = 0 where delivery_order_id = ${context.record.id}`)
  await deliveredOn(context, context.today)
}

/** The proof of delivery says when. */
export const receiveDelivery: Effect = (context) => deliveredOn(context, textOf(context.input, 'received_date'))

async function deliveredOn(context: TransitionContext, day: DateText): Promise<void> {
  const { tx, record } = context
  context.set({ delivered_date: day })
  await deliverContainers(context, record.id, numberOf(record, 'customer_id'))
  await tx.run(sql`
    update invoice i set pod_date = ${day}::date, baseline_date = ${day}::date, due_date = ${day}::date + i.net_days, version = i.version + 1
    where i.baseline = 'POD' and i.status in (1, 2) and i.id in (
      select l.invoice_id from invoice_line l join goods_issue_line g on g.id = l.gi_line_id join goods_issue h on h.id = g.goods_issue_id where h.delivery_order_id = ${record.id})`)
}

/** The customer's receipt is taken back, so that the goods may be. */
export const undoReceipt: Effect = async (context) => {
  await context.tx.run(sql`update delivery_order_line set qty_received = 0, qty_rejected = 0 where delivery_order_id = ${context.record.id}`)
  context.set({ delivered_date: null })
  await recallContainers(context, context.record.id, numberOf(context.record, 'customer_id'))
}

export const cancelDelivery: Effect = async (context: TransitionContext) => {
  const lines = await deliveryLines(context.tx, context.record.id)
  await lockOrderLines(context, lines)
  await addPlanned(context, lines.map((line) => ({ id: line.order_line_id, qty: `-${line.qty_planned}` })))
  await refreshOrders(context, await ordersOfLines(context, lines.map((line) => line.order_line_id)))
}

import { addDays, type DateText } from '#base/date.ts'
import { exact, fixed, grouped, money, sum, type Exact } from '#base/decimal.ts'
import type { Said } from '#api/problems.ts'
import type { OrderLine, PricedLine } from '#domain/pricing/priceOrder.ts'
import type { Row } from '#server/context.ts'
import { creditFacts } from '#server/approval/creditFacts.ts'
import { comboColumns } from '#server/sales/orderCombos.ts'
import { said, tell } from '#server/sentences.ts'
import type { Standing } from './accountsOfBuyers.ts'
import { decide, requestApproval } from './approvals.ts'
import type { Buyer } from './customers.ts'
import { refusalOf } from './refusals.ts'
import { advance, header, log, moment, nextWorkday, type Header, type Trade } from './trade.ts'

/** A line with the quantities that change while the order is served, in base units. */
export interface TradeLine {
  readonly row: Row & { id: number }
  readonly priced: PricedLine
  readonly qty: Exact
  reserved: Exact
  planned: Exact
  delivered: Exact
  billed: Exact
  cancelled: Exact
}

export interface TradeOrder {
  readonly row: Header & { id: number }
  readonly buyer: Buyer
  readonly standing: Standing
  readonly lines: readonly TradeLine[]
  readonly total: Exact
  readonly day: DateText
  readonly shipToId: number
  /** The first day it may be planned; undefined while nobody has approved it. */
  planFrom: DateText | undefined
  unpaid: number
}

/** Enters, prices, submits and, where nothing blocks it, approves an order. Undefined when nothing the customer wants is in stock. */
export function takeOrder(trade: Trade, standing: Standing, day: DateText, fate: 'normal' | 'draft' | 'cancel'): TradeOrder | undefined {
  const { chance } = trade
  const { buyer } = standing
  const wanted: OrderLine[] = basket(trade, buyer)
  if (wanted.length === 0) return undefined
  wanted.push(...packageOf(trade, buyer, day, wanted.length))
  const priced = trade.pricer.price(buyer, day, wanted)
  const { unit } = buyer
  const at = moment(trade, day, chance.between(8, 16), chance.between(0, 59))
  const shipToId = chance.pick(buyer.shipToIds)
  const row = trade.book.add('sales_order', {
    ...header({ unit, territoryId: buyer.territory.id, day, by: unit.users.sales, at }), order_type: buyer.channel === 'TRADER' ? 'TRADER' : 'REG', customer_id: buyer.id, ship_to_id: shipToId, bill_to_id: buyer.billToId,
    po_number: chance.chance(0.4) ? `PO-${chance.digits(6)}` : null, po_date: null, requested_date: nextWorkday(day, chance.between(1, 2)), sales_channel_id: buyer.channelId,
    salesman_id: buyer.salesmanId, payment_term_id: buyer.termId, price_set_id: null, warehouse_id: unit.warehouseId, form_version: 1, gross: priced.gross, discount: priced.discount,
    promo: priced.promo, dpp: priced.dpp, dpp_other: priced.dppOther, ppn: priced.ppn, rounding: priced.rounding, total: priced.total, block_codes: [] as string[],
    credit_snapshot: null as Row | null, delivery_status: 0, billing_status: 0, payment_status: 0, stage: 'ENTRY',
  })
  const lines = writeLines(trade, row.id, priced.lines)
  const order: TradeOrder = { row, buyer, standing, lines, total: exact(priced.total), day, shipToId, planFrom: undefined, unpaid: 0 }
  log(trade, 'sales_order', row.id, 'create', null, 0, unit.users.sales, at)
  if (fate !== 'draft') submit(trade, order, at, fate)
  return order
}

function submit(trade: Trade, order: TradeOrder, at: string, fate: 'normal' | 'cancel'): void {
  const { row, buyer, standing } = order
  const blocks = standing.blocks(order.total, order.day)
  row.code = trade.numbers.next('SO', buyer.unit, order.day)
  const floor = priceBlocks(order.lines)
  const all = [...floor, ...blocks.map(({ code, sentence, value }) => ({ code, ...said(sentence), value }))]
  Object.assign(row, {
    block_codes: all.map((block) => block.code), stage: 'APPROVAL',
    credit_snapshot: {
      exposure: money(standing.exposure), limit: buyer.limit ?? '0.00', overdue: blocks.find((block) => block.code === 'CL02')?.value ?? '0.00', max_days_overdue: 0,
      blocks: all,
    },
  })
  const { users } = buyer.unit
  advance(trade, 'sales_order', row, 'submit', 4, users.sales, at)
  if (all.length === 0) {
    approve(trade, order, users.sales, at, true)
    if (fate === 'cancel') cancel(trade, order, moment(trade, order.day, 17))
    return
  }
  const request = requestApproval(trade, {
    docType: 'sales_order', document: row, transition: 'approve', amount: money(order.total), buyer, by: users.sales, at, reasons: all,
    facts: creditFacts(standing.standingOn(order.day), { total: money(order.total), isCash: standing.isCash }),
  })
  const decidedOn = trade.chance.chance(0.8) ? order.day : nextWorkday(order.day)
  // What came in the last days still waits on somebody's desk, now and then.
  const waits = decidedOn > trade.today || (order.day >= addDays(trade.lastDay, -3) && trade.chance.chance(0.8)) || order.day === trade.lastDay
  if (waits) return
  const decidedAt = moment(trade, decidedOn, 17, trade.chance.between(0, 50))
  if (trade.chance.chance(0.88)) {
    approve(trade, order, decide(trade, request, 'APPROVE', users, decidedAt), decidedAt)
    order.planFrom = nextWorkday(decidedOn)
  } else {
    const { reason, note } = refusalOf([...blocks, ...floor].map(({ code }) => code), row.id)
    const reasonId = trade.reasons.get(reason) ?? null
    advance(trade, 'sales_order', row, 'reject', 5, decide(trade, request, 'REJECT', users, decidedAt, note), decidedAt, note, false, [{ field: 'reason_id', from: null, to: reasonId }])
    Object.assign(row, { stage: 'ENTRY', block_codes: [], credit_snapshot: null, reason_id: reasonId })
  }
}

function approve(trade: Trade, order: TradeOrder, by: number, at: string, isUnasked = false): void {
  const { row, buyer, standing } = order
  advance(trade, 'sales_order', row, 'approve', 1, by, at, null, isUnasked)
  row['stage'] = 'ALLOCATED'
  for (const line of order.lines) {
    const itemId = line.priced.itemId
    const free = trade.stock.available(buyer.unit, itemId)
    const qty = free.lt(line.qty) ? free : line.qty
    line.row['atp_qty'] = fixed(free, 3)
    if (qty.gt(0)) trade.stock.reserve(buyer.unit, itemId, qty)
    line.reserved = qty
  }
  if (!buyer.term.isCash && !buyer.term.isCod) standing.orders = standing.orders.plus(sum(order.lines.map((line) => line.priced.total)))
  order.planFrom = nextWorkday(order.day)
}

/** The customer takes it back before anything was delivered. */
function cancel(trade: Trade, order: TradeOrder, at: string): void {
  for (const line of order.lines) {
    trade.stock.reserve(order.buyer.unit, line.priced.itemId, line.reserved.times(-1))
    line.reserved = exact(0)
    line.cancelled = line.qty
  }
  order.standing.orders = order.standing.orders.minus(order.buyer.term.isCash || order.buyer.term.isCod ? 0 : sum(order.lines.map((line) => line.priced.total)))
  Object.assign(order.row, { reason_id: trade.reasons.get('C01') ?? null })
  advance(trade, 'sales_order', order.row, 'cancel', 6, order.buyer.unit.users.sales, at)
  order.planFrom = undefined
}

/** Whatever has not been delivered by now will not be; the order ends with what was. */
export function cancelRest(trade: Trade, order: TradeOrder, at: string): void {
  const { row, standing, buyer } = order
  if (row.status !== 1 && row.status !== 2) return
  for (const line of order.lines) {
    const rest = line.qty.minus(line.delivered).minus(line.cancelled)
    if (rest.lte(0)) continue
    if (line.reserved.gt(0)) trade.stock.reserve(buyer.unit, line.priced.itemId, line.reserved.times(-1))
    line.reserved = exact(0)
    line.cancelled = line.cancelled.plus(rest)
    if (!buyer.term.isCash && !buyer.term.isCod) standing.orders = standing.orders.minus(exact(line.priced.total).times(rest).div(line.qty))
  }
  const by = buyer.unit.users.sales
  const from = row.status
  refreshOrder(trade, order, by, at)
  row.reason_id = trade.reasons.get('C03') ?? null
  log(trade, 'sales_order', row.id, 'cancel', from, row.status, by, at)
}

function priceBlocks(lines: readonly TradeLine[]): (Said & { code: string; value: string })[] {
  const below = lines.flatMap((line) => line.priced.blocks.filter((block) => block.code === 'PR01'))
  const value = money(below.reduce((sum, block) => sum.plus(block.amount), exact(0)))
  return below.length === 0 ? [] : [{ code: 'PR01', ...tell('block.PR01', { count: below.length, amount: grouped(value) }), value }]
}

/** A few lines of what is in stock, in whole cartons, more of it for bigger customers. */
function basket(trade: Trade, buyer: Buyer): { key: number; itemId: number; uom: string; qty: string; manualDiscount: string }[] {
  const { chance } = trade
  const lines = []
  const chosen = new Set<number>()
  const count = Math.min(12, Math.max(1, Math.round(2.6 + buyer.size * 0.9 + chance.bell() * 1.3)))
  for (let attempt = 0; lines.length < count && attempt < count * 3; attempt++) {
    const goods = trade.drawGoods()
    if (chosen.has(goods.id)) continue
    chosen.add(goods.id)
    const value = (goods.cost / 0.86) * goods.carton
    const cartons = Math.max(1, Math.round(((900_000 * buyer.size) / value) * Math.exp(chance.bell() * 0.6)))
    const free = Math.floor(Number(trade.stock.available(buyer.unit, goods.id)) / goods.carton)
    // Gifts of running promotions come out of the same stock.
    const qty = Math.min(cartons, Math.floor(free * 0.8))
    if (qty > 0) lines.push({ key: lines.length + 1, itemId: goods.id, uom: 'CTN', qty: String(qty), manualDiscount: '0' })
  }
  return lines
}

/** Of late every twelfth order takes a combo too, where its parts are in stock. Draws no dice: what else is bought stays as it was. */
function packageOf(trade: Trade, buyer: Buyer, day: DateText, before: number): OrderLine[] {
  const n = trade.book.rows('sales_order').length
  if (day < addDays(trade.lastDay, -13) || n % 12 !== 0) return []
  const parts = trade.pricer.package(n / 12)
  const isThere = parts.every((part) => trade.stock.available(buyer.unit, part.itemId).gte(exact(part.qty).times(2)))
  return isThere ? parts.map((part, i) => ({ ...part, key: before + i + 1 })) : []
}

function writeLines(trade: Trade, orderId: number, lines: readonly PricedLine[]): TradeLine[] {
  const idOf = new Map<number, number>()
  return lines.map((priced, at) => {
    const row = trade.book.add('sales_order_line', {
      sales_order_id: orderId, line_no: at + 1, item_id: priced.itemId, uom: priced.uom, qty: priced.qty, factor: priced.factor, qty_base: priced.qtyBase, price: priced.price,
      price_source: priced.priceSource, gross: priced.gross, discount_amount: priced.discount, promo_amount: priced.promo, manual_discount: priced.manualDiscount, dpp: priced.dpp,
      dpp_other: priced.dppOther, ppn: priced.ppn, total: priced.total, tax_included: priced.taxIncluded, is_free: priced.isFree, promotion_id: priced.promotionId,
      ...comboColumns(priced.combo),
      parent_line_id: priced.parentKey === null ? null : (idOf.get(priced.parentKey) ?? null), atp_qty: null as string | null, reserved_qty: '0', planned_qty: '0', delivered_qty: '0',
      billed_qty: '0', returned_qty: '0', cancelled_qty: '0', requested_date: null, reject_reason_id: null, price_trace: priced.trace, note: null,
    })
    idOf.set(priced.key, row.id)
    for (const step of priced.steps)
      trade.book.add('sales_order_discount', { line_id: row.id, seq: step.seq, source: step.source, name: step.name, rate: step.rate, amount: step.amount })
    return { row, priced, qty: exact(priced.qtyBase), reserved: exact(0), planned: exact(0), delivered: exact(0), billed: exact(0), cancelled: exact(0) }
  })
}

/** Writes the quantities where they stand at the end, and what is still reserved. */
export function closeOrder(trade: Trade, order: TradeOrder): void {
  for (const line of order.lines) {
    Object.assign(line.row, {
      reserved_qty: fixed(line.reserved, 3), planned_qty: fixed(line.planned, 3), delivered_qty: fixed(line.delivered, 3), billed_qty: fixed(line.billed, 3), cancelled_qty: fixed(line.cancelled, 3),
    })
    if (line.reserved.gt(0))
      trade.book.add('stock_reservation', {
        item_id: line.priced.itemId, warehouse_id: order.buyer.unit.warehouseId, batch: '', qty: fixed(line.reserved, 3), open_qty: fixed(line.reserved, 3), kind: 'ORDER',
        order_line_id: line.row.id, customer_id: order.buyer.id, expires_on: null, created_at: order.row['updated_at'],
      })
  }
}

/** Status, stage and progress by the quantities, as the running system derives them. */
export function refreshOrder(trade: Trade, order: TradeOrder, by: number, at: string): void {
  const { row, lines } = order
  if (row.status !== 1 && row.status !== 2 && row.status !== 3) return
  const someDelivered = lines.some((line) => line.delivered.gt(0))
  const allDelivered = lines.every((line) => line.delivered.plus(line.cancelled).gte(line.qty))
  const someBilled = lines.some((line) => line.billed.gt(0))
  const allBilled = lines.every((line) => line.billed.gte(line.delivered))
  const status = someDelivered && allDelivered && allBilled ? 3 : someDelivered ? 2 : 1
  const billing = !someBilled ? 0 : allDelivered && allBilled ? 3 : 2
  const stage = billing === 3 ? 'BILLED' : someDelivered ? 'SHIPPED' : lines.some((line) => line.planned.gt(0)) ? 'PLANNED' : 'ALLOCATED'
  Object.assign(row, { delivery_status: !someDelivered ? 0 : allDelivered ? 3 : 2, billing_status: billing, stage })
  if (status !== row.status) {
    log(trade, 'sales_order', row.id, 'progress', row.status, status, by, at)
    row.status = status
    row.version++
    Object.assign(row, { updated_at: at, updated_by: by })
  }
}

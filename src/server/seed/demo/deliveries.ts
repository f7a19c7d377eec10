import type { DateText } from '#base/date.ts'
import { exact, fixed, money, sum, type Exact } from '#base/decimal.ts'
import { issueAmounts } from '#domain/ledger/invoiceAmounts.ts'
import type { Row } from '#server/context.ts'
import type { Territory, Unit } from './company.ts'
import { refreshOrder, type TradeLine, type TradeOrder } from './orders.ts'
import { advance, dated, header, moment, type Header, type Trade } from './trade.ts'

/** Goods on their way to a customer, and then issued but not billed. */
export interface TradeDelivery {
  readonly order: TradeOrder
  readonly row: Header & { id: number }
  readonly lines: readonly { readonly row: Row & { id: number }; readonly line: TradeLine; readonly qty: Exact }[]
  readonly day: DateText
  issue: TradeIssue | undefined
}

export interface TradeIssue {
  readonly row: Header & { id: number }
  readonly day: DateText
  readonly lines: readonly { readonly row: Row & { id: number }; readonly line: TradeLine; readonly qty: Exact; readonly cost: string }[]
  isBilled: boolean
}

/** What lines of a delivery come to, by what was ordered: added where it leaves and taken off where it is billed, to the same amount. */
export function valueOf(lines: TradeIssue['lines']): Exact {
  return sum(lines.map(({ line, qty }) => exact(line.priced.total).times(qty).div(line.qty)))
}

export interface TradePlan {
  readonly row: Header & { id: number }
  readonly unit: Unit
  readonly day: DateText
  readonly deliveries: readonly TradeDelivery[]
}

/** One plan per territory and about eight orders, on the next free vehicle. */
export function planDay(trade: Trade, unit: Unit, day: DateText, orders: readonly TradeOrder[]): TradePlan[] {
  const plans: TradePlan[] = []
  for (const territory of unit.territories) {
    const own = orders.filter((order) => order.buyer.territory.id === territory.id)
    for (let start = 0; start < own.length; start += 8) plans.push(plan(trade, unit, territory, day, own.slice(start, start + 8), plans.length))
  }
  return plans
}

function plan(trade: Trade, unit: Unit, territory: Territory, day: DateText, orders: readonly TradeOrder[], at: number): TradePlan {
  const { users } = unit
  const made = moment(trade, day, 7, 10 + (at % 20))
  const weights = new Map(trade.goods.map((goods) => [goods.id, goods.weight]))
  const loads = orders.map((order) => ({ order, lines: order.lines.filter((line) => line.reserved.gt(0)) })).filter((load) => load.lines.length > 0)
  const load = loads.flatMap(({ lines }) => lines).reduce((total, line) => total + Number(line.reserved) * (weights.get(line.priced.itemId) ?? 0), 0)
  const row = trade.book.add('delivery_plan', {
    ...header({ unit, territoryId: territory.id, day, by: users.warehouse, at: made }), plan_date: day, warehouse_id: unit.warehouseId, vehicle_id: unit.vehicles[at % unit.vehicles.length] ?? null,
    driver_id: unit.drivers[at % unit.drivers.length] ?? null, helper: null, route: territory.seed.name, shipment_type: 'OWN', load_weight: load.toFixed(3), load_volume: (load / 600).toFixed(3),
    planned_cost: '0',
  })
  let lineNo = 0
  for (const [stop, { order, lines }] of loads.entries())
    for (const line of lines) {
      trade.book.add('delivery_plan_line', { delivery_plan_id: row.id, line_no: ++lineNo, order_line_id: line.row.id, customer_id: order.buyer.id, sales_order_id: order.row.id, item_id: line.priced.itemId, qty: fixed(line.reserved, 3), stop_no: stop + 1, note: null })
      line.planned = line.reserved
    }
  row.code = trade.numbers.next('DP', unit, day)
  advance(trade, 'delivery_plan', row, 'release', 1, users.warehouse, made)
  return { row, unit, day, deliveries: loads.map(({ order, lines }) => deliver(trade, unit, day, row.id, order, lines, made)) }
}

function deliver(trade: Trade, unit: Unit, day: DateText, planId: number, order: TradeOrder, lines: readonly TradeLine[], at: string): TradeDelivery {
  const { users } = unit
  const share = (line: TradeLine): Exact => exact(line.priced.total).times(line.planned).div(line.qty)
  const row = trade.book.add('delivery_order', {
    ...header({ unit, territoryId: order.buyer.territory.id, day, by: users.warehouse, at, source: 'SYSTEM' }), customer_id: order.buyer.id, ship_to_id: order.shipToId, delivery_plan_id: planId,
    sales_order_id: order.row.id, warehouse_id: unit.warehouseId, cod_amount: order.buyer.term.isCod ? money(sum(lines.map(share)).round(0)) : null,
  })
  row.code = trade.numbers.next('DO', unit, day)
  refreshOrder(trade, order, users.warehouse, at)
  return {
    order, row, day, issue: undefined,
    lines: lines.map((line, i) => ({
      line, qty: line.planned,
      row: trade.book.add('delivery_order_line', {
        delivery_order_id: row.id, line_no: i + 1, order_line_id: line.row.id, item_id: line.priced.itemId, batch: '', qty_planned: fixed(line.planned, 3), qty_picked: '0', qty_issued: '0',
        qty_received: '0', qty_rejected: '0', note: null,
      }),
    })),
  }
}

/** The warehouse has the goods of a delivery ready. */
export function pick(trade: Trade, delivery: TradeDelivery, at: string): void {
  const { users } = delivery.order.buyer.unit
  advance(trade, 'delivery_order', delivery.row, 'pick', 1, users.warehouse, at)
  for (const each of delivery.lines) each.row['qty_picked'] = fixed(each.qty, 3)
}

/** The goods leave: stock at moving average, reservation, order lines, journal. */
export function issueGoods(trade: Trade, delivery: TradeDelivery, day: DateText, at: string): TradeIssue {
  const { order } = delivery
  const { unit } = order.buyer
  const { users } = unit
  const row = trade.book.add('goods_issue', {
    ...header({ unit, territoryId: order.buyer.territory.id, day, by: users.warehouse, at, source: 'SYSTEM' }), delivery_order_id: delivery.row.id, customer_id: order.buyer.id,
    warehouse_id: unit.warehouseId, cost: '0', reversal_of_id: null,
  })
  dated(row, day)
  const lines = delivery.lines.map(({ row: deliveryLine, line, qty }, i) => {
    const issueLine = trade.book.add('goods_issue_line', {
      goods_issue_id: row.id, line_no: i + 1, delivery_order_line_id: deliveryLine.id, order_line_id: line.row.id, item_id: line.priced.itemId, batch: '', qty: fixed(qty, 3), unit_cost: '0',
      cost: '0', billed_qty: '0', returned_qty: '0', movement_id: null as number | null, note: null,
    })
    trade.stock.reserve(unit, line.priced.itemId, qty.times(-1))
    const movement = trade.stock.issue(unit, line.priced.itemId, fixed(qty, 3), day, at, { type: 'goods_issue', id: row.id, lineId: issueLine.id })
    const cost = money(exact(movement.cost).times(-1))
    Object.assign(issueLine, { cost, unit_cost: movement.unitCost, movement_id: movement.id })
    deliveryLine['qty_issued'] = fixed(qty, 3)
    line.reserved = line.reserved.minus(qty)
    line.planned = line.planned.minus(qty)
    line.delivered = line.delivered.plus(qty)
    return { row: issueLine, line, qty, cost }
  })
  row.code = trade.numbers.next('GI', unit, day)
  row['cost'] = money(sum(lines.map((line) => line.cost)))
  advance(trade, 'goods_issue', row, 'post', 1, users.warehouse, at)
  advance(trade, 'delivery_order', delivery.row, 'issue', 2, users.warehouse, at)
  refreshOrder(trade, order, users.warehouse, at)
  trade.ledger.post(
    { event: 'GI_SALE', source: { type: 'goods_issue', id: row.id, code: row.code }, unit, date: day, description: `Goods issue ${row.code}`, by: users.warehouse, at },
    issueAmounts(lines.map((line) => ({ itemId: line.line.priced.itemId, cost: line.cost })), order.buyer.territory.id),
  )
  const value = valueOf(lines)
  if (!order.buyer.term.isCash && !order.buyer.term.isCod) order.standing.orders = order.standing.orders.minus(value)
  order.standing.gini = order.standing.gini.plus(value)
  delivery.issue = { row, day, lines, isBilled: false }
  return delivery.issue
}

/** The customer has signed for it. */
export function confirmDelivery(trade: Trade, delivery: TradeDelivery, at: string): void {
  advance(trade, 'delivery_order', delivery.row, 'deliver', 3, delivery.order.buyer.unit.users.warehouse, at)
  for (const each of delivery.lines) Object.assign(each.row, { qty_received: fixed(each.qty, 3), qty_rejected: '0' })
}

/** What happens to a plan on the day after it was made, by what its deliveries have reached. */
export function followPlan(trade: Trade, plan: TradePlan, at: string): void {
  const states = plan.deliveries.map((delivery) => delivery.row.status)
  const { users } = plan.unit
  if (plan.row.status === 1 && states.every((state) => state >= 2 && state <= 3)) advance(trade, 'delivery_plan', plan.row, 'depart', 2, users.warehouse, at)
  if (plan.row.status === 2 && states.every((state) => state === 3)) advance(trade, 'delivery_plan', plan.row, 'complete', 3, users.warehouse, at)
}

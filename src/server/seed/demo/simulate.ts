import { addDays, daysBetween, type DateText } from '#base/date.ts'
import { exact, fixed, money } from '#base/decimal.ts'
import { issueAmounts } from '#domain/ledger/invoiceAmounts.ts'
import { Standing, type OpenInvoice } from './accountsOfBuyers.ts'
import { bill, undoInvoice } from './billing.ts'
import { isWorkday, type Unit } from './company.ts'
import type { Buyer } from './customers.ts'
import { confirmDelivery, followPlan, issueGoods, pick, planDay, type TradeDelivery, type TradeIssue, type TradePlan } from './deliveries.ts'
import { cancelRest, closeOrder, takeOrder, type TradeOrder } from './orders.ts'
import { Receipts } from './receipts.ts'
import { moment, nextWorkday, type Trade } from './trade.ts'

/** What is under way in one operating unit. */
interface Desk {
  readonly unit: Unit
  readonly drawBuyer: () => Buyer
  toPlan: TradeOrder[]
  toIssue: TradeDelivery[]
  toConfirm: TradeDelivery[]
  toBill: { readonly delivery: TradeDelivery; readonly issue: TradeIssue; from: DateText }[]
  plans: TradePlan[]
  backorders: TradeOrder[]
  /** Invoices somebody will find to be wrong the next day. */
  wrong: OpenInvoice[]
}

/** Trades day by day from `start` to today; everything that happens is in the book afterwards. `ordersPerDay` is the company's average. */
export function simulate(trade: Trade, start: DateText, ordersPerDay: number, limits: ReadonlyMap<number, Record<string, unknown>>): void {
  const standings = new Map(trade.buyers.map((buyer) => [buyer.id, new Standing(buyer, limits.get(buyer.id) ?? {})]))
  const buyersOf = (unit: Unit): Buyer[] => trade.buyers.filter((buyer) => buyer.unit === unit)
  const desks = trade.units.filter((unit) => buyersOf(unit).length > 0).map((unit): Desk => ({
    unit, drawBuyer: trade.chance.drawer(buyersOf(unit).map((buyer) => [buyer, Math.sqrt(buyer.size)] as const)), toPlan: [], toIssue: [], toConfirm: [], toBill: [], plans: [], backorders: [], wrong: [],
  }))
  const orders: TradeOrder[] = []
  const receipts = new Receipts(trade, standings)
  const weight = trade.units.reduce((total, unit) => total + unit.weight, 0)
  openStock(trade, start)
  receipts.openBanks(start)
  for (let day = start; day <= trade.today; day = addDays(day, 1)) {
    if (!isWorkday(day)) continue
    for (const desk of desks) {
      if (new Date(`${day}T00:00:00Z`).getUTCDay() === 1) replenish(trade, desk.unit, day)
      orders.push(...sell(trade, desk, standings, day, (ordersPerDay * desk.unit.weight) / weight * season(start, day)))
      ship(trade, desk, day)
      takeBack(trade, desk, day)
      for (const invoice of billDay(trade, desk, day)) {
        invoice.payOn = meansToPay(trade, invoice)
        if (invoice.payOn > addDays(day, 8) && chance(trade, day)) desk.wrong.push(invoice)
      }
      giveUpBackorders(trade, desk, day)
    }
    receipts.day(day)
  }
  receipts.close()
  for (const order of orders) closeOrder(trade, order)
  trade.stock.close()
}

/** Slow growth, a busy month before Idul Fitri, a busy year end. */
function season(start: DateText, day: DateText): number {
  const growth = 0.88 + (daysBetween(start, day) / 540) * 0.24
  const month = day.slice(5, 7)
  return growth * (month === '02' || month === '03' ? 1.25 : month === '12' ? 1.15 : month === '04' ? 0.85 : 1)
}

function sell(trade: Trade, desk: Desk, standings: ReadonlyMap<number, Standing>, day: DateText, average: number): TradeOrder[] {
  const { chance } = trade
  const count = Math.max(0, Math.round(average + chance.bell() * Math.sqrt(average) * 0.6))
  const taken: TradeOrder[] = []
  for (let n = 0; n < count; n++) {
    const buyer = desk.drawBuyer()
    const standing = standings.get(buyer.id)
    if (standing === undefined) continue
    const fate = (day === trade.lastDay && n === 1) || (day >= addDays(trade.lastDay, -4) && chance.chance(0.12)) ? 'draft' : chance.chance(0.015) ? 'cancel' : 'normal'
    const order = takeOrder(trade, standing, day, fate)
    if (order === undefined) continue
    taken.push(order)
    if (order.planFrom !== undefined) desk.toPlan.push(order)
  }
  return taken
}

function ship(trade: Trade, desk: Desk, day: DateText): void {
  const { chance } = trade
  for (const delivery of desk.toConfirm) {
    if (delivery.issue !== undefined && delivery.issue.day < day && chance.chance(0.95)) confirmDelivery(trade, delivery, moment(trade, day, 9, chance.between(0, 59)))
  }
  desk.toConfirm = desk.toConfirm.filter((delivery) => delivery.row.status !== 3)
  const due = desk.toPlan.filter((order) => order.planFrom !== undefined && order.planFrom <= day)
  desk.toPlan = desk.toPlan.filter((order) => !due.includes(order))
  const plans = planDay(trade, desk.unit, day, due)
  desk.plans.push(...plans)
  desk.toIssue.push(...plans.flatMap((plan) => plan.deliveries))
  const isLate = day >= addDays(trade.lastDay, -1)
  for (const delivery of desk.toIssue) {
    if (chance.chance(isLate ? 0.35 : 0.08)) continue
    if (delivery.row.status === 0) pick(trade, delivery, moment(trade, day, 9, chance.between(0, 59)))
    if (chance.chance(isLate ? 0.3 : 0.02)) continue
    const issue = issueGoods(trade, delivery, day, moment(trade, day, chance.between(10, 12), chance.between(0, 59)))
    desk.toConfirm.push(delivery)
    // Now and then a delivery note goes missing and nobody bills it for days; the last one of all is still on the way to billing.
    const isForgotten = (day >= addDays(trade.today, -14) && chance.chance(0.06)) || (day === trade.lastDay && !desk.toBill.some(({ from }) => from > trade.today))
    desk.toBill.push({ delivery, issue, from: isForgotten ? addDays(trade.today, 1) : chance.chance(0.75) ? day : nextWorkday(day) })
    if (delivery.order.lines.some((line) => line.delivered.plus(line.cancelled).lt(line.qty))) desk.backorders.push(delivery.order)
  }
  desk.toIssue = desk.toIssue.filter((delivery) => delivery.issue === undefined)
  for (const plan of desk.plans) followPlan(trade, plan, moment(trade, day, 14))
  desk.plans = desk.plans.filter((plan) => plan.row.status !== 3)
}

function billDay(trade: Trade, desk: Desk, day: DateText): OpenInvoice[] {
  const ready = desk.toBill.filter(({ delivery, from }) => from <= day && (delivery.order.buyer.term.baseline !== 'POD' || delivery.row.status === 3))
  desk.toBill = desk.toBill.filter((each) => !ready.includes(each))
  return ready.map(({ delivery, issue }) => bill(trade, delivery, issue, day, moment(trade, day, 15, trade.chance.between(0, 59))))
}

/** More mistakes are found in the last weeks, so that there is one on a desk today. */
function chance(trade: Trade, day: DateText): boolean {
  return trade.chance.chance(day > addDays(trade.lastDay, -4) ? 0.2 : 0.008)
}

/** Wrong invoices are cancelled within their month and reversed after it; the goods are billed again the day after. */
function takeBack(trade: Trade, desk: Desk, day: DateText): void {
  const wrong = desk.wrong.filter((invoice) => invoice.row.posting_date !== null && invoice.row.posting_date < day)
  desk.wrong = desk.wrong.filter((invoice) => !wrong.includes(invoice))
  for (const invoice of wrong) {
    if (invoice.row.status !== 1) continue
    const mode = (invoice.row.posting_date ?? day).slice(0, 7) === day.slice(0, 7) ? 'CANCEL' : 'REVERSAL'
    const isDecided = day < addDays(trade.lastDay, -1)
    undoInvoice(trade, invoice, mode, day, isDecided)
    if (isDecided) desk.toBill.push({ delivery: invoice.delivery, issue: invoice.issue, from: nextWorkday(day) })
  }
}

/** What could not be delivered within a week is taken off the order. */
function giveUpBackorders(trade: Trade, desk: Desk, day: DateText): void {
  const old = desk.backorders.filter((order) => order.day < addDays(day, -7))
  desk.backorders = desk.backorders.filter((order) => !old.includes(order))
  for (const order of old) cancelRest(trade, order, moment(trade, day, 16, 30))
}

function meansToPay(trade: Trade, invoice: OpenInvoice): DateText {
  const { chance } = trade
  const late = invoice.buyer.habit + chance.bell() * 4 + (chance.chance(0.05) ? chance.between(30, 130) : 0)
  const from = invoice.row.posting_date ?? invoice.dueDate
  const day = addDays(invoice.dueDate, Math.round(late))
  return day < from ? from : day
}

/** The stock the company begins with, booked against the opening balance. */
function openStock(trade: Trade, day: DateText): void {
  for (const unit of trade.units) {
    const at = moment(trade, day, 7)
    const by = unit.users.admin
    const source = { type: 'opening_stock', id: unit.id, code: `OB-${unit.code}` }
    const lines = trade.goods.map((goods) => {
      const qty = String(goods.carton * Math.ceil(goods.demand * unit.weight * 3))
      const cost = money(exact(qty).times(goods.cost))
      trade.stock.receive('561', unit, goods.id, qty, cost, day, at, { type: source.type, id: source.id, lineId: null })
      return { itemId: goods.id, cost }
    })
    trade.ledger.post({ event: 'OB_STOCK', source, unit, date: day, description: `Opening stock ${source.code}`, by, at }, issueAmounts(lines, null))
    const total = money(lines.reduce((sum, line) => sum.plus(line.cost), exact(0)))
    trade.ledger.enter({ event: 'OB_GL', source, unit, date: day, description: 'Capital behind the opening stock', by, at }, 'OB', [
      { account: '331101', debit: total, credit: '0.00' }, { account: '311101', debit: '0.00', credit: total },
    ])
  }
}

let receiptNo = 0

/** Each Monday what runs short is bought for about five weeks, one receipt a principal. */
function replenish(trade: Trade, unit: Unit, day: DateText): void {
  const at = moment(trade, day, 8)
  const by = unit.users.warehouse
  const rise = day.slice(0, 4) === trade.today.slice(0, 4) ? 1.025 : 1
  const principals = new Set(trade.goods.map((goods) => goods.principalId))
  for (const principalId of principals) {
    const short = trade.goods.filter((goods) => goods.principalId === principalId && trade.stock.available(unit, goods.id).lt(goods.carton * goods.demand * unit.weight * 1.3))
    if (short.length === 0) continue
    const id = ++receiptNo
    const source = { type: 'stock_receipt', id, code: `LPB/${unit.code}/${day.slice(2, 4)}${day.slice(5, 7)}/${String(id).padStart(5, '0')}` }
    const lines = short.map((goods) => {
      const cartons = Math.ceil(goods.demand * unit.weight * trade.chance.between(2, 3))
      const qty = fixed(exact(goods.carton).times(cartons), 3)
      const cost = money(exact(qty).times(goods.cost).times(rise).times(fixed(exact(0.985 + trade.chance.next() * 0.03), 4)).round(0))
      trade.stock.receive('101', unit, goods.id, qty, cost, day, at, { type: source.type, id, lineId: null })
      return { itemId: goods.id, cost }
    })
    trade.ledger.post({ event: 'GR', source, unit, date: day, description: `Goods receipt ${source.code}`, by, at }, issueAmounts(lines, null))
  }
}

import { dayText, type DateText } from '#base/date.ts'
import { compare, type Decimal, exact, fixed, grouped, isZero, money, sum } from '#base/decimal.ts'
import type { Said } from '#api/problems.ts'
import { creditBlocks, creditLimitOf, excessAsked, type CheckedOrder, type CreditStanding } from '#domain/credit/creditCheck.ts'
import { baseOf } from '#domain/ledger/inBooks.ts'
import { agreedSource, type LineBlock, type OrderTotals, type PricedLine } from '#domain/pricing/priceOrder.ts'
import type { Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { overriddenCodes } from '#server/credit/overrideCredit.ts'
import { creditStanding, standingAsked } from '#server/credit/standing.ts'
import { changeRow, pendingRow, pendingRows } from '#server/db/pendingRows.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import { release, takeFree, type Limit, type ReservationNeed, type Taken } from '#server/inventory/reservation.ts'
import { freeBalancesAhead } from '#server/inventory/stock.ts'
import { commitPromotions, releasePromotions, settlePromotions } from '#server/pricing/promotionUses.ts'
import { exhaustedCode } from './exhausted.ts'
import { fail, invalid, raise, wrong } from '#server/problemError.ts'
import { said, tell } from '#server/sentences.ts'
import { setting } from '#server/settings.ts'
import { mustRate } from '#server/setup/exchangeRates.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import { checkCalls, dropCalls, takeCalls } from './contractCalls.ts'
import { checkLimits, servingOrder, takeQuotas } from './orderLimits.ts'
import { earnedGifts, giftsAhead } from './gifts.ts'
import { orderProgress } from './orderStatus.ts'
import { customerOfOrder, isCashTerm } from './orderCustomer.ts'
import { assertOrderDate, dateOrder } from './orderDate.ts'
import { isLate, lateCode, lateDelivery } from './lateDelivery.ts'
import { partCode, partsOfPieces } from './partsOfPieces.ts'
import { keptPricing, repriceStored, totalColumns, type Repriced } from './repriceOrder.ts'
import { uncountOrder } from './visitCounts.ts'

/** Why an order needs a person, as kept in `credit_snapshot.blocks` and shown to the approver. */
export interface OrderBlock extends Said {
  readonly code: string
  readonly value: Decimal
}

export const customerNotBlocked: Precondition = async ({ tx, record }) => {
  const customer = await customerOfOrder(tx, numberOf(record, 'customer_id'))
  if (customer?.status === 6) fail('CREDIT_BLOCKED.customer', { customer: customer.name })
  // A new customer orders once somebody has approved him.
  if (customer !== undefined && customer.status !== 1) fail('CREDIT_BLOCKED.customer-waiting', { customer: customer.name })
}

/** Prices and totals as the server sees them now; the client's own are worth nothing. */
export const repriceOrder: Effect = Object.assign(reprice, { first: dateOrder, ahead: askStockAhead })

/** An order just entered will most likely be approved at once and reserve: stock is asked for (and locked) right after its number, as it would be then. */
function askStockAhead({ tx, current }: TransitionContext): void {
  const warehouseId = numberOrNull(current, 'warehouse_id')
  const made = pendingRows(tx, 'sales_order_line').filter((row) => row['sales_order_id'] === current.id)
  if (warehouseId !== null && made.length > 0) freeBalancesAhead(tx, warehouseId, made.map((row) => numberOf(row, 'item_id')))
}

async function reprice(context: TransitionContext): Promise<void> {
  // What was executed elsewhere is held to the months its postings need.
  if (context.action.action === 'submit') await assertOrderDate(context)
  const { totals, currency, lines, places, problems, isChanged, exhausted } = await promisedPricing(context)
  if (problems.length > 0) invalid(problems)
  const rate = await mustRate(context.tx, numberOf(context.current, 'operating_unit_id'), currency, textOf(context.current, 'doc_date'), 'CustomerID')
  if (!context.user.guards.has('sales-order-override')) {
    const place = ({ key }: PricedLine): string => `Lines[${places.get(key) ?? 0}]`
    const manual = lines.find((line) => !isZero(line.manualDiscount))
    if (manual !== undefined) invalid([wrong(`${place(manual)}.ManualDiscount`, 'FORBIDDEN_GUARD.manual-discount')])
    const agreed = lines.find((line) => line.priceSource === agreedSource)
    if (agreed !== undefined) invalid([wrong(`${place(agreed)}.AgreedPrice`, 'FORBIDDEN_GUARD.agreed-price')])
  }
  if (isChanged === true && context.action.action === 'submit') warnOfPrices(context, totals)
  const spent = exhausted.map(({ code }) => code)
  if (spent.length > 0 && context.action.action === 'submit') context.warn(`${exhaustedCode}-${spent.join()}`, exhaustedCode, tell('warning.promotion-exhausted', { promotions: spent }))
  context.set({ ...totalColumns(totals), currency, rate, block_codes: [], credit_snapshot: { blocks: priceBlocks(lines) } })
  // What was executed elsewhere is a fact: nobody is asked about it.
  const parts = context.action.action === 'submit' ? await partsOfPieces(context.tx, lines) : undefined
  if (parts !== undefined) context.warn(parts.id, partCode, parts.sentence)
}

/** The order as priced, with what it earns taken from the budgets of its promotions. Where others have been quicker it is priced again, without. */
async function promisedPricing({ tx, current }: TransitionContext): Promise<Repriced> {
  let result = keptPricing(tx, current.id) ?? (await repriceStored(tx, current))
  if (result.problems.length > 0) return result
  while (!(await commitPromotions(tx, current, result.lines, result.promotions, result.idOf ?? new Map()))) result = { ...(await repriceStored(tx, current)), isChanged: true }
  return result
}

/** What the draft said is not what the order comes to: whoever sends it has told it to the customer. */
function warnOfPrices(context: TransitionContext, { total }: OrderTotals): void {
  const before = textOf(context.record, 'total')
  const day = dayText(textOf(context.current, 'doc_date'))
  const sentence = compare(before, total) === 0 ? tell('warning.repriced-lines', { day, total: grouped(total) }) : tell('warning.repriced', { day, total: grouped(total), before: grouped(before) })
  context.warn(`REPRICED-${total}`, 'REPRICED', sentence)
}

function priceBlocks(lines: readonly PricedLine[]): OrderBlock[] {
  const of = (code: LineBlock['code']): LineBlock[] => lines.flatMap((line) => line.blocks.filter((block) => block.code === code))
  return (['PR01', 'PR02'] as const).flatMap((code) => {
    const found = of(code)
    const amount = money(sum(found.map((block) => block.amount)))
    return found.length === 0 ? [] : [{ code, ...tell(`block.${code}`, { count: found.length, amount: grouped(amount) }), value: amount }]
  })
}

/** Credit and supply checks of the order as priced; what a person must decide becomes a block. */
export const checkOrder: Effect = async (context) => {
  const order = context.current
  const [standing, credit, supply, limits] = await Promise.all([standingAsked(context.tx, numberOf(order, 'customer_id'), context.today), creditFacts(context), supplyOf(context), checkLimits(context), warnings(context), checkCalls(context)])
  const blocks = [...snapshotBlocks(order), ...creditOf(context, standing, credit), ...supply, ...limits]
  context.set({ block_codes: blocks.map((block) => block.code), credit_snapshot: { ...standingFacts(standing), excess: excessAsked(standing, creditOrder(order, credit)), blocks }, stage: 'APPROVAL' })
}

export function snapshotBlocks(order: Row): readonly OrderBlock[] {
  const snapshot = order['credit_snapshot']
  return isSnapshot(snapshot) ? snapshot.blocks : []
}

function isSnapshot(value: unknown): value is { readonly blocks: readonly OrderBlock[] } {
  return typeof value === 'object' && value !== null && 'blocks' in value && Array.isArray(value.blocks)
}

export function standingFacts(standing: CreditStanding): Row {
  return { exposure: money(standing.exposure), limit: creditLimitOf(standing.limits), overdue: standing.overdueAmount, max_days_overdue: standing.maxDaysOverdue }
}

interface CreditFacts {
  readonly isCash: boolean
  readonly masterTerm: number
  readonly overridden: readonly string[]
}

/** What of the customer's credit stands against an order at this moment. */
export async function creditNow(tx: Queries, order: Row & { readonly id: number }, today: DateText): Promise<OrderBlock[]> {
  const [standing, facts] = await Promise.all([creditStanding(tx, numberOf(order, 'customer_id'), today), creditFacts({ tx, current: order, today })])
  const blocks = creditBlocks(standing, creditOrder(order, facts), today)
  return blocks.filter((block) => facts?.overridden.includes(block.code) !== true).map(({ code, sentence, value }) => ({ code, ...said(sentence), value }))
}

async function creditFacts({ tx, current, today }: Pick<TransitionContext, 'tx' | 'current' | 'today'>): Promise<CreditFacts | undefined> {
  const customer = await customerOfOrder(tx, numberOf(current, 'customer_id'))
  if (customer === undefined) return undefined
  const isNew = pendingRow(tx, 'sales_order', current.id) !== undefined
  const [isCash, overridden] = await Promise.all([
    isCashTerm(tx.ahead, numberOrNull(current, 'payment_term_id') ?? customer.payment_term_id),
    isNew ? [] : overriddenCodes(tx.ahead, current.id, baseOf(textOf(current, 'total'), textOf(current, 'rate')), today),
  ])
  return { isCash, masterTerm: customer.payment_term_id, overridden }
}

function creditOf(context: TransitionContext, standing: CreditStanding, facts: CreditFacts | undefined): OrderBlock[] {
  return creditReasons(context, standing, facts).map(({ code, sentence, value }) => ({ code, ...said(sentence), value }))
}

/** What of the customer's credit needs somebody's word; refuses where nobody's would help. */
function creditReasons({ current, today }: TransitionContext, standing: CreditStanding, facts: CreditFacts | undefined) {
  const blocks = creditBlocks(standing, creditOrder(current, facts), today)
  const hard = blocks.find((block) => block.isHard)
  if (hard !== undefined) raise({ code: 'CREDIT_BLOCKED', ...said(hard.sentence) })
  return blocks.filter((block) => facts?.overridden.includes(block.code) !== true)
}

function creditOrder(order: Row, facts: CreditFacts | undefined): CheckedOrder {
  return {
    total: baseOf(textOf(order, 'total'), textOf(order, 'rate')),
    isCash: facts?.isCash ?? false,
    termDiffers: facts !== undefined && (numberOrNull(order, 'payment_term_id') ?? facts.masterTerm) !== facts.masterTerm,
    isWithoutCredit: order['order_type'] === 'TRADER',
  }
}

/**
 * Credit as it is when somebody finally approves: what has come up since the order was submitted was in no request, so he is asked whether he knows; of
 * what has grown since he has been asked by its number.
 */
export const checkCreditAgain: Effect = async (context) => {
  const order = context.current
  // Submitted by this very command, which has just looked.
  if (context.isUnasked) return
  const [standing, facts] = await Promise.all([standingAsked(context.tx, numberOf(order, 'customer_id'), context.today), creditFacts(context)])
  const known = Array.isArray(order['block_codes']) ? order['block_codes'] : []
  for (const { code, sentence } of creditReasons(context, standing, facts)) {
    if (!known.includes(code) && !context.isWarned(code)) context.warn(`${code}-since`, code, tell('warning.since-submitted', { reason: sentence }))
  }
  // What is approved is the excess there is by now: planning its delivery asks whether it has grown since.
  const snapshot = order['credit_snapshot']
  if (isSnapshot(snapshot)) context.set({ credit_snapshot: { ...snapshot, excess: excessAsked(standing, creditOrder(order, facts)) } })
}

async function supplyOf({ tx, current }: TransitionContext): Promise<OrderBlock[]> {
  const policy = await setting(tx, 'backorder', numberOf(current, 'operating_unit_id'), 'KEEP')
  if (policy !== 'BLOCK') return []
  const short = await tx.rows<{ code: string }>(sql`
    select i.code from (select item_id, sum(qty_base) as qty from sales_order_line where sales_order_id = ${current.id} group by item_id) l
    join item i on i.id = l.item_id
    where l.qty > coalesce((select sum(b.on_hand - b.reserved) from stock_balance b where b.item_id = l.item_id and b.warehouse_id = ${numberOrNull(current, 'warehouse_id')}::bigint), 0)
    order by i.code`)
  return short.length === 0 ? [] : [{ code: 'ST01', ...tell('block.ST01', { items: short.map((row) => row.code) }), value: '0.00' }]
}

async function warnings(context: TransitionContext): Promise<void> {
  const { tx, current } = context
  const number = textOrNull(current, 'po_number')
  const [customer, twin] = await Promise.all([
    customerOfOrder(tx, numberOf(current, 'customer_id')),
    number === null ? undefined : tx.ahead.first<{ code: string }>(sql`
      select code from sales_order where customer_id = ${numberOf(current, 'customer_id')} and id <> ${current.id} and status in (1, 2, 3, 4) and po_number = ${number} limit 1`),
  ])
  if (customer?.is_pkp === true && !/^\d{16}$/.test(customer.npwp ?? '')) {
    context.warn('TX01', 'TX01', tell('warning.TX01'))
  }
  const requested = current['requested_date']
  if (isLate(requested, textOf(current, 'doc_date'))) context.warn(`${lateCode}-${requested}`, lateCode, lateDelivery(requested))
  if (twin !== undefined) context.warn('DUPLICATE_PO', 'DUPLICATE_DOCUMENT', tell('warning.DUPLICATE_PO', { order: twin.code }))
}

interface OpenLine extends Row {
  readonly id: number
  readonly item_id: number
  readonly open: Decimal
}

/** Final approval: every line gets what is free, in line order; the shortfall waits as a backorder, or is cut where so set. */
export const reserveOrder: Effect = async (context) => {
  const { tx, current } = context
  const warehouseId = numberOrNull(current, 'warehouse_id')
  if (warehouseId === null) fail('VALIDATION_FAILED.warehouse')
  const made = pendingRows(tx, 'sales_order_line').filter((row) => row['sales_order_id'] === current.id)
  const lines = made.length > 0
    ? made.map((row): OpenLine => ({ id: numberOf(row, 'id'), item_id: numberOf(row, 'item_id'), open: textOf(row, 'qty_base') }))
    : await tx.rows<OpenLine>(sql`
      select id, item_id, qty_base - delivered_qty - cancelled_qty - reserved_qty as open from sales_order_line
      where sales_order_id = ${current.id} order by line_no, id for update`)
  const needs = lines.map((line) => ({ orderId: current.id, orderLineId: line.id, customerId: numberOf(current, 'customer_id'), channelId: numberOrNull(current, 'sales_channel_id'), itemId: line.item_id, qty: line.open }))
  await takeQuotas(context)
  const { limit } = await servingOrder(context, warehouseId, needs)
  const cuts = (await setting(tx, 'backorder', numberOf(current, 'operating_unit_id'), 'KEEP')) === 'CUT'
  const answer = cuts ? await takeOrCut(context, warehouseId, needs, limit) : await takeFree(context, warehouseId, needs, limit)
  const rows = lines.map((line) => {
    const { free = '0', reserved = '0' } = answer.get(line.id) ?? {}
    return { id: line.id, free, reserved, cut: cuts ? fixed(exact(line.open).minus(reserved), 3) : '0' }
  })
  if (made.length > 0) {
    for (const { id, free, reserved, cut } of rows) changeRow(tx, 'sales_order_line', id, { atp_qty: free, reserved_qty: reserved, cancelled_qty: cut }, (_, value) => value)
  } else {
    tx.later(sql`
      update sales_order_line l set atp_qty = x.free, reserved_qty = l.reserved_qty + x.reserved, cancelled_qty = l.cancelled_qty + x.cut
      from ${recordset(rows, { id: 'bigint', free: 'numeric', reserved: 'numeric', cut: 'numeric' }, 'x')} where l.id = x.id`)
  }
  if (rows.some(({ cut }) => !isZero(cut))) settlePromotions(tx, [current.id])
  await takeCalls(context)
  context.set({ stage: 'ALLOCATED' })
}

/** What is short will be cut: gifts keep to what is left of the goods they are given for, and an order with nothing left is refused. */
async function takeOrCut(context: TransitionContext, warehouseId: number, needs: readonly ReservationNeed[], limit: Limit | undefined): Promise<Taken> {
  const { tx } = context
  const whole = new Map(needs.map((need) => [need.orderLineId, need.qty]))
  const states = await tx.rows<{ id: number; is_free: boolean }>(sql`select id, is_free from sales_order_line where sales_order_id = ${context.current.id} and is_free`)
  const free = new Set(states.map(({ id }) => id))
  const taken = await takeFree(context, warehouseId, needs.filter((need) => !free.has(need.orderLineId)), limit)
  if ([...taken.values()].every(({ reserved }) => isZero(reserved))) fail('STOCK_INSUFFICIENT.order')
  if (free.size === 0) return taken
  const gifts = await earnedGifts(tx, [...whole.keys()], (line) => taken.get(line.id)?.reserved ?? '0')
  const earned = new Map(gifts.map((gift) => [gift.line.id, gift.earned]))
  const given = await takeFree(context, warehouseId, needs.filter((need) => free.has(need.orderLineId)).map((need) => ({ ...need, qty: earned.get(need.orderLineId) ?? need.qty })), limit)
  return new Map([...taken, ...given])
}

export const returnOrderToEntry: Effect = async (context) => {
  releasePromotions(context.tx, context.record.id)
  context.set({ stage: 'ENTRY', block_codes: [], credit_snapshot: null })
}

export const orderHasNoOpenDelivery: Precondition = async ({ tx, record }) => {
  const planned = await tx.first(sql`select 1 from sales_order_line where sales_order_id = ${record.id} and planned_qty > 0 limit 1`)
  if (planned !== undefined) fail('ILLEGAL_TRANSITION.delivery-planned')
}

/** What is not delivered is cancelled and its reservation given back. Status 6 when nothing was delivered; else the order ends when all is billed. */
export const cancelOrderRest: Effect = async (context) => {
  const { tx, record } = context
  const lines = await tx.rows<{ id: number; open: Decimal }>(sql`select id, qty_base - delivered_qty - cancelled_qty as open from sales_order_line where sales_order_id = ${record.id} order by id for update`)
  // Of orders of old more of a gift may have left than is earned by what has left of the goods.
  const ahead = await giftsAhead(tx, lines.map((line) => line.id))
  if (ahead.length > 0) context.warn('GIFT_AHEAD', 'GIFT_AHEAD', tell('warning.gift-ahead', { items: ahead }))
  await release(context, lines.map((line) => ({ orderLineId: line.id, qty: 'all' })))
  if (record['contract_id'] !== null) await dropCalls(context, new Map(lines.map((line) => [line.id, line.open])))
  await tx.run(sql`update sales_order_line set cancelled_qty = qty_base - delivered_qty where sales_order_id = ${record.id}`)
  settlePromotions(tx, [record.id])
  context.set({ credit_hold: false })
  const delivered = await tx.first(sql`select 1 from sales_order_line where sales_order_id = ${record.id} and delivered_qty > 0 limit 1`)
  if (delivered === undefined) return uncountOrder(tx, record.id)
  const [progress] = await orderProgress(tx, [record.id])
  if (progress === undefined) return
  context.set({ delivery_status: progress.delivery_status, billing_status: progress.billing_status, payment_status: progress.payment_status, stage: progress.stage })
  context.endIn(progress.status)
}

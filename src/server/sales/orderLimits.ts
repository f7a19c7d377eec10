import type { DateText } from '#base/date.ts'
import { exact, fixed, grouped, money, quantityText, sum, type Decimal, type Exact } from '#base/decimal.ts'
import type { OrderHint } from '#api/order.ts'
import { baseOf } from '#domain/ledger/inBooks.ts'
import { brokenMinimums, fairShare, keptBy, quotasOf, reservedShares, ruleFor, type AllocationRule, type BrokenMinimum, type Minimum, type OrderedLine, type Orderer, type Quota } from '#domain/sales/orderLimits.ts'
import type { Queries, Row, TransitionContext } from '#server/context.ts'
import { isOnlyPending, pendingRows } from '#server/db/pendingRows.ts'
import { RememberedTable } from '#server/db/remembered.ts'
import { sql, unplanned } from '#server/db/sql.ts'
import { pricedItems } from '#server/pricing/pricingMasters.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { setting } from '#server/settings.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { once } from '#server/workflow/once.ts'
import { festiveProblems, festives } from './festiveWindows.ts'
import { enteredPlaces } from './orderCombos.ts'
import { customerOfOrder } from './orderCustomer.ts'
import type { OrderBlock } from './orderEffects.ts'
import { isMadeHere } from './repriceOrder.ts'

const minimums = new RememberedTable('setup', (tx) =>
  tx.rows<Minimum & Row>(sql`
    select item_id as "itemId", sales_channel_id as "channelId", customer_category_id as "categoryId", customer_id as "customerId", min_qty as "minQty", multiple_qty as "multipleQty",
      min_order_value as "minOrderValue", action
    from minimum_order_quantity where is_active order by id`))

const quotas = new RememberedTable('setup', (tx) =>
  tx.rows<Quota & Row>(sql`
    select id, item_id as "itemId", territory_id as "territoryId", sales_channel_id as "channelId", customer_id as "customerId", valid_from as "validFrom", valid_to as "validTo"
    from sales_quota where is_active order by id`))

const rules = new RememberedTable('setup', (tx) =>
  tx.rows<AllocationRule & { readonly domain: string } & Row>(sql`
    select domain, priority, operating_unit_id as "unitId", sales_channel_id as "channelId", customer_category_id as "categoryId", customer_id as "customerId", method, reserved_pct as "reservedPct"
    from allocation_rule where is_active order by priority`))

/** What an order lies below of. Asked again and again while it is typed: nothing is read once the masters are known. */
export async function minimumsBroken(tx: Queries, orderer: Orderer, lines: readonly OrderedLine[]): Promise<readonly BrokenMinimum[]> {
  return brokenMinimums(await minimums.get(tx), orderer, lines)
}

/** A minimum in words. */
export async function minimumSentence(tx: Queries, broken: BrokenMinimum) {
  const item = broken.itemId === null ? undefined : (await pricedItems.get(tx, broken.itemId))?.code
  if (broken.code === 'MQ01') {
    const filling = { item: item ?? '', limit: quantityText(broken.limit) }
    return broken.kind === 'min' ? tell('block.MQ01.min', filling) : tell('block.MQ01.multiple', filling)
  }
  const filling = { limit: grouped(money(broken.limit)), value: grouped(money(broken.value)) }
  return item === undefined ? tell('block.MQ02', filling) : tell('block.MQ02.item', { item, ...filling })
}

/** What a quota leaves of the items an order as typed asks more of, in words; soft: who decides about the order is told the same. */
export async function quotaHints(tx: Queries, orderer: Orderer, date: DateText, unitId: number, lines: readonly OrderedLine[]): Promise<readonly OrderHint[]> {
  const own = quotasOf(await quotas.get(tx), orderer, date, new Set(lines.map(({ itemId }) => itemId)))
  if (own.length === 0) return []
  const over = passed(await quotaLeft(tx, own.map(({ id }) => id), 'read'), lines)
  const isSoft = await setting(tx, 'quota_soft', unitId, false)
  return Promise.all(over.map(async ({ itemId, left }) => {
    const item = await pricedItems.get(tx, itemId)
    return { code: 'QT01', ...tell('field.QT01', { item: item?.code ?? '', left: `${quantityText(left)} ${item?.baseUom ?? ''}`.trimEnd() }), ...(isSoft ? {} : { isNote: true as const }) }
  }))
}

/** Minimums and quotas when an order is submitted: what must be approved; the rest is warned about or refused at its line. */
export async function checkLimits(context: TransitionContext): Promise<OrderBlock[]> {
  const { tx, current } = context
  const [known, allQuotas, festive] = await Promise.all([minimums.get(tx), quotas.get(tx), festives.get(tx)])
  if (known.length === 0 && allQuotas.length === 0 && festive.length === 0) return []
  const [orderer, lines] = await Promise.all([ordererOf(context), orderedLines(context)])
  if (festive.length > 0) await refuseFestive(context, orderer, lines, 'read')
  const blocks: OrderBlock[] = []
  for (const broken of brokenMinimums(known, orderer, lines)) {
    const sentence = await minimumSentence(tx, broken)
    if (broken.action === 'WARN') context.warn(`${broken.code}-${broken.itemId ?? 'order'}`, broken.code, sentence)
    else if (!blocks.some(({ code, text }) => code === broken.code && text === sentence.text)) blocks.push({ code: broken.code, ...sentence, value: '0.00' })
  }
  const over = await quotasPassed(context, orderer, lines, 'read')
  if (over.length === 0) return blocks
  if (!(await setting(tx, 'quota_soft', numberOf(current, 'operating_unit_id'), false))) {
    const entered = lines.filter((line) => !line.isFree)
    const places = enteredPlaces(entered.map((line) => line.enteredAs))
    const problems = over.map(async ({ itemId, left }) => {
      const at = Math.max(0, entered.findIndex((line) => line.itemId === itemId))
      const field = `Lines[${places[at] ?? 0}].Qty`
      const item = await pricedItems.get(tx, itemId)
      return wrong(field, entered[at]?.enteredAs == null ? 'QT01' : 'QT01.part', { item: item?.code ?? '', left: `${quantityText(left)} ${item?.baseUom ?? ''}`.trimEnd() })
    })
    invalid(await Promise.all(problems))
  }
  const items = await Promise.all(over.map(async ({ itemId }) => (await pricedItems.get(tx, itemId))?.code ?? ''))
  return [...blocks, { code: 'QT01', ...tell('block.QT01', { items }), value: '0.00' }]
}

/** Quotas once more when the order is about to count: others may have taken what was left. Their rows stay locked, so that two orders do not take the same. */
export async function takeQuotas(context: TransitionContext): Promise<void> {
  const { tx, current } = context
  if ((await festives.get(tx)).length > 0) await refuseFestive(context, await ordererOf(context), await orderedLines(context), 'lock')
  if ((await quotas.get(tx)).length === 0) return
  const approved = current['block_codes']
  if (Array.isArray(approved) && approved.includes('QT01')) return
  const [orderer, lines] = await Promise.all([ordererOf(context), orderedLines(context)])
  const [over] = await quotasPassed(context, orderer, lines, 'lock')
  if (over !== undefined) fail('EXCEEDS_AVAILABLE.quota', { item: (await pricedItems.get(tx, over.itemId))?.code ?? '', left: quantityText(over.left) })
}

async function refuseFestive(context: TransitionContext, orderer: Orderer, lines: readonly StoredOrderLine[], how: 'read' | 'lock'): Promise<void> {
  const problems = await festiveProblems(context, orderer, lines.filter(({ isFree }) => !isFree), how)
  if (problems.length > 0) invalid([...problems])
}

/** Quotas an order would pass, with what is left of them. */
async function quotasPassed(context: TransitionContext, orderer: Orderer, lines: readonly OrderedLine[], how: 'read' | 'lock'): Promise<readonly Passed[]> {
  const { tx, current } = context
  const own = quotasOf(await quotas.get(tx), orderer, textOf(current, 'doc_date'), new Set(lines.map(({ itemId }) => itemId)))
  if (own.length === 0) return []
  const ids = own.map(({ id }) => id)
  // What approved orders have used is nothing an order still to be written could change: asked ahead, it is not sent for that. Such an order will
  // most likely be approved at once, so it locks when it first asks and what is left stands.
  const rows = isOnlyPending(tx, 'sales_order', current.id)
    ? await once(tx, `quotas of order ${current.id}: ${ids.join()}`, () => quotaLeft(tx.ahead, ids, 'lock'))
    : await quotaLeft(tx, ids, how)
  return passed(rows, lines)
}

interface Passed {
  readonly itemId: number
  readonly left: Decimal
}

function passed(rows: Awaited<ReturnType<typeof quotaLeft>>, lines: readonly OrderedLine[]): readonly Passed[] {
  return rows
    .filter((row) => sum(lines.filter(({ itemId }) => itemId === row.item_id).map(({ qty }) => exact(qty))).gt(row.left_qty))
    .map((row) => ({ itemId: row.item_id, left: row.left_qty.startsWith('-') ? '0' : row.left_qty }))
}

async function quotaLeft(tx: Queries, ids: readonly number[], how: 'read' | 'lock'): Promise<readonly { readonly item_id: number; readonly left_qty: Decimal }[]> {
  // Each statement sees what was committed before it: what is left is read when the quotas are locked.
  const locked = how === 'lock' ? tx.run(sql`select id from sales_quota where id = any(${unplanned(ids, 'bigint[]')}) order by id for update`) : undefined
  // An item may be under several quotas; the one that leaves least decides.
  const left = tx.rows<{ item_id: number; left_qty: Decimal }>(sql`select item_id, min(left_qty) as left_qty from sales_quota_use where id = any(${unplanned(ids, 'bigint[]')}) group by item_id order by item_id`)
  const [rows] = await Promise.all([left, locked])
  return rows
}

async function ordererOf({ tx, current }: TransitionContext): Promise<Orderer> {
  const customer = await customerOfOrder(tx, numberOf(current, 'customer_id'))
  return {
    customerId: numberOf(current, 'customer_id'), channelId: numberOrNull(current, 'sales_channel_id') ?? customer?.sales_channel_id ?? null,
    categoryId: customer?.customer_category_id ?? null, territoryId: numberOrNull(current, 'territory_id'),
  }
}

interface StoredOrderLine extends OrderedLine {
  /** The combo of an order just entered that the line came out of: the parts stand where it was typed. */
  readonly enteredAs: number | null
}

async function orderedLines({ tx, current }: TransitionContext): Promise<readonly StoredOrderLine[]> {
  const isNew = isMadeHere(tx, current.id)
  const made = pendingRows(tx, 'sales_order_line').filter((row) => row['sales_order_id'] === current.id)
  const rows = made.length > 0 ? made : await tx.rows(sql`select item_id, qty_base, dpp, is_free, combo_no from sales_order_line where sales_order_id = ${current.id} order by line_no, id`)
  return rows.map((row) => ({ itemId: numberOf(row, 'item_id'), qty: textOf(row, 'qty_base'), value: baseOf(String(row['dpp'] ?? '0'), textOf(current, 'rate')), isFree: row['is_free'] === true, enteredAs: isNew ? numberOrNull(row, 'combo_no') : null }))
}

/** What an order still wants of an item. */
export interface Claim {
  readonly orderId: number
  readonly unitId: number
  readonly orderer: Orderer
  readonly itemId: number
  readonly qty: Decimal
}

/** Free stock of an item: before any of these orders took of it, what is left now, and who took how much. */
export interface FreeStock {
  readonly before: Exact
  readonly now: Exact
  readonly taken: ReadonlyMap<number, Exact>
}

/** The rules of stock for orders being served together. */
export interface Serving {
  /** Most an order may still reserve of an item; undefined: everything it wants. */
  readonly limit: ((orderId: number, itemId: number, free: FreeStock) => Exact) | undefined
  /** Place of the order in the queue by its rule; orders of the same place are served by their dates. */
  rank(orderId: number): number
}

/** How the allocation rules serve orders that reserve in one warehouse: when one is approved, and when what had been short is planned. */
export async function serving(tx: Queries, warehouseId: number, claims: readonly Claim[]): Promise<Serving> {
  const stock = (await rules.get(tx)).filter(({ domain }) => domain === 'STOCK')
  const orders = new Map(claims.map(({ orderId, orderer, unitId }) => {
    const rule = ruleFor(stock, orderer, unitId)
    return [orderId, { reserved: reservedShares(stock, orderer, unitId), isShared: rule?.method === 'FAIR_SHARE', rank: rule?.priority ?? Number.MAX_SAFE_INTEGER }] as const
  }))
  const rank = (orderId: number): number => orders.get(orderId)?.rank ?? Number.MAX_SAFE_INTEGER
  const ruled = [...orders.values()]
  const isShared = ruled.some((order) => order.isShared)
  if (!isShared && ruled.every(({ reserved }) => reserved.others.length === 0)) return { limit: undefined, rank }
  const itemIds = [...new Set(claims.map(({ itemId }) => itemId))]
  const [demand, items] = await Promise.all([isShared ? openDemand(tx, warehouseId, [...orders.keys()], itemIds) : new Map<number, Decimal>(), pricedItems.all(tx, itemIds)])
  const wanted = (itemId: number, isCounted: (orderId: number) => boolean) => sum(claims.filter((claim) => claim.itemId === itemId && isCounted(claim.orderId)).map(({ qty }) => exact(qty)))
  const limit = (orderId: number, itemId: number, { before, now, taken }: FreeStock): Exact => {
    const order = orders.get(orderId)
    if (order === undefined) return now
    const item = items.get(itemId)
    const unit = exact(item?.factors.get(item.salesUom) ?? '1')
    const { others } = order.reserved
    const less = (free: Exact, kept: Exact) => (others.length === 0 ? free : free.lt(kept) ? exact(0) : free.minus(kept).div(unit).round(0, 'DOWN').times(unit))
    const takenBy = (isCounted: (by: number) => boolean) => sum([...taken].flatMap(([by, qty]) => (isCounted(by) ? [qty] : [])))
    // Those a share is kept for use it up first.
    const open = less(now, keptBy(others, before, (share) => takenBy((by) => orders.get(by)?.reserved.own === share)))
    if (!order.isShared) return open
    const pool = less(before, keptBy(others, before, () => exact(0)))
    const sharing = (other: number) => orders.get(other)?.isShared === true
    const all = wanted(itemId, () => true).plus(demand.get(itemId) ?? '0')
    const shareOf = (isCounted: (other: number) => boolean) => {
      const own = wanted(itemId, isCounted)
      return fairShare(pool, own, all.minus(own), unit)
    }
    const share = shareOf((other) => other === orderId)
    // What rounding to whole units left over goes out by priority, a unit to each.
    const left = shareOf(sharing).minus(sum([...orders.keys()].filter(sharing).map((other) => {
      const own = shareOf((by) => by === other)
      const has = taken.get(other)
      return has === undefined || has.lt(own) ? own : has
    })))
    const most = share.plus(left.lt(unit) ? exact(0) : unit)
    return most.lt(open) ? most : open
  }
  return { limit, rank }
}

/** The rules as they concern one order on its way through its workflow. */
export async function servingOrder(context: TransitionContext, warehouseId: number, needs: readonly { readonly itemId: number; readonly qty: Decimal }[]): Promise<Serving> {
  const [orderer, unitId] = [await ordererOf(context), numberOf(context.current, 'operating_unit_id')]
  return serving(context.tx, warehouseId, needs.map((need) => ({ ...need, orderer, unitId, orderId: context.current.id })))
}

/** What other approved orders of the warehouse still want of items and have not reserved. */
async function openDemand(tx: Queries, warehouseId: number, orderIds: readonly number[], itemIds: readonly number[]): Promise<ReadonlyMap<number, Decimal>> {
  const rows = await tx.rows<{ item_id: number; qty: Decimal }>(sql`
    select l.item_id, sum(l.qty_base - l.delivered_qty - l.cancelled_qty - l.reserved_qty) as qty from sales_order_line l join sales_order o on o.id = l.sales_order_id
    where o.status in (1, 2) and o.warehouse_id = ${warehouseId} and o.id <> all(${[...orderIds]}::bigint[]) and l.item_id = any(${[...itemIds]}::bigint[]) group by 1`)
  return new Map(rows.map((row) => [row.item_id, fixed(row.qty, 3)]))
}

/** How money is given out for a customer when nobody says it; undefined: no rule is about him. */
export async function paymentRule(tx: Queries, orderer: Orderer, unitId: number): Promise<string | undefined> {
  return ruleFor((await rules.get(tx)).filter(({ domain }) => domain === 'PAYMENT'), orderer, unitId)?.method
}

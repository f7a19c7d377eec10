import type { DateText } from '#base/date.ts'
import { compare } from '#base/decimal.ts'
import { priceSetsInOrder } from '#domain/pricing/basePrice.ts'
import { decimalsOf, smallestOf } from '#domain/pricing/currency.ts'
import { candidates } from '#domain/pricing/promotions.ts'
import { touching } from '#domain/pricing/promotionTiers.ts'
import { discountSetFor } from '#domain/pricing/discounts.ts'
import { isValidOn, type Discount, type PriceSet, type PricingContext, type PricingMasters } from '#domain/pricing/masters.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { setting } from '#server/settings.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { contractPrices } from './contractPrices.ts'
import { itemsOn, listPrices, pricedItems, priceKey, schemes, type Schemes } from './pricingMasters.ts'

export interface PricingRequest {
  readonly customerId: number
  readonly priceDate: DateText
  readonly salesChannelId: number | null
  readonly operatingUnitId: number | null
  readonly itemIds: readonly number[]
  /** Lines of contracts that lines of the order call on. */
  readonly contractLineIds?: readonly number[]
  /** Goods that come to stand at the customer: promotions are of what is sold. */
  readonly isConsigned?: boolean
  /** When the order was sent, if it has been. */
  readonly sentAt?: string | null
  /** The order may be in whatever currency the customer's prices are; otherwise only in that of the books. */
  readonly inAnyCurrency?: boolean
}

/** What pricing asks of a customer. */
export interface BuyerRow extends Row {
  readonly price_set_id: number | null
  readonly pricing_group_id: number | null
  readonly customer_category_id: number | null
  readonly customer_group_id: number | null
  readonly territory_id: number | null
  readonly sales_area_id: number | null
  readonly sales_channel_id: number | null
  readonly operating_unit_id: number
}

export interface LoadedPricing {
  readonly context: PricingContext
  readonly masters: LoadedMasters
}

export interface LoadedMasters extends PricingMasters {
  /** The customer's prices, at least those after the ones here, are in a currency the order cannot be in. */
  readonly foreign: ForeignPrices | null
  /** What the prices are in. */
  readonly currency: string
}

interface ForeignPrices {
  readonly set: string
  readonly currency: string
  /** Currency of the order. */
  readonly home: string
}

/** Everything pricing needs for one order. Null when there is no such customer. */
export async function loadPricing(tx: Queries, request: PricingRequest): Promise<LoadedPricing | null> {
  const buyer = await tx.first<BuyerRow>(sql`
    select price_set_id, pricing_group_id, customer_category_id, customer_group_id, territory_id, sales_area_id, sales_channel_id, operating_unit_id from customer where id = ${request.customerId}`)
  return buyer === undefined ? null : pricingFor(tx, request, buyer)
}

/** As `loadPricing` for a customer already read; masters are asked of the database only where they are not known yet. */
export async function pricingFor(tx: Queries, request: PricingRequest, buyer: BuyerRow): Promise<LoadedPricing> {
  const all = await schemes.get(tx)
  const channelId = request.salesChannelId ?? buyer.sales_channel_id
  const group = buyer.pricing_group_id === null ? undefined : all.groups.get(buyer.pricing_group_id)
  const context: PricingContext = {
    priceDate: request.priceDate,
    customerId: request.customerId,
    customerPriceSetId: buyer.price_set_id,
    pricingGroupId: buyer.pricing_group_id,
    groupPriceSetId: group?.priceSetId ?? null,
    groupDiscountSetId: group?.discountSetId ?? null,
    channelId,
    channelPriceSetId: channelId === null ? null : (all.channels.get(channelId) ?? null),
    customerCategoryId: buyer.customer_category_id,
    customerGroupId: buyer.customer_group_id,
    territoryId: buyer.territory_id,
    salesAreaId: buyer.sales_area_id,
    operatingUnitId: request.operatingUnitId ?? buyer.operating_unit_id,
    sentAt: request.sentAt ?? null,
  }
  const found = mastersFor(context, all, await homeCurrency(tx.ahead, context.operatingUnitId), request.inAnyCurrency === true && request.isConsigned !== true)
  // Of hundreds that run an order knows a few: of the others nothing more is asked, neither their gifts nor the prices of these.
  const sold = found.promotions.length === 0 ? [] : [...(await pricedItems.all(tx, withParts(request.itemIds, all.combos))).values()]
  const masters = { ...found, promotions: request.isConsigned === true ? [] : touching(found.promotions, sold) }
  const gifts = masters.promotions.flatMap(({ benefits }) => benefits.flatMap((benefit) => benefit.freeItemId ?? []))
  const itemIds = withParts([...request.itemIds, ...gifts], all.combos)
  const contracts = await contractPrices(tx, request.contractLineIds ?? [], request.customerId, request.priceDate)
  const contractSets = all.priceSets.of(request.priceDate, [...contracts.values()].map(({ priceSetId }) => priceSetId), [])
  const keys = [...new Set([...masters.priceSets, ...contractSets])].flatMap((set) => itemIds.map((itemId) => priceKey(set.id, itemId)))
  const [items, prices, pct, freeLineGrossUp] = await Promise.all([
    itemsOn(tx, itemIds, request.priceDate), listPrices.all(tx, keys), setting(tx, 'manual_discount_pct', context.operatingUnitId, 0), setting(tx, 'free_line_gross_up', context.operatingUnitId, false),
  ])
  return { context, masters: { ...masters, items, combos: all.combos, contracts, contractSets, prices: [...prices.values()].flat(), manualDiscountPct: String(pct), freeLineGrossUp } }
}

/** When an order was sent last. */
export function sentAt(order: Row): string | null {
  const at = order['submitted_at']
  return at instanceof Date ? at.toISOString() : typeof at === 'string' ? at : null
}

/** Is the order one whose goods come to stand at the customer, unsold? */
export function isConsigned(order: Row): boolean {
  return order['order_type'] === 'CONSIGN' || order['order_type'] === 'CMI'
}

/** Items and, of combos among them, the parts. */
export function withParts(itemIds: readonly number[], combos: Schemes['combos']): number[] {
  return [...new Set(itemIds.flatMap((id) => [id, ...(combos.get(id)?.parts.map((part) => part.itemId) ?? [])]))]
}

/** May an order be in another currency than the books? What contracts agree, goods that stand at customers, vans, traders and what comes by file are in that of the books. */
export function isInAnyCurrency(order: Row): boolean {
  return (order['order_type'] ?? 'REG') === 'REG' && order['contract_id'] == null && order['source'] !== 'IMPORT'
}

/**
 * The sets, discounts and promotions that can matter to this order. At a price set of another currency than the order's the search for prices ends: the
 * prices of a customer are not replaced by those of others. Promotions and discounts in amounts are in the currency of the books: none of them is of an
 * order in another.
 */
function mastersFor(context: PricingContext, all: Schemes, home: string, inAny: boolean): Pick<LoadedMasters, 'priceSets' | 'foreign' | 'currency' | 'discountSets' | 'discounts' | 'promotions' | 'rounding'> {
  const date = context.priceDate
  const candidateSets = all.priceSets.of(date, [context.customerPriceSetId, context.groupPriceSetId, context.channelPriceSetId], [
    ['CUSTOMER', context.customerId], ['GROUP', context.pricingGroupId], ['CHANNEL', context.channelId], ['TERRITORY', context.territoryId], ['OU', context.operatingUnitId], ['BASE', null],
  ])
  const currency = inAny && candidateSets.some((set) => (set.currency ?? home) !== home) ? (priceSetsInOrder(context, candidateSets)[0]?.currency ?? home) : home
  const { priceSets, foreign } = inCurrency(context, candidateSets, home, currency)
  const discountSets = all.discountSets.of(date, [context.groupDiscountSetId], [
    ['CUSTOMER', context.customerId], ['GROUP', context.pricingGroupId], ['CHANNEL', context.channelId], ['OU', context.operatingUnitId], ['BASE', null],
  ])
  const discountSet = discountSetFor(context, discountSets)
  return {
    priceSets,
    foreign,
    currency,
    discountSets,
    discounts: discountSet === null ? [] : (all.discounts.get(discountSet.id) ?? []).filter((discount) => isValidOn(discount, date) && (currency === home || isOfShares(discount))),
    promotions: currency === home ? candidates(context, all.promotions) : [],
    rounding: { ...(all.rounding.get(currency) ?? { unit: smallestOf(currency), mode: 'HALF_UP' }), places: decimalsOf(currency) },
  }
}

function isOfShares({ kind, minValue }: Discount): boolean {
  return kind === 'PCT' && compare(minValue, '0') <= 0
}

function inCurrency(context: PricingContext, sets: readonly PriceSet[], home: string, currency: string): Pick<LoadedMasters, 'priceSets' | 'foreign'> {
  const isForeign = (set: PriceSet): boolean => (set.currency ?? home) !== currency
  if (!sets.some(isForeign)) return { priceSets: sets, foreign: null }
  const ordered = priceSetsInOrder(context, sets)
  const end = ordered.findIndex(isForeign)
  const found = ordered[end]
  const before = new Set(ordered.slice(0, end === -1 ? undefined : end).map(({ id }) => id))
  return { priceSets: sets.filter(({ id }) => before.has(id)), foreign: found === undefined ? null : { set: found.code, currency: found.currency ?? home, home: currency } }
}

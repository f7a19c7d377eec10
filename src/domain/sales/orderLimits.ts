import type { DateText } from '#base/date.ts'
import { exact, sum, type Decimal, type Exact } from '#base/decimal.ts'

/** Whom a minimum, quota or rule is for; null: anybody. */
export interface Selector {
  readonly channelId: number | null
  readonly categoryId: number | null
  readonly customerId: number | null
}

/** Who orders. */
export interface Orderer {
  readonly customerId: number
  readonly channelId: number | null
  readonly categoryId: number | null
  readonly territoryId: number | null
}

/** What is ordered; `qty` in base units, `value` without VAT. */
export interface OrderedLine {
  readonly itemId: number
  readonly qty: Decimal
  readonly value: Decimal
  readonly isFree: boolean
}

/** Least quantity, multiple and value of an item, or least value of an order; 0: no such limit. */
export interface Minimum extends Selector {
  readonly itemId: number | null
  readonly minQty: Decimal
  readonly multipleQty: Decimal
  readonly minOrderValue: Decimal
  readonly action: 'BLOCK' | 'WARN'
}

export type BrokenMinimum =
  | { readonly code: 'MQ01'; readonly itemId: number; readonly action: Minimum['action']; readonly kind: 'min' | 'multiple'; readonly limit: Decimal }
  | { readonly code: 'MQ02'; readonly itemId: number | null; readonly action: Minimum['action']; readonly limit: Decimal; readonly value: Decimal }

/** Is the selector about this customer? */
export function concerns(selector: Selector, orderer: Orderer): boolean {
  return fits(selector.channelId, orderer.channelId) && fits(selector.categoryId, orderer.categoryId) && fits(selector.customerId, orderer.customerId)
}

function fits(wanted: number | null, given: number | null): boolean {
  return wanted === null || wanted === given
}

/** A customer goes before his category, that before his channel, and any of them before everybody. */
function closeness({ customerId, categoryId, channelId }: Selector): number {
  return (customerId === null ? 0 : 4) + (categoryId === null ? 0 : 2) + (channelId === null ? 0 : 1)
}

/** Which minimums an order does not reach. Of several for the same item the one closest to the customer counts; free goods are not counted. */
export function brokenMinimums(minimums: readonly Minimum[], orderer: Orderer, ordered: readonly OrderedLine[]): BrokenMinimum[] {
  const lines = ordered.filter((line) => !line.isFree)
  const closest = new Map<number | null, Minimum>()
  for (const minimum of minimums) {
    const known = closest.get(minimum.itemId)
    if (concerns(minimum, orderer) && (known === undefined || closeness(known) < closeness(minimum))) closest.set(minimum.itemId, minimum)
  }
  return [...closest.values()].flatMap((minimum): BrokenMinimum[] => {
    const own = minimum.itemId === null ? lines : lines.filter((line) => line.itemId === minimum.itemId)
    if (own.length === 0) return []
    const { itemId, action } = minimum
    const broken: BrokenMinimum[] = []
    const qty = sum(own.map((line) => exact(line.qty)))
    if (itemId !== null && qty.lt(minimum.minQty)) broken.push({ code: 'MQ01', itemId, action, kind: 'min', limit: minimum.minQty })
    else if (itemId !== null && exact(minimum.multipleQty).gt(0) && !isMultiple(qty, exact(minimum.multipleQty))) broken.push({ code: 'MQ01', itemId, action, kind: 'multiple', limit: minimum.multipleQty })
    const value = sum(own.map((line) => exact(line.value)))
    if (value.lt(minimum.minOrderValue)) broken.push({ code: 'MQ02', itemId, action, limit: minimum.minOrderValue, value: value.toString() })
    return broken
  })
}

function isMultiple(qty: Exact, step: Exact): boolean {
  return qty.div(step).round(0, 'DOWN').times(step).eq(qty)
}

export interface Quota extends Pick<Selector, 'channelId' | 'customerId'> {
  readonly id: number
  readonly itemId: number
  readonly territoryId: number | null
  readonly validFrom: DateText
  readonly validTo: DateText
}

/** Quotas the order draws on. */
export function quotasOf<Q extends Quota>(quotas: readonly Q[], orderer: Orderer, date: DateText, itemIds: ReadonlySet<number>): Q[] {
  return quotas.filter(
    (quota) =>
      itemIds.has(quota.itemId) && quota.validFrom <= date && date <= quota.validTo && fits(quota.territoryId, orderer.territoryId) && fits(quota.channelId, orderer.channelId) && fits(quota.customerId, orderer.customerId),
  )
}

/** How scarce goods or money are given out. The smallest priority that concerns the customer counts. */
export interface AllocationRule extends Selector {
  readonly priority: number
  readonly unitId: number | null
  readonly method: string
  readonly reservedPct: Decimal
}

export function ruleFor(rules: readonly AllocationRule[], orderer: Orderer, unitId: number): AllocationRule | undefined {
  return rules.filter((rule) => fits(rule.unitId, unitId) && concerns(rule, orderer)).toSorted((a, b) => a.priority - b.priority)[0]
}

/** The shares reserved by `RESERVED_PCT` that bear on an order: the one it draws on, and those kept for others. */
export function reservedShares(rules: readonly AllocationRule[], orderer: Orderer, unitId: number): { readonly own: AllocationRule | undefined; readonly others: readonly AllocationRule[] } {
  const shares = rules.filter((rule) => rule.method === 'RESERVED_PCT' && fits(rule.unitId, unitId))
  return { own: ruleFor(shares, orderer, unitId), others: shares.filter((rule) => !concerns(rule, orderer)) }
}

/** What of the stock that was free is still kept by reserved shares, less what those they are for have taken; at most everything. */
export function keptBy(shares: readonly AllocationRule[], free: Exact, taken: (share: AllocationRule) => Exact): Exact {
  const left = shares.map((share) => free.times(share.reservedPct).div(100).minus(taken(share)))
  const all = sum(left.map((part) => (part.lt(0) ? exact(0) : part)))
  return all.gt(free) ? free : all
}

/** An order's share of what is free, by its part of the whole demand, in whole sales units. All of it where it is enough for everybody. */
export function fairShare(free: Exact, own: Exact, others: Exact, salesUnit: Exact): Exact {
  const demand = own.plus(others)
  if (demand.lte(free)) return own
  return free.times(own).div(demand).div(salesUnit).round(0, 'DOWN').times(salesUnit)
}

import { exact, type Exact } from '#base/decimal.ts'
import { closeness, highestFirst, isValidOn, type Discount, type DiscountSet, type PricedItem, type PricingContext, type PricingMasters, type ScopeKind } from './masters.ts'

export interface DiscountStep {
  readonly seq: number
  readonly discountId: number
  readonly name: string
  /** Percent, or null for an amount. */
  readonly rate: string | null
  readonly amount: Exact
}

/** The one discount set of the order: customer, then pricing group, channel, operating unit. */
export function discountSetFor(context: PricingContext, sets: readonly DiscountSet[]): DiscountSet | null {
  const valid = sets.filter((set) => isValidOn(set, context.priceDate))
  const scoped = (kind: ScopeKind, refId: number | null): DiscountSet | undefined =>
    refId === null ? undefined : valid.find((set) => set.scopeKind === kind && set.refId === refId)
  return (
    scoped('CUSTOMER', context.customerId) ??
    valid.find((set) => set.id === context.groupDiscountSetId) ??
    scoped('GROUP', context.pricingGroupId) ??
    scoped('CHANNEL', context.channelId) ??
    scoped('OU', context.operatingUnitId) ??
    valid.find((set) => set.scopeKind === 'BASE') ??
    null
  )
}

/** Discounts of the set for one item, in order of application; of each sequence number the closest selector first, of that the highest tier. Which row was entered first never matters. */
export function discountsFor(set: DiscountSet | null, masters: PricingMasters, item: PricedItem): Discount[][] {
  if (set === null) return []
  const bySeq = new Map<number, { discount: Discount; near: number }[]>()
  for (const discount of masters.discounts) {
    if (discount.discountSetId !== set.id) continue
    const near = closeness(discount, item)
    if (near === null) continue
    bySeq.set(discount.seq, [...(bySeq.get(discount.seq) ?? []), { discount, near }])
  }
  return [...bySeq.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, candidates]) => candidates.sort((a, b) => b.near - a.near || highestFirst(a.discount, b.discount) || a.discount.id - b.discount.id).map(({ discount }) => discount))
}

/** Applies the sequence to one line; every step is rounded to two places and never takes more than is left. */
export function applyDiscounts(sequence: readonly (readonly Discount[])[], gross: Exact, qty: Exact, qtyBase: Exact): DiscountStep[] {
  const steps: DiscountStep[] = []
  let running = gross
  for (const candidates of sequence) {
    const discount = candidates.find((candidate) => qtyBase.gte(candidate.minQty) && gross.gte(candidate.minValue))
    if (!discount) continue
    const amount = least(raw(discount, gross, running, qty).round(2), running)
    if (amount.lte(0)) continue
    running = running.minus(amount)
    steps.push({ seq: discount.seq, discountId: discount.id, name: discount.name, rate: discount.kind === 'PCT' ? discount.value : null, amount })
  }
  return steps
}

function raw(discount: Discount, gross: Exact, running: Exact, qty: Exact): Exact {
  switch (discount.kind) {
    case 'PCT':
      return (discount.base === 'GROSS' ? gross : running).times(discount.value).div(100)
    case 'AMOUNT_PER_UOM':
      return qty.times(discount.value)
    case 'AMOUNT':
      return exact(discount.value)
  }
}

function least(a: Exact, b: Exact): Exact {
  return a.lt(b) ? a : b
}

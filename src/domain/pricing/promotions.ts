import { exact, spread, sum, type Exact } from '#base/decimal.ts'
import { isValidOn, type PricingContext, type Promotion, type PromotionScope } from './masters.ts'
import { inUnit, reachedTier, type PromotedLine } from './promotionTiers.ts'

export type { PromotedLine }

/** An amount taken off; `parts[i]` belongs to `lines[i]`, zero where the line does not qualify. */
export interface ValueBenefit {
  readonly promotion: Promotion
  readonly rate: string | null
  readonly parts: readonly Exact[]
}

/** Goods given away. `parent` is the position of the first qualifying line. */
export interface FreeBenefit {
  readonly promotion: Promotion
  readonly itemId: number
  readonly qtyBase: Exact
  /** Unit they are given in; null: whatever fits. */
  readonly uom: string | null
  readonly parent: number
}

/** Promotions this customer may have on this day, by priority. */
export function candidates(context: PricingContext, promotions: readonly Promotion[], mechanism: Promotion['mechanism'] = 'ON_INVOICE'): Promotion[] {
  return promotions
    .filter((promotion) => promotion.mechanism === mechanism && isValidOn(promotion, context.priceDate) && isFor(promotion.scopes, context))
    .sort((a, b) => a.priority - b.priority || a.id - b.id)
}

function isFor(scopes: readonly PromotionScope[], context: PricingContext): boolean {
  const own: Readonly<Record<PromotionScope['kind'], number | null | undefined>> = {
    CHANNEL: context.channelId, CATEGORY: context.customerCategoryId, GROUP: context.customerGroupId, CUSTOMER: context.customerId, TERRITORY: context.territoryId, AREA: context.salesAreaId,
  }
  const names = (scope: PromotionScope): boolean => own[scope.kind] === scope.refId
  if (scopes.some((scope) => !scope.include && names(scope))) return false
  const wanted = scopes.filter(({ include }) => include)
  return wanted.every(({ kind }) => wanted.some((scope) => scope.kind === kind && names(scope)))
}

/** Amounts the promotions take off, stacked as they allow; each works on what those before it left. */
export function valueBenefits(promotions: readonly Promotion[], lines: readonly PromotedLine[]): ValueBenefit[] {
  return stacked(promotions, (chosen) => {
    const benefits: ValueBenefit[] = []
    let left = lines
    for (const promotion of chosen) {
      const benefit = valueBenefit(promotion, left)
      if (!benefit) continue
      benefits.push(benefit)
      left = left.map((line, i) => ({ ...line, value: line.value.minus(benefit.parts[i] ?? 0) }))
    }
    return { benefits, worth: sum(benefits.flatMap(({ parts }) => parts)) }
  })
}

/** Free goods: whole multiples of the highest tier reached, capped. `worthOf` compares goods of several promotions. */
export function freeBenefits(promotions: readonly Promotion[], lines: readonly PromotedLine[], worthOf: (benefit: FreeBenefit) => Exact): FreeBenefit[] {
  return stacked(promotions, (chosen) => {
    const benefits = chosen.flatMap((promotion) => freeGoods(promotion, lines))
    return { benefits, worth: sum(benefits.map(worthOf)) }
  })
}

interface Given<T> {
  readonly benefits: T[]
  readonly worth: Exact
}

/** The better of the best exclusive promotion alone and all others together, of a group the best one; as good: the lower priority, then the older. */
function stacked<T>(promotions: readonly Promotion[], give: (chosen: readonly Promotion[]) => Given<T>): T[] {
  const giving = promotions.map((promotion) => ({ promotion, alone: give([promotion]) })).filter(({ alone }) => alone.worth.gt(0))
  const best = (entries: typeof giving) => [...entries].sort((a, b) => b.alone.worth.cmp(a.alone.worth) || a.promotion.priority - b.promotion.priority || a.promotion.id - b.promotion.id)[0]
  const exclusive = best(giving.filter(({ promotion }) => promotion.stacking === 'EXCLUSIVE'))
  const groupOf = (promotion: Promotion): string => promotion.stackGroup ?? ''
  const grouped = giving.filter(({ promotion }) => promotion.stacking === 'BEST_OF_GROUP')
  const others = giving.flatMap((entry) => {
    const { promotion } = entry
    if (promotion.stacking === 'EXCLUSIVE') return []
    if (promotion.stacking === 'BEST_OF_GROUP' && best(grouped.filter((other) => groupOf(other.promotion) === groupOf(promotion))) !== entry) return []
    return [promotion]
  })
  const together = give(others)
  if (exclusive === undefined) return together.benefits
  const [first] = others
  const order = exclusive.alone.worth.cmp(together.worth) || (first === undefined ? 1 : first.priority - exclusive.promotion.priority || first.id - exclusive.promotion.id)
  return order > 0 ? exclusive.alone.benefits : together.benefits
}

function valueBenefit(promotion: Promotion, lines: readonly PromotedLine[]): ValueBenefit | null {
  const tier = reachedTier(promotion, lines, (line) => line.value.gt(0))
  if (tier === null) return null
  const weights = lines.map((line, i) => (tier.qualifies[i] === true ? line.value : exact(0)))
  const base = sum(weights)
  const given = tier.benefits.flatMap((benefit) => {
    const capped = benefit.maxMultiple !== null && tier.multiples.gt(benefit.maxMultiple) ? exact(benefit.maxMultiple) : tier.multiples
    switch (benefit.kind) {
      case 'PCT':
        return [base.times(benefit.value).div(100)]
      case 'AMOUNT':
        return [capped.times(benefit.value)]
      case 'AMOUNT_PER_UOM': {
        const units = sum(lines.flatMap((line, i) => (tier.qualifies[i] === true ? (inUnit(line, benefit.freeUom ?? tier.uom) ?? []) : [])))
        return [(benefit.maxMultiple !== null && units.gt(benefit.maxMultiple) ? exact(benefit.maxMultiple) : units).times(benefit.value)]
      }
      case 'FREE_ITEM':
      case 'SPECIAL_PRICE':
        return []
    }
  })
  const wanted = sum(given)
  if (base.lte(0) || wanted.lte(0)) return null
  const amount = (wanted.gt(base) ? base : wanted).round(2)
  const rates = tier.benefits.filter(({ kind }) => kind === 'PCT').map(({ value }) => value)
  return { promotion, rate: given.length === 1 ? (rates[0] ?? null) : null, parts: spread(amount, weights, 2) }
}

/** What a promotion gives away for these lines. */
export function freeGoods(promotion: Promotion, lines: readonly PromotedLine[]): FreeBenefit[] {
  const tier = reachedTier(promotion, lines, (line) => line.qtyBase.gt(0))
  const parent = tier?.qualifies.indexOf(true) ?? -1
  const first = lines[parent]
  if (tier === null || first === undefined) return []
  return tier.benefits.flatMap((benefit): FreeBenefit[] => {
    if (benefit.kind !== 'FREE_ITEM') return []
    const multiples = benefit.maxMultiple !== null && tier.multiples.gt(benefit.maxMultiple) ? exact(benefit.maxMultiple) : tier.multiples
    const itemId = benefit.freeItemId ?? first.item.id
    const factor = benefit.freeUom === null ? '1' : (benefit.unitFactor ?? lines.find(({ item }) => item.id === itemId)?.item.factors.get(benefit.freeUom) ?? '1')
    const qtyBase = multiples.times(benefit.freeQty).times(factor).round(3)
    return qtyBase.gt(0) ? [{ promotion, itemId, qtyBase, uom: benefit.freeUom, parent }] : []
  })
}

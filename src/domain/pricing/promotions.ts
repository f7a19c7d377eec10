import { exact, spread, sum, type Exact } from '#base/decimal.ts'
import { closeness, highestFirst, isValidOn, type SoldItem, type PricingContext, type Promotion, type PromotionTier } from './masters.ts'

/** What a promotion looks at: a paid line and its value so far. */
export interface PromotedLine {
  readonly item: SoldItem
  readonly qtyBase: Exact
  readonly value: Exact
}

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
  readonly parent: number
}

/** Promotions this customer may have on this day, by priority. */
export function candidates(context: PricingContext, promotions: readonly Promotion[], mechanism: Promotion['mechanism']): Promotion[] {
  const open = (wanted: number | null, has: number | null): boolean => wanted === null || wanted === has
  return promotions
    .filter(
      (promotion) =>
        promotion.mechanism === mechanism &&
        isValidOn(promotion, context.priceDate) &&
        open(promotion.channelId, context.channelId) &&
        open(promotion.customerCategoryId, context.customerCategoryId) &&
        open(promotion.territoryId, context.territoryId),
    )
    .sort((a, b) => a.priority - b.priority || a.id - b.id)
}

/** Value promotions of one mechanism, stacked as they allow; each works on what those before it left. */
export function valueBenefits(promotions: readonly Promotion[], lines: readonly PromotedLine[]): ValueBenefit[] {
  const benefits: ValueBenefit[] = []
  let left = lines
  const chosen = stack(promotions, (promotion) => total(valueBenefit(promotion, lines)))
  for (const promotion of chosen) {
    const benefit = valueBenefit(promotion, left)
    if (!benefit) continue
    benefits.push(benefit)
    left = left.map((line, i) => ({ ...line, value: line.value.minus(benefit.parts[i] ?? 0) }))
  }
  return benefits
}

/** Free goods: whole multiples of the highest tier reached, capped. */
export function freeBenefits(promotions: readonly Promotion[], lines: readonly PromotedLine[]): FreeBenefit[] {
  const chosen = stack(promotions, (promotion) => freeBenefit(promotion, lines)?.qtyBase ?? exact(0))
  return chosen.flatMap((promotion) => freeBenefit(promotion, lines) ?? [])
}

/** An exclusive promotion that gives something stands alone, the best of them; of a group the best one; the rest all. */
function stack(promotions: readonly Promotion[], worth: (promotion: Promotion) => Exact): Promotion[] {
  const giving = promotions.map((promotion) => ({ promotion, worth: worth(promotion) })).filter((entry) => entry.worth.gt(0))
  const best = (entries: typeof giving): Promotion[] => {
    const [first] = [...entries].sort((a, b) => b.worth.cmp(a.worth) || a.promotion.priority - b.promotion.priority || a.promotion.id - b.promotion.id)
    return first ? [first.promotion] : []
  }
  const exclusive = giving.filter((entry) => entry.promotion.stacking === 'EXCLUSIVE')
  if (exclusive.length > 0) return best(exclusive)
  const groupOf = (promotion: Promotion): string => promotion.stackGroup ?? ''
  return giving
    .filter(
      (entry) =>
        entry.promotion.stacking !== 'BEST_OF_GROUP' ||
        best(giving.filter((other) => other.promotion.stacking === 'BEST_OF_GROUP' && groupOf(other.promotion) === groupOf(entry.promotion))).includes(entry.promotion),
    )
    .map((entry) => entry.promotion)
}

function valueBenefit(promotion: Promotion, lines: readonly PromotedLine[]): ValueBenefit | null {
  const qualifies = lines.map((line) => closeness(promotion, line.item) !== null && line.value.gt(0))
  const weights = lines.map((line, i) => (qualifies[i] ? line.value : exact(0)))
  const base = sum(weights)
  const tier = reached(promotion, sum(lines.filter((_, i) => qualifies[i]).map((line) => line.qtyBase)), base)
  if (!tier || base.eq(0)) return null
  const wanted = tier.benefitKind === 'PCT' ? base.times(tier.benefitValue).div(100) : exact(tier.benefitValue)
  const amount = (wanted.gt(base) ? base : wanted).round(2)
  return { promotion, rate: tier.benefitKind === 'PCT' ? tier.benefitValue : null, parts: spread(amount, weights, 2) }
}

/** What a promotion gives away for these lines; null where it gives nothing. */
export function freeBenefit(promotion: Promotion, lines: readonly PromotedLine[]): FreeBenefit | null {
  const parent = lines.findIndex((line) => closeness(promotion, line.item) !== null && line.qtyBase.gt(0))
  const first = lines[parent]
  if (!first) return null
  const qualifying = lines.filter((line) => closeness(promotion, line.item) !== null)
  const qty = sum(qualifying.map((line) => line.qtyBase))
  const tier = reached(promotion, qty, sum(qualifying.map((line) => line.value)))
  if (!tier || exact(tier.minQty).lte(0)) return null
  const whole = qty.div(tier.minQty).round(0, 'DOWN')
  const multiples = promotion.maxMultiple !== null && whole.gt(promotion.maxMultiple) ? exact(promotion.maxMultiple) : whole
  return { promotion, itemId: promotion.freeItemId ?? first.item.id, qtyBase: multiples.times(tier.benefitValue), parent }
}

/** The highest tier whose quantity and value are both reached. */
function reached(promotion: Promotion, qty: Exact, value: Exact): PromotionTier | undefined {
  return [...promotion.tiers]
    .sort(highestFirst)
    .find((tier) => qty.gte(tier.minQty) && value.gte(tier.minValue))
}

function total(benefit: ValueBenefit | null): Exact {
  return sum(benefit?.parts ?? [])
}

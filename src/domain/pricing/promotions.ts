import { exact, spread, sum, zero, type Exact } from '#base/decimal.ts'
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

/** Who buys, where and when, as far as promotions ask. */
export type PromotedBuyer = Pick<PricingContext, 'priceDate' | 'customerId' | 'channelId' | 'customerCategoryId' | 'customerGroupId' | 'territoryId' | 'salesAreaId' | 'sentAt'>

/** Promotions this customer may have on this day, by priority. */
export function candidates(context: PromotedBuyer, promotions: readonly Promotion[], mechanism: Promotion['mechanism'] = 'ON_INVOICE'): Promotion[] {
  return promotions
    .filter((promotion) => promotion.mechanism === mechanism && isValidOn(promotion, context.priceDate) && !isStoppedFor(promotion, context) && isFor(promotion.scopes, context))
    .sort((a, b) => a.priority - b.priority || a.id - b.id)
}

/** Of the day a promotion was stopped those orders have it that were sent before. What is claimed later is of whole days. */
function isStoppedFor({ mechanism, validTo, stoppedAt }: Promotion, { priceDate, sentAt }: PromotedBuyer): boolean {
  if (mechanism !== 'ON_INVOICE' || stoppedAt == null || validTo !== priceDate) return false
  return sentAt == null || Date.parse(sentAt) > Date.parse(stoppedAt)
}

function isFor(scopes: readonly PromotionScope[], context: PromotedBuyer): boolean {
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
  const valued = promotions.filter(({ benefits }) => benefits.some(({ kind }) => kind !== 'FREE_ITEM' && kind !== 'SPECIAL_PRICE'))
  if (valued.length === 0) return []
  return stacked(valued, (promotion) => valueAmount(promotion, lines)?.amount ?? exact(0), (chosen) => {
    const benefits: ValueBenefit[] = []
    const left = [...lines]
    for (const promotion of chosen) {
      const found = valueAmount(promotion, left)
      if (found === null) continue
      const benefit = spreadOver(promotion, found, left)
      benefits.push(benefit)
      for (const [i, part] of benefit.parts.entries()) {
        const line = left[i]
        if (line !== undefined && found.qualifies[i] === true) left[i] = { ...line, value: line.value.minus(part) }
      }
    }
    return { benefits, worth: sum(benefits.flatMap(({ parts }) => parts)) }
  })
}

/** Free goods: whole multiples of the highest tier reached, capped. `worthOf` compares goods of several promotions. */
export function freeBenefits(promotions: readonly Promotion[], lines: readonly PromotedLine[], worthOf: (benefit: FreeBenefit) => Exact): FreeBenefit[] {
  const giving = promotions.filter(({ benefits }) => benefits.some(({ kind }) => kind === 'FREE_ITEM'))
  return stacked(giving, (promotion) => sum(freeGoods(promotion, lines).map(worthOf)), (chosen) => {
    const benefits = chosen.flatMap((promotion) => freeGoods(promotion, lines))
    return { benefits, worth: sum(benefits.map(worthOf)) }
  })
}

interface Given<T> {
  readonly benefits: T[]
  readonly worth: Exact
}

/** The better of the best exclusive promotion alone and all others together, of a group the best one; as good: the lower priority, then the older. */
function stacked<T>(promotions: readonly Promotion[], worthAlone: (promotion: Promotion) => Exact, give: (chosen: readonly Promotion[]) => Given<T>): T[] {
  const giving = promotions.map((promotion) => ({ promotion, worth: worthAlone(promotion) })).filter(({ worth }) => worth.gt(0))
  const best = (entries: typeof giving) => entries.reduce<(typeof giving)[number] | undefined>((first, one) => (first === undefined || isBetter(one, first) ? one : first), undefined)
  const exclusive = best(giving.filter(({ promotion }) => promotion.stacking === 'EXCLUSIVE'))
  const ofGroup = new Map<string, (typeof giving)[number]>()
  for (const entry of giving) {
    if (entry.promotion.stacking !== 'BEST_OF_GROUP') continue
    const group = entry.promotion.stackGroup ?? ''
    const first = ofGroup.get(group)
    if (first === undefined || isBetter(entry, first)) ofGroup.set(group, entry)
  }
  const others = giving.flatMap((entry) => {
    const { promotion } = entry
    if (promotion.stacking === 'EXCLUSIVE') return []
    return promotion.stacking === 'BEST_OF_GROUP' && ofGroup.get(promotion.stackGroup ?? '') !== entry ? [] : [promotion]
  })
  const together = give(others)
  if (exclusive === undefined) return together.benefits
  const [first] = others
  const order = exclusive.worth.cmp(together.worth) || (first === undefined ? 1 : first.priority - exclusive.promotion.priority || first.id - exclusive.promotion.id)
  return order > 0 ? give([exclusive.promotion]).benefits : together.benefits
}

interface Worth {
  readonly promotion: Promotion
  readonly worth: Exact
}

function isBetter(one: Worth, other: Worth): boolean {
  return (one.worth.cmp(other.worth) || other.promotion.priority - one.promotion.priority || other.promotion.id - one.promotion.id) > 0
}

interface ValueAmount {
  readonly amount: Exact
  readonly rate: string | null
  readonly qualifies: readonly boolean[]
}

/** What a promotion takes off in all; null where that is nothing. */
function valueAmount(promotion: Promotion, lines: readonly PromotedLine[]): ValueAmount | null {
  const tier = reachedTier(promotion, lines, (line) => line.value.gt(0))
  if (tier === null) return null
  const base = sum(lines.flatMap((line, i) => (tier.qualifies[i] === true ? [line.value] : [])))
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
  return { amount, rate: given.length === 1 ? (rates[0] ?? null) : null, qualifies: tier.qualifies }
}

/** Over the lines that brought it about, by their value. */
function spreadOver(promotion: Promotion, { amount, rate, qualifies }: ValueAmount, lines: readonly PromotedLine[]): ValueBenefit {
  const own = lines.flatMap((line, i) => (qualifies[i] === true ? [{ i, value: line.value }] : []))
  const parts: Exact[] = lines.map(() => zero)
  for (const [n, part] of spread(amount, own.map(({ value }) => value), 2).entries()) parts[own[n]?.i ?? 0] = part
  return { promotion, rate, parts }
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

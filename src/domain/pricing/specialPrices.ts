import { exact, type Exact } from '#base/decimal.ts'
import type { BasePrice } from './basePrice.ts'
import type { Promotion } from './masters.ts'
import { reachedTier, type PromotedLine } from './promotionTiers.ts'

/** A line a special price may be for. */
export interface SpeciallyPriced {
  readonly line: Omit<PromotedLine, 'value'>
  readonly uom: string
  /** What the lists say; null where they say nothing. */
  readonly listed: Exact | null
}

export interface SpecialPrice {
  readonly promotion: Promotion
  readonly base: BasePrice
}

/** Prices that promotions set before any list is asked, by line; of several the lowest, and of those the first promotion's. */
export function specialPrices(promotions: readonly Promotion[], lines: readonly SpeciallyPriced[]): readonly (SpecialPrice | null)[] {
  const setting = promotions.filter(({ benefits }) => benefits.some(({ kind }) => kind === 'SPECIAL_PRICE'))
  if (setting.length === 0) return lines.map(() => null)
  const promoted = lines.map(({ line }) => ({ ...line, value: exact(0) }))
  const best: (SpecialPrice | null)[] = lines.map(() => null)
  for (const promotion of setting) {
    const tier = reachedTier(promotion, promoted, (line) => line.qtyBase.gt(0))
    const benefit = tier?.benefits.find(({ kind }) => kind === 'SPECIAL_PRICE')
    if (tier === null || benefit === undefined) continue
    for (const [i, { line, uom, listed }] of lines.entries()) {
      if (tier.qualifies[i] !== true) continue
      const per = line.item.factors.get(benefit.freeUom ?? tier.uom ?? line.item.baseUom) ?? '1'
      const price = exact(benefit.value).times(line.item.factors.get(uom) ?? '1').div(per).round(4)
      const known = best[i]
      if (known == null || price.lt(known.base.price)) best[i] = { promotion, base: { listPriceId: null, price, withTax: null, floor: null, source: `PROMOTION:${promotion.code}`, listed } }
    }
  }
  return best
}

import { compare, exact, fixed, sum, type Decimal } from '#base/decimal.ts'
import type { Promotion, SoldItem } from './masters.ts'
import { freeGoods } from './promotions.ts'
import { selectsItem } from './promotionTiers.ts'

/** A line of an order whose goods earn gifts. */
export interface EarningLine {
  readonly id: number
  readonly item: SoldItem
  /** Ordered, in base units. */
  readonly ordered: Decimal
  /** What of it counts: delivered, say. */
  readonly counted: Decimal
  /** Of all that was ordered, less discounts. */
  readonly value: Decimal
}

export interface GiftLine {
  /** Given, in base units, for all that was ordered. */
  readonly given: Decimal
  /** What is given, where a promotion gives more than one thing. */
  readonly itemId?: number
  /** The line that earned it first. */
  readonly parentId: number | null
  /** Undefined where it is known no longer. */
  readonly promotion: Promotion | undefined
}

/**
 * How much of a gift the goods that count earn: what the promotion gives for them, as a share of what it gives for all that was ordered. Where the promotion
 * no longer gives what it gave then, the gift is earned in proportion, whole pieces where it was given in whole pieces.
 */
export function earnedOf(gift: GiftLine, lines: readonly EarningLine[]): Decimal {
  const benefit = (share: (line: EarningLine) => Decimal) => {
    const { promotion } = gift
    if (promotion === undefined) return undefined
    const promoted = lines.map((line) => {
      const qty = exact(share(line))
      return { item: line.item, qtyBase: qty, value: compare(line.ordered, '0') === 0 ? exact('0') : exact(line.value).times(qty).div(line.ordered) }
    })
    const goods = freeGoods(promotion, promoted)
    return (goods.find(({ itemId }) => itemId === gift.itemId) ?? goods[0])?.qtyBase ?? exact('0')
  }
  const whole = benefit((line) => line.ordered)
  if (whole?.gt(0) === true) return least(fixed(exact(gift.given).times(benefit((line) => line.counted) ?? '0').div(whole).round(3, 'DOWN'), 3), gift.given)
  const { promotion } = gift
  const qualifying = promotion === undefined ? lines.filter((line) => line.id === gift.parentId) : lines.filter((line) => selectsItem(promotion, line.item))
  const base = qualifying.length > 0 ? qualifying : lines
  const ordered = sum(base.map((line) => line.ordered))
  if (ordered.lte(0)) return gift.given
  const places = compare(gift.given, fixed(gift.given, 0)) === 0 ? 0 : 3
  return least(fixed(exact(gift.given).times(sum(base.map((line) => line.counted))).div(ordered).round(places, 'DOWN'), 3), gift.given)
}

function least(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) > 0 ? b : a
}

import { sum, zero, type Exact } from '#base/decimal.ts'
import type { Promotion } from './masters.ts'
import { candidates, freeBenefits, valueBenefits, type FreeBenefit, type PromotedBuyer, type PromotedLine } from './promotions.ts'
import { isOfOrder, touching } from './promotionTiers.ts'
import { specialPrices } from './specialPrices.ts'

/** A paid line of an order as it stands: `value` is what promotions look at, `price` is of one `uom`. */
export interface TriedLine extends PromotedLine {
  readonly uom: string
  readonly price: Exact
}

/** A promotion as if it had run on a day; what a customer claims later counts with the order that earns it. */
export function asIfRunning(promotion: Promotion): Promotion {
  return { ...promotion, mechanism: 'ON_INVOICE', validFrom: '0001-01-01', validTo: null }
}

/**
 * What an order would have earned by a promotion beside those that ran: money taken off, and goods given at `costOf` a base unit.
 * @param running promotions of the day of the order, without other versions of the one tried
 */
export function triedOn(buyer: PromotedBuyer, promotion: Promotion, running: readonly Promotion[], lines: readonly TriedLine[], costOf: (itemId: number) => string): Exact {
  const items = lines.map(({ item }) => item)
  if (touching(candidates(buyer, [promotion]), items).length === 0) return zero
  const open = touching(candidates(buyer, [...running, promotion]), items)
  const cost = ({ itemId, qtyBase }: FreeBenefit): Exact => qtyBase.times(costOf(itemId))
  const ofPrice = specialPrices([promotion], lines.map((line) => ({ line, uom: line.uom, listed: line.price }))).map((found, i) => {
    const line = lines[i]
    if (found === null || line === undefined || found.base.price.gte(line.price) || line.price.lte(0)) return zero
    return line.value.times(line.price.minus(found.base.price)).div(line.price).round(2)
  })
  const priced = lines.map((line, i): PromotedLine => ({ item: line.item, qtyBase: line.qtyBase, value: line.value.minus(ofPrice[i] ?? zero) }))
  const onItems = valueBenefits(open.filter((one) => !isOfOrder(one)), priced)
  const after = priced.map((line, i) => ({ ...line, value: line.value.minus(sum(onItems.map(({ parts }) => parts[i] ?? zero))) }))
  const taken = [...onItems, ...valueBenefits(open.filter(isOfOrder), after)].filter((benefit) => benefit.promotion === promotion).flatMap(({ parts }) => parts)
  // A gift that costs nothing still counts against another; its quantity says how much.
  const worth = (benefit: FreeBenefit): Exact => (cost(benefit).gt(0) ? cost(benefit) : benefit.qtyBase)
  const given = freeBenefits(open, after, worth).filter((benefit) => benefit.promotion === promotion).map((benefit) => cost(benefit).round(2))
  return sum([...ofPrice, ...taken, ...given])
}

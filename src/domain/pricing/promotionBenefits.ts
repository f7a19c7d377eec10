import { exact, money, sum, type Decimal, type Exact } from '#base/decimal.ts'
import type { PricedLine } from './priceOrder.ts'

/** What one line earns by one promotion. */
export interface LineBenefit {
  readonly key: number
  /** Base units the amount is for. */
  readonly qty: Decimal
  readonly amount: Decimal
}

/**
 * What an order earns, by promotion: money taken off as it is, goods given away at their standard cost.
 * `costs`: standard cost of a base unit, by item.
 */
export function benefitsOf(lines: readonly PricedLine[], costs: ReadonlyMap<number, Decimal>): ReadonlyMap<number, readonly LineBenefit[]> {
  const benefits = new Map<number, LineBenefit[]>()
  const add = (promotionId: number, line: PricedLine, amount: Exact): void => {
    if (amount.lte(0)) return
    benefits.set(promotionId, [...(benefits.get(promotionId) ?? []), { key: line.key, qty: line.qtyBase, amount: money(amount) }])
  }
  for (const line of lines) {
    if (line.isFree) {
      if (line.promotionId !== null) add(line.promotionId, line, exact(line.qtyBase).times(costs.get(line.itemId) ?? '0').round(2))
      continue
    }
    for (const { step, rowId, before, after } of line.trace) if (step === 'PROMOTION' && rowId !== null) add(rowId, line, exact(before).minus(after))
  }
  return benefits
}

export function benefitTotal(benefits: readonly LineBenefit[]): Exact {
  return sum(benefits.map(({ amount }) => amount))
}

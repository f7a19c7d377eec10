import type { PricingContext, PricingMasters, Promotion } from '#domain/pricing/masters.ts'
import { withChoices } from '#domain/pricing/promotionChoice.ts'
import { priceOrder, type OrderLine, type PricedOrder } from '#domain/pricing/priceOrder.ts'
import type { Queries } from '#server/context.ts'
import { exhaustedOf } from './promotionUses.ts'

export interface PricedWithin {
  readonly order: PricedOrder
  /** Promotions that were open to it. */
  readonly promotions: readonly Promotion[]
  /** Promotions it would earn, were enough left of them. */
  readonly exhausted: readonly Promotion[]
}

/** Prices an order without the promotions there is not enough left of; what takes their place is priced in turn. */
export async function priceWithin(tx: Queries, context: PricingContext, masters: PricingMasters, lines: readonly OrderLine[]): Promise<PricedWithin> {
  let promotions = withChoices(masters.promotions, lines.flatMap(({ choice }) => choice ?? []))
  const exhausted: Promotion[] = []
  for (;;) {
    const order = priceOrder(context, { ...masters, promotions }, lines)
    const over = await exhaustedOf(tx, context.customerId, order.lines, promotions)
    if (over.size === 0) return { order, promotions, exhausted }
    exhausted.push(...promotions.filter(({ id }) => over.has(id)))
    promotions = promotions.filter(({ id }) => !over.has(id))
  }
}

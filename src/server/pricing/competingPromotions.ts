import { compare, grouped, money, sum } from '#base/decimal.ts'
import type { Said } from '#api/problems.ts'
import { competes } from '#domain/pricing/promotionChoice.ts'
import type { PricingContext, PricingMasters, Promotion } from '#domain/pricing/masters.ts'
import { priceOrder, type OrderLine } from '#domain/pricing/priceOrder.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { tell } from '#server/sentences.ts'

/** More are not compared: each costs a pricing of the order. */
const mostCompared = 30

export interface Competing {
  /** Codes to choose among, by key of the line. */
  readonly codes: ReadonlyMap<number, readonly string[]>
  /** What each gives alone, and what is left of its budget. */
  readonly sentences: readonly Said[]
}

/** The promotions of an order that do not go together: what each would give by itself, and what its budget still holds. */
export async function competingPromotions(tx: Queries, context: PricingContext, masters: PricingMasters, lines: readonly OrderLine[]): Promise<Competing> {
  const rivals = masters.promotions.filter((promotion) => masters.promotions.some((other) => competes(promotion, other))).slice(0, mostCompared)
  const giving = rivals.flatMap((promotion) => {
    const alone = priceOrder(context, { ...masters, promotions: [promotion] }, lines)
    const earning = alone.lines.filter((line) => compare(line.promo, '0') > 0)
    const keys = new Set(earning.map((line) => line.parentKey ?? line.key))
    return keys.size === 0 ? [] : [{ promotion, keys, benefit: sum(earning.map(({ promo }) => promo)) }]
  })
  const open = giving.filter(({ promotion }) => giving.some((other) => competes(promotion, other.promotion)))
  const left = await budgetsOf(tx, open.map(({ promotion }) => promotion))
  const codes = new Map<number, string[]>()
  for (const { promotion, keys } of open) for (const key of keys) codes.set(key, [...(codes.get(key) ?? []), promotion.code])
  return {
    codes,
    sentences: open.map(({ promotion, benefit }) => {
      const budget = promotion.budgetId === null ? undefined : left.get(promotion.budgetId)
      const said = { promotion: `${promotion.code} ${promotion.name}`, benefit: grouped(money(benefit)) }
      return budget === undefined ? tell('warning.promotion-competes', said) : tell('warning.promotion-competes-left', { ...said, left: grouped(budget) })
    }),
  }
}

async function budgetsOf(tx: Queries, promotions: readonly Promotion[]): Promise<ReadonlyMap<number, string>> {
  const ids = promotions.flatMap(({ budgetId }) => budgetId ?? [])
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<{ id: number; left: string }>(sql`select id, case when status = 1 then available else 0 end::text as left from promotion_budget where id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row.left]))
}

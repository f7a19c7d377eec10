import { exact, grouped, money } from '#base/decimal.ts'
import type { Effect, TransitionContext } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { schemes } from './pricingMasters.ts'
import { commitOf, exceeded, giveBack } from './promotionUses.ts'

/** What a claim costs is its base; goods given away cost their standard cost. */
const costs: Readonly<Record<string, string>> = { credit_note: 'dpp', free_goods_request: 'estimate' }

function usesOf({ entity, current }: TransitionContext): Sql {
  return sql`${ident(`${entity.id}_id`)} = ${current.id}`
}

/** A claim, or goods given away, for a promotion: what it costs is kept for it; more than is left is refused. */
export const holdPromotion: Effect = async ({ tx, entity, current }) => {
  const promotionId = numberOrNull(current, 'promotion_id')
  const total = exact(textOf(current, costs[entity.id] ?? ''))
  if (promotionId === null || total.lte(0)) return
  const promotion = (await schemes.get(tx)).promotions.find(({ id }) => id === promotionId)
  if (promotion === undefined) return invalid([wrong('PromotionID', 'INACTIVE')])
  const customerId = numberOrNull(current, 'customer_id')
  const left = (await exceeded(tx, customerId, [{ promotion, total }], 'lock')).get(promotionId)
  if (left !== undefined) invalid([wrong('PromotionID', 'EXCEEDS_AVAILABLE.promotion', { promotion: promotion.code, left: grouped(money(left)) })])
  await insertRows(tx, 'promotion_use', [{
    promotion_id: promotionId, promotion_budget_id: promotion.budgetId, operating_unit_id: numberOf(current, 'operating_unit_id'), territory_id: numberOrNull(current, 'territory_id'), customer_id: customerId,
    [`${entity.id}_id`]: current.id, qty: '1', amount: money(total), committed: money(total), used: '0',
  }])
  await commitOf(tx, [{ promotion, total }])
}

/** What was kept for it is used now. Claims count as claimed, too. */
export const usePromotion: Effect = async (context) => {
  await context.tx.run(sql`
    with used as (
      update promotion_use set used = committed, committed = 0 where ${usesOf(context)} and committed > 0 returning promotion_budget_id as id, used as amount, case when credit_note_id is null then 0 else used end as claimed
    ) update promotion_budget b set committed = b.committed - u.amount, used = b.used + u.amount, claimed = b.claimed + u.claimed from used u where b.id = u.id`)
}

/** Nothing is kept or used of the promotion any more. */
export const freePromotion: Effect = async (context) => {
  await context.tx.run(giveBack(usesOf(context)))
}

import { exact, grouped, money, type Decimal } from '#base/decimal.ts'
import type { Effect, Row, TransitionContext } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'

interface Limits extends Row {
  readonly id: number
  readonly code: string
  readonly budget_id: number | null
  readonly max_per_customer: Decimal | null
  readonly max_total: Decimal | null
  readonly own: Decimal
  readonly whole: Decimal
}

/** What a claim costs is its base; goods given away cost their standard cost. */
const costs: Readonly<Record<string, string>> = { credit_note: 'dpp', free_goods_request: 'estimate' }

function of({ entity, current }: TransitionContext): Sql {
  return sql`${ident(`${entity.id}_id`)} = ${current.id}`
}

/** A claim, or goods given away, for a promotion: what it costs is kept for it; more than is left is refused. */
export const holdPromotion: Effect = async (context) => {
  const { tx, entity, current } = context
  const promotionId = numberOrNull(current, 'promotion_id')
  const amount = textOf(current, costs[entity.id] ?? '')
  if (promotionId === null || exact(amount).lte(0)) return
  const customerId = numberOrNull(current, 'customer_id')
  await tx.run(sql`select p.id from promotion p where p.id = (select coalesce(version_of_id, id) from promotion where id = ${promotionId}) for update`)
  const limits = await tx.first<Limits>(sql`
    select p.id, p.code, p.budget_id, p.max_per_customer, p.max_total, coalesce(u.own, 0)::text as own, coalesce(u.whole, 0)::text as whole from promotion p left join lateral (
      select sum(u.committed + u.used) filter (where u.customer_id = ${customerId}::bigint) as own, sum(u.committed + u.used) as whole
      from promotion_use u join promotion v on v.id = u.promotion_id where coalesce(v.version_of_id, v.id) = coalesce(p.version_of_id, p.id)
    ) u on true where p.id = ${promotionId}`)
  if (limits === undefined) return
  const budget = limits.budget_id === null ? undefined : await tx.first<{ left: Decimal }>(sql`
    select case when status = 1 then available else 0 end::text as left from promotion_budget where id = ${limits.budget_id} for update`)
  const left = [budget?.left, less(limits.max_per_customer, limits.own), less(limits.max_total, limits.whole)].flatMap((one) => (one === undefined ? [] : [exact(one)]))
  const least = left.toSorted((a, b) => a.cmp(b))[0]
  if (least !== undefined && least.lt(amount)) invalid([wrong('PromotionID', 'EXCEEDS_AVAILABLE.promotion', { promotion: limits.code, left: grouped(money(least.lt(0) ? exact(0) : least)) })])
  await insertRows(tx, 'promotion_use', [{
    promotion_id: promotionId, promotion_budget_id: limits.budget_id, operating_unit_id: numberOf(current, 'operating_unit_id'), territory_id: numberOrNull(current, 'territory_id'), customer_id: customerId,
    [`${entity.id}_id`]: current.id, qty: '1', amount, committed: amount, used: '0',
  }])
  await tx.run(sql`update promotion_budget set committed = committed + ${amount}::numeric, available = available - ${amount}::numeric where id = ${limits.budget_id}::bigint`)
}

function less(most: Decimal | null, taken: Decimal): Decimal | undefined {
  return most === null ? undefined : exact(most).minus(taken).toFixed(2)
}

/** What was kept for it is used now. Claims count as claimed, too. */
export const usePromotion: Effect = async (context) => {
  const { tx, entity } = context
  await tx.run(sql`
    with used as (update promotion_use set used = committed, committed = 0 where ${of(context)} and committed > 0 returning promotion_budget_id as id, used as amount)
    update promotion_budget b set committed = b.committed - u.amount, used = b.used + u.amount, claimed = b.claimed + case when ${entity.id === 'credit_note'}::boolean then u.amount else 0 end from used u where b.id = u.id`)
}

/** Nothing is kept or used of the promotion any more. */
export const freePromotion: Effect = async (context) => {
  const { tx, entity } = context
  await tx.run(sql`
    with gone as (delete from promotion_use where ${of(context)} returning promotion_budget_id as id, committed, used)
    update promotion_budget b set committed = b.committed - g.committed, used = b.used - g.used, available = b.available + g.committed + g.used, claimed = b.claimed - case when ${entity.id === 'credit_note'}::boolean then g.used else 0 end from gone g where b.id = g.id`)
}

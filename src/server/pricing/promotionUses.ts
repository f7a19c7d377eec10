import { exact, fixed, sum, zero, type Decimal, type Exact } from '#base/decimal.ts'
import { benefitsOf, benefitTotal, type LineBenefit } from '#domain/pricing/promotionBenefits.ts'
import type { Promotion } from '#domain/pricing/masters.ts'
import type { PricedLine } from '#domain/pricing/priceOrder.ts'
import type { Queries, Row } from '#server/context.ts'
import { insertRowsLater } from '#server/db/insertRows.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { numberOf, numberOrNull } from '#server/workflow/newDocument.ts'

/** A promotion of which there is only so much, with what is asked of it. */
export interface Asked {
  readonly promotion: Promotion
  readonly total: Exact
}

interface Earned extends Asked {
  readonly lines: readonly LineBenefit[]
}

function isLimited(promotion: Promotion): boolean {
  return promotion.budgetId !== null || promotion.maxPerCustomer !== null || promotion.maxTotal !== null
}

async function earnedBy(tx: Queries, lines: readonly PricedLine[], promotions: readonly Promotion[]): Promise<Earned[]> {
  const limited = new Map(promotions.filter(isLimited).map((promotion) => [promotion.id, promotion]))
  if (limited.size === 0) return []
  const given = [...new Set(lines.flatMap((line) => (line.isFree && limited.has(line.promotionId ?? 0) ? [line.itemId] : [])))]
  const benefits = benefitsOf(lines, await standardCosts(tx, given))
  return [...limited.values()]
    .flatMap((promotion) => {
      const own = benefits.get(promotion.id)
      return own === undefined ? [] : [{ promotion, lines: own, total: benefitTotal(own) }]
    })
    .toSorted((a, b) => a.promotion.priority - b.promotion.priority || a.promotion.id - b.promotion.id)
}

/** What a base unit of goods given away costs a promotion, by item. */
export async function standardCosts(tx: Queries, itemIds: readonly number[]): Promise<ReadonlyMap<number, Decimal>> {
  if (itemIds.length === 0) return new Map()
  const rows = await tx.ahead.rows<{ id: number; cost: Decimal }>(sql`select id, coalesce(standard_cost, 0)::text as cost from item where id = any(${[...itemIds]}::bigint[])`)
  return new Map(rows.map(({ id, cost }) => [id, cost]))
}

/**
 * The promotions more is asked of than there is left, of their budget, in total, or for the customer, each with what is left. Each is given whole or not at all.
 * `lock`: budgets and promotions stay locked, so that of documents of the same second each sees what the others took.
 */
export async function exceeded(tx: Queries, customerId: number | null, asked: readonly Asked[], how: 'read' | 'lock'): Promise<ReadonlyMap<number, Exact>> {
  const budgetIds = budgetsOf(asked)
  const capped = asked.filter(({ promotion }) => promotion.maxPerCustomer !== null || promotion.maxTotal !== null).map(({ promotion }) => promotion.originId)
  if (how === 'lock' && capped.length > 0) await tx.ahead.run(sql`select id from promotion where id = any(${capped}::bigint[]) order by id for update`)
  const budgets = budgetIds.length === 0 ? [] : await tx.ahead.rows<{ id: number; left: Decimal }>(sql`
    select id, case when status = 1 then available else 0 end::text as left from promotion_budget where id = any(${budgetIds}::bigint[]) order by id ${how === 'lock' ? sql`for update` : sql``}`)
  const taken = capped.length === 0 ? [] : await tx.rows<{ id: number; own: Decimal; whole: Decimal }>(sql`
    select coalesce(p.version_of_id, p.id) as id, coalesce(sum(u.committed + u.used) filter (where u.customer_id = ${customerId}::bigint), 0)::text as own, sum(u.committed + u.used)::text as whole
    from promotion_use u join promotion p on p.id = u.promotion_id where coalesce(p.version_of_id, p.id) = any(${capped}::bigint[]) group by 1`)
  const left = new Map<number, Exact>(budgets.map((budget) => [budget.id, exact(budget.left)]))
  const over = new Map<number, Exact>()
  for (const { promotion, total } of asked) {
    const before = taken.find(({ id }) => id === promotion.originId)
    const room = (most: Decimal | null, had: Decimal = '0'): readonly Exact[] => (most === null ? [] : [exact(most).minus(had)])
    const budget = promotion.budgetId === null ? null : (left.get(promotion.budgetId) ?? zero)
    const rooms = [...(budget === null ? [] : [budget]), ...room(promotion.maxPerCustomer, before?.own), ...room(promotion.maxTotal, before?.whole)]
    const least = rooms.reduce<Exact | null>((most, one) => (most === null || one.lt(most) ? one : most), null)
    if (least !== null && total.gt(least)) over.set(promotion.id, least.lt(0) ? zero : least)
    else if (budget !== null && promotion.budgetId !== null) left.set(promotion.budgetId, budget.minus(total))
  }
  return over
}

function budgetsOf(asked: readonly Asked[]): readonly number[] {
  return [...new Set(asked.flatMap(({ promotion }) => promotion.budgetId ?? []))].toSorted((a, b) => a - b)
}

/** Takes what is asked out of budgets that are locked and hold it. At once: what the next document of the same transaction asks does not wait for what is left for later. */
export async function commitOf(tx: Queries, asked: readonly Asked[]): Promise<void> {
  for (const id of budgetsOf(asked)) {
    const amount = fixed(sum(asked.filter(({ promotion }) => promotion.budgetId === id).map(({ total }) => total)), 2)
    await tx.ahead.run(sql`update promotion_budget set committed = committed + ${amount}::numeric, available = available - ${amount}::numeric where id = ${id}`)
  }
}

/** What a document took of promotions is theirs again. `which`: its uses. */
export function giveBack(which: Sql): Sql {
  return sql`
    with gone as (delete from promotion_use where ${which} returning promotion_budget_id as id, committed, used, case when credit_note_id is null then 0 else used end as claimed),
    given as (select id, sum(committed) as committed, sum(used) as used, sum(claimed) as claimed from gone where id is not null group by id)
    update promotion_budget b set committed = b.committed - g.committed, used = b.used - g.used, available = b.available + g.committed + g.used, claimed = b.claimed - g.claimed from given g where b.id = g.id`
}

/** Of the promotions of an order those there is not enough left of, as far as anybody can say without locking. */
export async function exhaustedOf(tx: Queries, customerId: number, lines: readonly PricedLine[], promotions: readonly Promotion[]): Promise<ReadonlySet<number>> {
  const earned = await earnedBy(tx, lines, promotions)
  return earned.length === 0 ? new Set() : new Set((await exceeded(tx, customerId, earned, 'read')).keys())
}

/**
 * Takes what an order earns from the budgets of its promotions: committed until it is billed. Answers whether all of it was there; when not, nothing is taken
 * and the budgets stay locked, so that what is left can be relied on.
 * @param idOf line ids by key of the priced line
 */
export async function commitPromotions(tx: Queries, order: Row, lines: readonly PricedLine[], promotions: readonly Promotion[], idOf: ReadonlyMap<number, number>): Promise<boolean> {
  const earned = await earnedBy(tx, lines, promotions)
  if (earned.length === 0) return true
  if ((await exceeded(tx, numberOf(order, 'customer_id'), earned, 'lock')).size > 0) return false
  await insertRowsLater(tx, 'promotion_use', earned.flatMap(({ promotion, lines: own }) => own.map(({ key, qty, amount }) => ({
    promotion_id: promotion.id, promotion_budget_id: promotion.budgetId, operating_unit_id: numberOf(order, 'operating_unit_id'), territory_id: numberOrNull(order, 'territory_id'), customer_id: numberOf(order, 'customer_id'),
    sales_order_id: numberOf(order, 'id'), order_line_id: idOf.get(key) ?? 0, qty, amount, committed: amount, used: '0',
  }))))
  await commitOf(tx, earned)
  return true
}

/** An order that is entered anew holds nothing. */
export function releasePromotions(tx: Queries, orderId: number): void {
  tx.later(giveBack(sql`sales_order_id = ${orderId}`))
}

/**
 * Brings what orders take of promotions up to what is billed, returned and cancelled of their lines: what is billed and not returned is used, what may
 * still be billed stays committed, the rest is free again. The orders are locked.
 */
export function settlePromotions(tx: Queries, orderIds: readonly number[]): void {
  if (orderIds.length === 0) return
  tx.later(sql`
    with due as (
      select u.id, u.promotion_budget_id, u.amount - round(u.amount * least(l.billed_qty + l.cancelled_qty, u.qty) / u.qty, 2) as committed, round(u.amount * least(greatest(l.billed_qty - l.returned_qty, 0), u.qty) / u.qty, 2) as used,
        u.committed as committed_before, u.used as used_before
      from promotion_use u join sales_order_line l on l.id = u.order_line_id where u.sales_order_id = any(${[...orderIds]}::bigint[])
    ), changed as (
      update promotion_use u set committed = d.committed, used = d.used from due d where d.id = u.id and (d.committed, d.used) is distinct from (d.committed_before, d.used_before)
    ), moved as (
      select promotion_budget_id as id, sum(committed - committed_before) as committed, sum(used - used_before) as used from due where promotion_budget_id is not null group by 1
    )
    update promotion_budget b set committed = b.committed + m.committed, used = b.used + m.used, available = b.available - m.committed - m.used from moved m where m.id = b.id and (m.committed <> 0 or m.used <> 0)`)
}

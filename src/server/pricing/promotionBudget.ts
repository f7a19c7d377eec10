import { exact, type Decimal } from '#base/decimal.ts'
import type { Clock, Database, Effect } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { fail } from '#server/problemError.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'

/** The approved change of a budget takes hold; what promotions have committed or used stays covered. The row is locked, so that changes and orders of the same second follow each other. */
export const adjustBudget: Effect = async (context) => {
  const { tx, current, now, user } = context
  const id = numberOf(current, 'promotion_budget_id')
  const change = exact(textOf(current, 'amount'))
  const budget = await tx.first<{ code: string | null; amount: Decimal; available: Decimal }>(sql`select code, amount, available from promotion_budget where id = ${id} for update`)
  if (budget === undefined) return
  if (exact(budget.available).plus(change).lt(0)) return fail('ILLEGAL_TRANSITION.budget-taken', { budget: budget.code ?? '', limit: budget.available })
  const amount = exact(budget.amount).plus(change).toFixed(2)
  await tx.run(sql`
    update promotion_budget set amount = ${amount}::numeric, available = ${amount}::numeric - committed - used, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${id}`)
  await writeLog(tx, { docType: 'promotion_budget', docId: id, at: now.toISOString(), actorId: user.id, action: 'edit', note: textOf(current, 'code'), diff: [{ field: 'amount', from: budget.amount, to: amount }] })
  context.set({ amount_before: budget.amount, available_before: budget.available, amount_after: amount })
}

/** Budgets end with their period, unless something committed is still to be billed. */
export async function endPromotionBudgets(database: Database, clock: Clock): Promise<void> {
  await database.transaction(async (tx) => {
    const at = clock.now().toISOString()
    const ended = await tx.rows<{ id: number }>(sql`
      update promotion_budget set status = 9, version = version + 1, updated_at = ${at} where status = 1 and committed = 0 and period_to < ${clock.today()}::date returning id`)
    for (const { id } of ended) await writeLog(tx, { docType: 'promotion_budget', docId: id, at, actorId: null, action: 'expire', fromStatus: 1, toStatus: 9 })
  })
}

import type { Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { logStatusChanges } from '#server/workflow/newDocument.ts'

interface Refund extends Row {
  readonly id: number
  readonly code: string
  readonly status: number
  readonly is_with_bank: boolean
}

/** The payment a settlement pays a deposit back by, locked; undefined where it pays nothing back. */
function refundOf(tx: Queries, id: number): Promise<Refund | undefined> {
  return tx.first<Refund>(sql`
    select id, code, status, return_line_id is null and (status = 3 or filed > 0) as is_with_bank from ap_payment where deposit_settlement_id = ${id} and status <> 7 order by id for update`)
}

/** A deposit paid back is owed again only where the bank has not paid it, or has returned it. */
export const refundMayReturn: Precondition = async ({ tx, current }) => {
  const refund = await refundOf(tx, current.id)
  if (refund?.is_with_bank === true) fail('ILLEGAL_TRANSITION.refund-with-bank', { payment: refund.code })
}

/** The payment goes with the settlement whose journal it shares. */
export const takeRefundBack: Effect = async (context: TransitionContext) => {
  await refundMayReturn(context)
  const { tx, current, now, user } = context
  const refund = await refundOf(tx, current.id)
  if (refund === undefined) return
  const at = now.toISOString()
  await tx.run(sql`update ap_payment set status = 7, version = version + 1, updated_at = ${at}, updated_by = ${user.id}, cancelled_at = ${at}, cancelled_by = ${user.id} where id = ${refund.id}`)
  await logStatusChanges(context, 'ap_payment', 'reverse', [{ id: refund.id, from: refund.status, to: 7 }])
}

import type { Effect, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { numberOf } from '#server/workflow/newDocument.ts'

/** A payment goes to the bank once: those in another file, paid or under way to something else are told at their lines. */
export const filePayments: Effect = async (context) => {
  const ids = await paymentsOf(context)
  const rows = await context.tx.rows<{ id: number; is_open: boolean }>(sql`
    select id, status = 1 and filed = 0 and pending_transition is null as is_open from ap_payment where id = any(${ids}::bigint[]) order by id for update`)
  const seen = new Set<number>()
  const refused = ids.flatMap((id, i) => {
    const isFree = rows.some((row) => row.id === id && row.is_open) && !seen.has(id)
    seen.add(id)
    return isFree ? [] : [wrong(`Lines[${i}].ApPaymentID`, 'NOT_OPEN.filed')]
  })
  if (refused.length > 0) invalid(refused)
  await context.tx.run(sql`update ap_payment set filed = amount where id = any(${ids}::bigint[])`)
}

/** The bank has not taken the file, or is not to: its payments may go into another. */
export const unfilePayments: Effect = async (context) => {
  if (numberOf(context.current, 'status') === 0) return
  const ids = await paymentsOf(context)
  await context.tx.run(sql`update ap_payment set filed = 0 where id = any(${ids}::bigint[])`)
}

async function paymentsOf(context: TransitionContext): Promise<readonly number[]> {
  return (await linesOf(context)).map(({ row }) => numberOf(row, 'ap_payment_id'))
}

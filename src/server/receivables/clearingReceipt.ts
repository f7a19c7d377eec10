import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

/** Number of the posted clearing whose money a receipt is; undefined for any other receipt. */
export async function clearingOf(tx: Queries, receiptId: number): Promise<string | undefined> {
  const row = await tx.first<{ code: string }>(sql`
    select code from ar_clearing where ar_payment_id = ${receiptId} and status = 1 union all select code from ar_clearing_gov where ar_payment_id = ${receiptId} and status = 1 limit 1`)
  return row?.code
}

import type { CommandContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'

/**
 * Holds approved orders whose delivery credit stops, or lets them go again, with history; those that are so already are left as they are.
 * `codes`: what stops each order.
 */
export async function holdOrders({ tx, now, user }: CommandContext, orderIds: readonly number[], isHeld: boolean, codes: ReadonlyMap<number, readonly string[]> = new Map()): Promise<void> {
  if (orderIds.length === 0) return
  const at = now.toISOString()
  const changed = await tx.rows<{ id: number }>(sql`
    update sales_order set credit_hold = ${isHeld}, version = version + 1, updated_at = ${at}, updated_by = ${user.id}
    where id = any(${[...orderIds].sort((a, b) => a - b)}::bigint[]) and credit_hold <> ${isHeld} returning id`)
  for (const { id } of changed) {
    const note = codes.get(id)?.join(', ') ?? null
    await writeLog(tx, { docType: 'sales_order', docId: id, at, actorId: user.id, action: 'edit', note, diff: [{ field: 'credit_hold', from: !isHeld, to: isHeld }] })
  }
}

import type { ApprovalReason } from '#api/approval.ts'
import { grouped } from '#base/decimal.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { tell } from '#server/sentences.ts'

/** A limit of a customer who waits for approval is decided with him: whoever approves him reads it. */
export const creditLimitHooks: DocumentHooks = {
  async afterSave({ context: { tx }, header, before }) {
    const customerId = header['customer_id'] ?? before?.['customer_id']
    const request = await tx.first<{ id: number; reasons: readonly ApprovalReason[] }>(sql`
      select id, reasons from approval_request where doc_type = 'customer' and doc_id = ${customerId} and status = 4 and payload->>'is_new' = 'true' for update`)
    if (request === undefined) return
    const reasons = [...request.reasons.filter(({ code }) => code !== 'LIMIT'), ...(await limitReasons(tx, Number(customerId)))]
    await tx.run(sql`update approval_request set reasons = ${JSON.stringify(reasons)}::jsonb where id = ${request.id}`)
  },
}

/** Credit limits of a customer as reasons of a request for approval. */
export async function limitReasons(queries: Queries, customerId: number): Promise<readonly ApprovalReason[]> {
  const limits = await queries.rows<{ amount: string | null }>(sql`select amount from credit_limit where customer_id = ${customerId} and is_active order by id`)
  return limits.map(({ amount }) => ({ code: 'LIMIT', ...(amount === null ? tell('block.LIMIT.none') : tell('block.LIMIT', { amount: grouped(amount) })), value: amount }))
}

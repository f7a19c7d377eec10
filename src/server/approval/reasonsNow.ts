import type { ApprovalReason } from '#api/approval.ts'
import type { DateText } from '#base/date.ts'
import { passingCodes } from '#domain/credit/creditCheck.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { creditNow } from '#server/sales/orderEffects.ts'

interface Asked {
  readonly doc_type: string
  readonly doc_id: number
  readonly reasons: readonly ApprovalReason[]
}

/** Why a request needs a person at this moment: a customer's credit passes, so it is looked at anew; what the document itself brings stays as it was asked. */
export async function reasonsNow(queries: Queries, request: Asked, today: DateText): Promise<readonly ApprovalReason[]> {
  if (request.doc_type !== 'sales_order') return request.reasons
  const order = await queries.first<Row & { readonly id: number }>(sql`select * from sales_order where id = ${request.doc_id}`)
  const lasting = request.reasons.filter(({ code }) => !passingCodes.some((one) => one === code))
  return order === undefined ? lasting : [...(await creditNow(queries, order, today)).filter(({ code }) => passingCodes.some((one) => one === code)), ...lasting]
}

import { addDays, dayText } from '#base/date.ts'
import type { RowResult } from '#api/data.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { problem, refusedRow } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'

/** How long an override lasts. */
const days = 7

interface OrderRow extends Row {
  readonly id: number
  readonly code: string
  readonly status: number
  readonly maker: number | null
}

/** Clears the credit blocks of single orders for a week, at submission and at delivery planning. Not of one's own orders. */
export const overrideCredit: Command = async (context, input) => {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'o')
  const orders = await context.tx.rows<OrderRow>(sql`
    select o.id, coalesce(o.code, 'DRAFT-' || o.id) as code, o.status, coalesce(o.submitted_by, o.created_by) as maker from sales_order o
    where o.id = any(${[...input.ids]}::bigint[]) and ${scope ?? sql`true`} order by o.id for update`)
  const results: RowResult[] = input.ids.filter((id) => !orders.some((order) => order.id === id)).map((id) => refusedRow(id, problem('NOT_IN_SCOPE.record', { record: { key: 'entity.sales_order' } })))
  for (const order of orders) results.push(await override(context, order, String(input.params['ReasonText'])))
  return { results }
}

async function override(context: CommandContext, order: OrderRow, reason: string): Promise<RowResult> {
  if (order.maker === context.user.id) return refusedRow(order.id, problem('SELF_APPROVAL.override', { order: order.code }))
  if (![0, 1, 2, 5].includes(order.status)) return refusedRow(order.id, problem('ILLEGAL_TRANSITION.override', { order: order.code }))
  const expires = addDays(context.today, days)
  await insertRows(context.tx, 'credit_override', [{ sales_order_id: order.id, approved_by: context.user.id, approved_at: context.now.toISOString(), expires_on: expires }])
  await writeLog(context.tx, { docType: 'sales_order', docId: order.id, at: context.now.toISOString(), actorId: context.user.id, action: 'override-credit', note: reason })
  return { ID: order.id, ok: true, ...tell('done.overridden', { order: order.code, date: dayText(expires) }) }
}

import type { DateText } from '#base/date.ts'
import type { TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { numberOrNull, textOf } from '#server/workflow/newDocument.ts'

interface Invoice {
  readonly id: number
  readonly code: string
  readonly status: number
  readonly pending_transition: string | null
  readonly settled: boolean
}

/**
 * A van sale is one thing: with one of its invoices the others go, and with the last the goods are on the van again, on the day of the invoice's undoing. Whoever
 * undoes it has the goods in hand: the order is over.
 */
export async function takeBackVanSale(context: TransitionContext, date: DateText): Promise<void> {
  const { tx, record, action, input } = context
  const orderId = numberOrNull(record, 'sales_order_id')
  if (orderId === null) return
  const [other] = await tx.rows<Invoice & Record<string, unknown>>(sql`
    select i.id, i.code, i.status, i.pending_transition, exists (select 1 from ar_allocation a where a.invoice_id = i.id and a.reversed_at is null) as settled
    from invoice i where i.sales_order_id = ${orderId} and i.invoice_type = 'CANVAS' and i.status in (1, 2, 3) and i.id <> ${record.id} order by i.id for update of i`)
  if (other !== undefined) {
    if (other.pending_transition !== null) fail('PENDING_TRANSITION.invoice', { invoice: other.code })
    if (other.settled) fail('ILLEGAL_TRANSITION.invoice-settled', { invoice: other.code })
    await context.transition('invoice', other.id, action.action, input)
    return
  }
  const why = { reason_id: input['reason_id'] ?? null, reason_text: input['reason_text'] ?? textOf(record, 'code') }
  const deliveries = await tx.rows<{ id: number; status: number }>(sql`select id, status from delivery_order where sales_order_id = ${orderId} and status in (2, 3) order by id desc`)
  for (const { id, status } of deliveries) {
    if (status === 3) await context.transition('delivery_order', id, 'undeliver')
    const issues = await tx.rows<{ id: number }>(sql`select id from goods_issue where delivery_order_id = ${id} and status = 1 order by id`)
    for (const issue of issues) await context.transition('goods_issue', issue.id, 'cancel', { ...why, date })
    await context.transition('delivery_order', id, 'cancel', why)
  }
  await context.transition('sales_order', orderId, 'cancel', why)
}

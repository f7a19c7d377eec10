import { compare, exact, grouped, money, type Decimal } from '#base/decimal.ts'
import type { Effect, Precondition, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { lockInvoices, type OpenInvoiceRow } from '#server/receivables/allocations.ts'
import { tolerance } from '#server/settings.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'

/** What is left of an invoice is small enough to be given up, and nobody else asks for the same. */
export const restMayBeClosed: Precondition = async (context) => {
  const { tx, current } = context
  const [invoice] = await lockInvoices(tx, [numberOf(current, 'invoice_id')])
  if (invoice === undefined) return
  const twin = await tx.first<{ code: string }>(sql`select code from invoice_close_request where invoice_id = ${invoice.id} and id <> ${numberOf(current, 'id')} and status = 4 limit 1`)
  if (twin !== undefined) fail('DUPLICATE_DOCUMENT.close-request', { invoice: invoice.code, document: twin.code })
  const most = await mostOf(context, invoice)
  if (compare(money(exact(textOf(current, 'amount')).times(textOf(current, 'rate'))), most) > 0) invalid([wrong('Amount', 'EXCEEDS_TOLERANCE.close', { limit: grouped(most) })])
}

/** What was tolerated stays in the document: it may be less one day. */
export const keepTolerated: Effect = async (context) => {
  const [invoice] = await lockInvoices(context.tx, [numberOf(context.current, 'invoice_id')])
  if (invoice !== undefined) context.set({ tolerated: await mostOf(context, invoice) })
}

/** In the currency of the books. */
function mostOf({ tx, current }: Pick<TransitionContext, 'tx' | 'current'>, invoice: OpenInvoiceRow): Promise<Decimal> {
  return tolerance(tx, 'CLOSE_INVOICE', invoice.operating_unit_id, money(exact(invoice.total).times(textOf(current, 'rate'))))
}

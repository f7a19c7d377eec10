import { compare, exact, grouped, money } from '#base/decimal.ts'
import type { Precondition } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { lockInvoices } from '#server/receivables/allocations.ts'
import { tolerance } from '#server/settings.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'

/** What is left of an invoice is small enough to be given up, and nobody else asks for the same. */
export const restMayBeClosed: Precondition = async ({ tx, current }) => {
  const [invoice] = await lockInvoices(tx, [numberOf(current, 'invoice_id')])
  if (invoice === undefined) return
  const twin = await tx.first<{ code: string }>(sql`select code from invoice_close_request where invoice_id = ${invoice.id} and id <> ${numberOf(current, 'id')} and status = 4 limit 1`)
  if (twin !== undefined) fail('DUPLICATE_DOCUMENT.close-request', { invoice: invoice.code, document: twin.code })
  const inBase = (amount: string) => money(exact(amount).times(textOf(current, 'rate')))
  const most = await tolerance(tx, 'CLOSE_INVOICE', invoice.operating_unit_id, inBase(invoice.total))
  if (compare(inBase(textOf(current, 'amount')), most) > 0) invalid([wrong('Amount', 'EXCEEDS_TOLERANCE.close', { limit: grouped(most) })])
}

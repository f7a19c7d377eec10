import type { Effect, Precondition, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { lockItemKeys, type ItemKey } from '#server/workflow/openItems.ts'
import { numberOrNull } from '#server/workflow/newDocument.ts'

interface Part extends Row {
  readonly vendor_invoice_id: number
  readonly debit_note_id: number | null
  readonly supplier_credit_note_id: number | null
  readonly vendor_advance_id: number | null
}

/** What a proposal sets off for a vendor is booked with the payment made of it: all of it or nothing. */
export const postOffsets: Effect = async (context) => {
  const { tx, current } = context
  const [proposal, vendor] = [numberOrNull(current, 'proposal_id'), numberOrNull(current, 'vendor_id')]
  if (proposal === null) return
  const made = await tx.rows<{ entity: string; id: number }>(sql`
    select 'dn_application' as entity, id from dn_application where proposal_id = ${proposal} and vendor_id = ${vendor} and status = 0
    union all select 'advance_application', id from advance_application where proposal_id = ${proposal} and vendor_id = ${vendor} and status = 0 order by 1 desc, 2`)
  if (made.length === 0) return
  const idsOf = (entity: string): readonly number[] => made.flatMap((one) => (one.entity === entity ? [one.id] : []))
  const parts = await tx.rows<Part>(sql`
    select vendor_invoice_id, debit_note_id, supplier_credit_note_id, null::bigint as vendor_advance_id from dn_application_line where dn_application_id = any(${idsOf('dn_application')}::bigint[])
    union all select vendor_invoice_id, null, null, vendor_advance_id from advance_application_line where advance_application_id = any(${idsOf('advance_application')}::bigint[])
    union all select vendor_invoice_id, null, null, null from ap_payment_line where ap_payment_id = ${current.id}`)
  // All items of the three at once and in their order: one by one they could wait for each other.
  const keys = (type: string, column: keyof Part): readonly ItemKey[] => parts.flatMap((part) => (typeof part[column] === 'number' ? [{ type, id: part[column] }] : []))
  await lockItemKeys(context, [
    ...keys('vendor_invoice', 'vendor_invoice_id'), ...keys('debit_note', 'debit_note_id'), ...keys('vendor_advance', 'vendor_advance_id'), ...keys('supplier_credit_note', 'supplier_credit_note_id'),
  ])
  for (const { entity, id } of made) await context.transition(entity, id, 'release')
}

/** An application made by a proposal is booked by itself only where nothing is paid the vendor with it. */
export const comesAlone: Precondition = async ({ tx, current }) => {
  const proposal = numberOrNull(current, 'proposal_id')
  if (proposal === null) return
  const payment = await tx.first<{ code: string }>(sql`
    select coalesce(code, 'DRAFT-' || id) as code from ap_payment where proposal_id = ${proposal} and vendor_id = ${numberOrNull(current, 'vendor_id')}::bigint and status in (0, 4, 5) order by id limit 1`)
  if (payment !== undefined) fail('ILLEGAL_TRANSITION.with-payment', { document: payment.code })
}

import { compare, grouped } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Precondition, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'
import { lockOpenItems } from '#server/workflow/openItems.ts'
import { refuse } from '#server/workflow/settleParts.ts'

interface Proposed extends Row {
  readonly id: number
  readonly code: string
}

/**
 * Invoices proposed are open, of the unit, once in the proposal and in no other that is still under way, for no more than is left of them. Goods of a
 * vendor within VAT are paid without his tax invoice only after a warning.
 */
export const proposalFits: Precondition = async (context) => {
  const { tx, current, metadata } = context
  const lines = (await linesOf(context)).map(({ row }) => row)
  const ids = lines.map((line) => numberOf(line, 'vendor_invoice_id'))
  const invoices = new Map((await lockOpenItems(tx, knownEntity(metadata, 'vendor_invoice'), ids)).map((invoice) => [invoice.id, invoice]))
  const elsewhere = new Map((await tx.rows<Proposed>(sql`
    select l.vendor_invoice_id as id, coalesce(p.code, 'DRAFT-' || p.id) as code from payment_proposal_line l join payment_proposal p on p.id = l.payment_proposal_id
    where l.vendor_invoice_id = any(${ids}::bigint[]) and not l.hold and p.id <> ${current.id} and (p.status = 4 or (p.status = 1 and exists (
      select 1 from ap_payment a join ap_payment_line x on x.ap_payment_id = a.id where a.proposal_id = p.id and x.vendor_invoice_id = l.vendor_invoice_id and a.status in (0, 4, 5))))`)).map((row) => [row.id, row.code]))
  refuse(lines.flatMap((line, i): readonly FieldProblem[] => {
    const [id, at] = [numberOf(line, 'vendor_invoice_id'), `Lines[${i}].VendorInvoiceID`]
    const invoice = invoices.get(id)
    const other = elsewhere.get(id)
    if (invoice === undefined || invoice.operating_unit_id !== current['operating_unit_id'] || ![1, 2].includes(invoice.status)) return [wrong(at, 'NOT_IN_SCOPE.open-item')]
    if (ids.indexOf(id) < i) return [wrong(at, 'DUPLICATE.line')]
    if (line['hold'] === true) return []
    if (invoice.pending_transition !== null) return [wrong(at, 'PENDING_TRANSITION.credit', { document: invoice.code })]
    if (other !== undefined) return [wrong(at, 'DUPLICATE.proposal', { proposal: other })]
    return compare(textOf(line, 'settled'), invoice.remaining) > 0 ? [wrong(`Lines[${i}].Amount`, 'EXCEEDS_REMAINING.most', { limit: grouped(invoice.remaining) })] : []
  }))
  const bare = await tx.rows<Proposed>(sql`
    select i.id, i.code from vendor_invoice i join business_partner v on v.id = i.vendor_id
    where i.id = any(${lines.filter((line) => line['hold'] !== true).map((line) => numberOf(line, 'vendor_invoice_id'))}::bigint[]) and v.is_pkp and i.ppn > 0 and i.faktur_number is null order by i.id`)
  const [first] = bare
  if (first !== undefined) context.warn('NO_TAX_INVOICE', 'VALIDATION_FAILED', tell('warning.NO_TAX_INVOICE', { count: bare.length, document: first.code }))
}

import { compare, exact, grouped, money, sum, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Precondition, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { heldItems } from '#server/workflow/heldItems.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { lockOpenItems } from '#server/workflow/openItems.ts'
import { refuse } from '#server/workflow/settleParts.ts'

interface Proposed extends Row {
  readonly id: number
  readonly code: string
}

/**
 * Invoices proposed are open, of the unit, once in the proposal and in no other that is still under way, for no more than is left of them; what is set
 * off against them is still there. Goods of a vendor within VAT are paid without his tax invoice only after a warning.
 */
export const proposalFits: Precondition = async (context) => {
  const { tx, current, metadata } = context
  const lines = (await linesOf(context)).map(({ row }) => row)
  const ids = lines.map((line) => numberOf(line, 'vendor_invoice_id'))
  const invoices = new Map((await lockOpenItems(tx, knownEntity(metadata, 'vendor_invoice'), ids)).map((invoice) => [invoice.id, invoice]))
  const elsewhere = new Map((await tx.rows<Proposed>(sql`
    select u.vendor_invoice_id as id, coalesce(p.code, 'DRAFT-' || p.id) as code from proposal_under_way u join payment_proposal p on p.id = u.payment_proposal_id
    where u.vendor_invoice_id = any(${ids}::bigint[]) and p.status in (1, 4) and p.id <> ${current.id}`)).map((row) => [row.id, row.code]))
  const held = await heldItems(tx, 'vendor_invoice', ids, { type: 'payment_proposal', id: current.id })
  const problems = lines.flatMap((line, i): readonly FieldProblem[] => {
    const [id, at] = [numberOf(line, 'vendor_invoice_id'), `Lines[${i}].VendorInvoiceID`]
    const invoice = invoices.get(id)
    const other = elsewhere.get(id)
    if (invoice === undefined || invoice.operating_unit_id !== current['operating_unit_id'] || ![1, 2].includes(invoice.status)) return [wrong(at, 'NOT_IN_SCOPE.open-item')]
    if (ids.indexOf(id) < i) return [wrong(at, 'DUPLICATE.line')]
    if (line['hold'] === true) return []
    if (invoice.currency !== current['currency']) return [wrong(at, 'NOT_A_CHOICE.other-currency', { document: invoice.code, own: invoice.currency, currency: textOf(current, 'currency') })]
    if (invoice.pending_transition !== null) return [wrong(at, 'PENDING_TRANSITION.credit', { document: invoice.code })]
    if (other !== undefined) return [wrong(at, 'DUPLICATE.proposal', { proposal: other })]
    return tooMuch(`Lines[${i}].Amount`, textOf(line, 'settled'), invoice.remaining, held.get(id) ?? '0')
  })
  refuse([...problems, ...(await refusedOffsets(context, lines))])
  const bare = await tx.rows<Proposed>(sql`
    select i.id, i.code from vendor_invoice i join business_partner v on v.id = i.vendor_id
    where i.id = any(${lines.filter((line) => line['hold'] !== true).map((line) => numberOf(line, 'vendor_invoice_id'))}::bigint[]) and v.is_pkp and i.ppn > 0 and i.faktur_number is null order by i.id`)
  const [first] = bare
  if (first !== undefined) context.warn('NO_TAX_INVOICE', 'VALIDATION_FAILED', tell('warning.NO_TAX_INVOICE', { count: bare.length, document: first.code }))
}

function tooMuch(at: string, asked: Decimal, remaining: Decimal, held: Decimal): readonly FieldProblem[] {
  if (compare(asked, remaining) > 0) return [wrong(at, 'EXCEEDS_REMAINING.most', { limit: grouped(remaining) })]
  const free = exact(remaining).minus(held)
  return free.lt(asked) ? [wrong(at, 'EXCEEDS_REMAINING.held', { limit: grouped(money(free.lt(0) ? '0' : free)), held: grouped(held) })] : []
}

const credits = [['debit_note', 'debit_note_id', 'DnOffset'], ['supplier_credit_note', 'supplier_credit_note_id', 'CreditOffset'], ['vendor_advance', 'vendor_advance_id', 'AdvanceOffset']] as const

/** What is set off may have been used meanwhile; told at the first invoice it stands against. */
async function refusedOffsets(context: TransitionContext, lines: readonly Row[]): Promise<readonly FieldProblem[]> {
  const { tx, metadata, current } = context
  const offsets = (await linesOf(context, 'payment_proposal_offset')).map(({ row }) => row)
  const found: FieldProblem[] = []
  for (const [type, column, wire] of credits) {
    const own = offsets.filter((offset) => numberOrNull(offset, column) !== null)
    const ids = own.map((offset) => numberOf(offset, column))
    const items = new Map((await lockOpenItems(tx, knownEntity(metadata, type), ids, 'used')).map((item) => [item.id, item]))
    const held = await heldItems(tx, type, ids, { type: 'payment_proposal', id: current.id }, 'used')
    for (const id of new Set(ids)) {
      const parts = own.filter((offset) => numberOf(offset, column) === id)
      const at = lines.findIndex((line) => line['vendor_invoice_id'] === parts[0]?.['vendor_invoice_id'])
      const item = items.get(id)
      const free = exact(item === undefined || item.pending_transition !== null || ![1, 2].includes(item.status) ? '0' : item.remaining).minus(held.get(id) ?? '0')
      if (free.lt(sum(parts.map((part) => textOf(part, 'amount'))))) found.push(wrong(`Lines[${at}].${wire}`, 'EXCEEDS_REMAINING.offset', { document: item?.code ?? '', limit: grouped(money(free.lt(0) ? '0' : free)) }))
    }
  }
  return found
}

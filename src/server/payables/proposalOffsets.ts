import { isDate, type DateText } from '#base/date.ts'
import { compare, fixed, isDecimal, sum, type Decimal } from '#base/decimal.ts'
import { creditKinds, offsetOldestDue, type CreditKind, type Offset, type VendorCredit } from '#domain/payables/offsets.ts'
import type { Metadata } from '#meta/metadata.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { reserveIds } from '#server/db/insertRows.ts'
import { insertPending } from '#server/db/pendingRows.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { DocumentHooks, Saving } from '#server/documents/hooks.ts'

const columnOf: Readonly<Record<CreditKind, string>> = { DEBIT_NOTE: 'debit_note_id', SUPPLIER_CN: 'supplier_credit_note_id', ADVANCE: 'vendor_advance_id' }
const offsetOf: Readonly<Record<CreditKind, string>> = { DEBIT_NOTE: 'dn_offset', SUPPLIER_CN: 'credit_offset', ADVANCE: 'advance_offset' }

/** What vendors owe us is set off against what a proposal settles, each time it is worked out; only what is left is paid. */
export const paymentProposalHooks: DocumentHooks = {
  async workOut({ tx, metadata, user, id }, header, lines) {
    await offsetLines({ tx, metadata, user }, { id, header }, lines['Lines'] ?? [])
  },
  async beforeDerive(saving) {
    const { context, before, lines } = saving
    if (lines === undefined) return
    const own = lines['PaymentProposalOffset']
    if (own !== undefined) own.length = 0
    const stored = new Map((before === undefined ? [] : await context.tx.rows<Row & { readonly id: number }>(sql`
      select id, vendor_invoice_id, amount, hold from payment_proposal_line where payment_proposal_id = ${before.id} order by line_no, id`)).map((row) => [row.id, row]))
    const rows = lines['Lines']?.map(({ id, columns }) => ({ columns, stored: id === undefined ? undefined : stored.get(id) })) ?? [...stored.values()].map((row) => ({ columns: {}, stored: row }))
    offsets.set(saving, await offsetLines(context, { id: before?.id, header: { ...before, ...saving.header } }, rows))
  },
  async afterSave(saving, { id }) {
    const found = offsets.get(saving)
    if (found === undefined) return
    const { tx } = saving.context
    if (saving.before !== undefined) await tx.run(sql`delete from payment_proposal_offset where payment_proposal_id = ${id}`)
    const ids = await reserveIds(tx, 'payment_proposal_offset', found.length)
    await insertPending(tx, 'payment_proposal_offset', found.map(({ credit, invoiceId, amount }, i) => ({
      payment_proposal_id: id, line_no: i + 1, vendor_id: credit.vendorId, debit_note_id: null, supplier_credit_note_id: null, vendor_advance_id: null,
      [columnOf[credit.kind]]: credit.id, credit_open: credit.free, vendor_invoice_id: invoiceId, amount, id: ids[i] ?? 0,
    })))
  },
}

/** What beforeDerive worked out, for afterSave of the same saving. */
const offsets = new WeakMap<Saving, readonly Offset[]>()

interface Reading {
  readonly tx: Queries
  readonly metadata: Metadata
  readonly user: User
}

interface Asked {
  /** Undefined: not saved yet. */
  readonly id?: number | undefined
  readonly header: Row
}

/** Writes into the lines what is set off against each; answers the parts. */
async function offsetLines(reading: Reading, asked: Asked, lines: readonly { readonly columns: Row; readonly stored?: Row | undefined }[]): Promise<readonly Offset[]> {
  const wholes = lines.map(({ columns, stored }): Row => ({ ...stored, ...columns }))
  const found = await offsetsOf(reading, asked, wholes.filter((line) => line['hold'] !== true))
  const seen = new Set<unknown>()
  for (const [i, { columns }] of lines.entries()) {
    const invoiceId = wholes[i]?.['vendor_invoice_id']
    // An invoice stands in one line; a second one is refused later and takes nothing.
    const own = seen.has(invoiceId) || wholes[i]?.['hold'] === true ? [] : found.filter((offset) => offset.invoiceId === invoiceId)
    if (wholes[i]?.['hold'] !== true) seen.add(invoiceId)
    for (const kind of creditKinds) columns[offsetOf[kind]] = fixed(sum(own.filter(({ credit }) => credit.kind === kind).map(({ amount }) => amount)), 2)
  }
  return found
}

interface InvoiceRow extends Row {
  readonly id: number
  readonly vendor_id: number
  readonly currency: string
  readonly due_date: DateText | null
  readonly remaining: Decimal
}

async function offsetsOf({ tx, metadata, user }: Reading, { id = 0, header }: Asked, lines: readonly Row[]): Promise<readonly Offset[]> {
  const [unit, day] = [header['operating_unit_id'], header['doc_date']]
  const asked = new Map(lines.flatMap((line) => (typeof line['vendor_invoice_id'] === 'number' && isDecimal(line['amount'], 12) ? [[line['vendor_invoice_id'], line['amount']] as const] : [])))
  if (typeof unit !== 'number' || asked.size === 0) return []
  const scope = scopeCondition(metadata, user, knownEntity(metadata, 'vendor_invoice'), 't')
  const invoices = await tx.rows<InvoiceRow>(sql`
    select t.id, t.vendor_id, t.currency, t.due_date, t.remaining from vendor_invoice t
    where t.id = any(${[...asked.keys()]}::bigint[]) and t.operating_unit_id = ${unit} and t.status in (1, 2) ${scope === undefined ? sql`` : sql`and ${scope}`}`)
  if (invoices.length === 0) return []
  // Proposals in draft are no promise to anybody, but two of them are not made of one credit.
  const credits = await tx.rows<VendorCredit & Row>(sql`
    select c.kind, c.id, c.vendor_id as "vendorId", c.currency, c.doc_date as "docDate", c.remaining - coalesce(h.amount, 0) - coalesce(d.amount, 0) as free
    from vendor_credit c
    left join (select item_type, item_id, sum(amount) as amount from held_item where (item_type <> 'vendor_advance' or side = 'used') and not (document_type = 'payment_proposal' and document_id = ${id}) group by 1, 2) h on h.item_type = c.item_type and h.item_id = c.id
    left join (
      select x.item_type, x.item_id, sum(x.amount) as amount from proposed_offset x join payment_proposal p on p.id = x.payment_proposal_id where p.status in (0, 5) and p.id <> ${id} group by 1, 2
    ) d on d.item_type = c.item_type and d.item_id = c.id
    where c.vendor_id = any(${[...new Set(invoices.map((invoice) => invoice.vendor_id))]}::bigint[]) and c.operating_unit_id = ${unit} and (${isDate(day) ? day : null}::date is null or c.posting_date <= ${isDate(day) ? day : null}::date)`)
  return offsetOldestDue(
    invoices.map((invoice) => ({ invoiceId: invoice.id, vendorId: invoice.vendor_id, currency: invoice.currency, dueDate: invoice.due_date ?? '9999-12-31', amount: leastOf(asked.get(invoice.id) ?? '0', invoice.remaining) })),
    credits.filter(({ free }) => compare(free, '0') > 0),
  )
}

function leastOf(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) <= 0 ? a : b
}

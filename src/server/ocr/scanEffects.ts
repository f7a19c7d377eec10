import { exact, grouped, isZero, money } from '#base/decimal.ts'
import type { Reading } from '#domain/ocr/extract.ts'
import type { Effect, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { dueOf, payableAccount } from '#server/payables/vendorInvoice.ts'
import { looseNumber, numberKey } from '#server/payables/vendorNumber.ts'
import { insertDocument, numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'

/** A new file is read; what was read of the one before no longer holds. */
export const scanHooks: DocumentHooks = {
  computed: ['reading', 'problem', 'template_id', 'fields_read', 'confidence', 'corrected', 'accepted_at', 'vendor_invoice_id'],
  beforeSave(saving) {
    const { before, header } = saving
    if (before === undefined || (header['scan_id'] !== undefined && header['scan_id'] !== before['scan_id'])) Object.assign(header, { reading: 'QUEUED', status: 8 })
    return Promise.resolve()
  },
}

export const readScanAgain: Effect = (context) => {
  context.set({ reading: 'QUEUED', problem: null })
  return Promise.resolve()
}

/** Field of what was read → column of what it was put right to. */
const columns = { invoice_no: 'vendor_invoice_no', invoice_date: 'invoice_date', faktur_number: 'faktur_number', dpp: 'dpp', ppn: 'ppn', total: 'total' } as const

/** What was read and looked at becomes the draft of a vendor's invoice; how much had to be put right is kept for the report. */
export const acceptScan: Effect = async (context) => {
  const { tx, current, now } = context
  const [dpp, ppn] = [textOf(current, 'dpp'), textOrNull(current, 'ppn') ?? '0']
  const total = money(exact(dpp).plus(ppn))
  const said = textOrNull(current, 'total')
  if (said !== null && !exact(said).eq(total)) invalid([wrong('Total', 'NOT_EQUAL.scan-total', { total: grouped(total) })])
  const faktur = textOrNull(current, 'faktur_number')
  if (faktur !== null && !/^\d{17}$/.test(faktur)) invalid([wrong('FakturNumber', 'INVALID.faktur')])
  const vendorId = numberOf(current, 'vendor_id')
  const number = textOf(current, 'vendor_invoice_no')
  const unit = numberOf(current, 'operating_unit_id')
  const term = await tx.first<{ id: number | null }>(sql`select payment_term_id as id from business_partner where id = ${vendorId}`)
  const expense = numberOrNull(current, 'expense_type_id')
  const type = await tx.first<{ account_id: number; ppn_code_id: number | null; pph_code_id: number | null; kind: string | null; rate: string | null }>(sql`
    select e.account_id, e.ppn_code_id, e.pph_code_id, t.kind, t.rate from expense_type e left join tax_code t on t.id = e.pph_code_id where e.id = ${expense}::bigint`)
  const pph = type?.rate == null ? '0' : money(exact(dpp).times(type.rate).div(100))
  const header: Row = {
    kind: 'NON_TRADE', vendor_id: vendorId, vendor_invoice_no: number, number_key: numberKey(number), number_loose: looseNumber(number), doc_date: current['invoice_date'], received_date: current['doc_date'],
    payment_term_id: term?.id ?? null, dpp, ppn: money(ppn), pph, total: money(exact(total).minus(pph)), remaining: '0', faktur_number: isZero(ppn) ? null : faktur, faktur_date: isZero(ppn) || faktur === null ? null : current['invoice_date'],
    validation_status: 'NEW', account_id: await payableAccount(tx, unit, 'NON_TRADE'), note: textOrNull(current, 'note'),
  }
  const line: Row = { line_no: 1, expense_type_id: expense, account_id: type?.account_id ?? null, description: number, qty: '1', price: dpp, amount: dpp, tax_code_id: type?.ppn_code_id ?? null, pph_code_id: type?.pph_code_id ?? null, pph_kind: type?.kind ?? null, pph_rate: type?.rate ?? null, pph }
  const { id } = await insertDocument(context, 'vendor_invoice', { ...header, ...(await dueOf(tx, header)), operating_unit_id: unit, territory_id: null, doc_date: textOf(header, 'doc_date') }, { table: 'vendor_invoice_line', rows: [line] })
  const kept = await tx.first<{ readings: readonly Reading[] }>(sql`select readings from vendor_invoice_ocr_reading where vendor_invoice_ocr_id = ${current.id}`)
  const corrected = (kept?.readings ?? []).filter((reading) => !isAsRead(reading, current)).length
  context.set({ vendor_invoice_id: id, corrected, accepted_at: now.toISOString(), total })
}

function isAsRead({ field, value }: Reading, current: Row): boolean {
  const column = Object.entries(columns).find(([name]) => name === field)?.[1]
  const now = column === undefined ? null : current[column]
  if (now === null || now === undefined) return false
  return ['dpp', 'ppn', 'total'].includes(field) ? exact(String(now)).eq(value) : String(now) === value
}

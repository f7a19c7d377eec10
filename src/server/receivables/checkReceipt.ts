import { addDays, dayText, type DateText } from '#base/date.ts'
import { compare, exact, grouped, money, sum, type Decimal } from '#base/decimal.ts'
import type { Filling } from '#meta/sentence.ts'
import type { FieldProblem } from '#api/problems.ts'
import { receiptFaults, receiptTotals, sourceKey, type ReceiptTotals } from '#domain/receivables/receipt.ts'
import type { CommandContext, Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { wrong, type FieldKey } from '#server/problemError.ts'
import { said } from '#server/sentences.ts'
import { setting } from '#server/settings.ts'
import { canBeMade } from '#server/workflow/make.ts'
import { leastOpenSince, lockCreditNotes, lockDeposits, lockInvoices, receiptsBeingReversed, type CreditNoteRow, type CreditRow, type DepositRow, type LeastOpen, type OpenInvoiceRow } from './allocations.ts'
import { deductionProblems, type DeductionLimit } from './checkDeductions.ts'
import type { PaymentLineRow } from './readPayment.ts'
import { recoveredOf, recoveryProblems, type Recovery } from './recoveries.ts'

/** A receipt as it is about to be saved or posted. */
export interface Receipt {
  readonly customerId: number
  readonly operatingUnitId: number
  readonly date: DateText
  /** A giro pays on its due day, anything else on the day of the receipt. */
  readonly paidOn: DateText
  readonly amount: Decimal
  readonly currency: string
  /** Worth of one unit of the currency in the books. */
  readonly rate: Decimal
  readonly lines: readonly Omit<PaymentLineRow, 'id'>[]
  /** Part of the money that is for invoices written off before. */
  readonly recoveries: readonly Recovery[]
}

/** The day a payment counts for what is granted for paying early. */
export function paidOn(payment: Row): DateText {
  const giroDay = payment['method'] === 'GIRO' || payment['method'] === 'CHEQUE' ? payment['giro_due_date'] : null
  return String(giroDay ?? payment['payment_date'])
}

export interface ReasonRow extends Row {
  readonly id: number
  readonly usage: string
  readonly action: 'KEEP_OPEN' | 'TEMP_CN' | 'PAYMENT_DIFF' | 'WITHHOLDING' | 'WRITE_OFF' | null
  readonly needs_note: boolean
  readonly tolerance_usage: string | null
}

export interface CheckedReceipt {
  readonly totals: ReceiptTotals
  readonly invoices: ReadonlyMap<number, OpenInvoiceRow>
  readonly creditNotes: ReadonlyMap<number, CreditNoteRow>
  readonly deposits: ReadonlyMap<number, DepositRow>
  readonly reasons: ReadonlyMap<number, ReasonRow>
  /** What the lines may take off their invoices, by the place of the line. */
  readonly limits: ReadonlyMap<number, readonly DeductionLimit[]>
  readonly problems: readonly FieldProblem[]
}

/** Everything wrong with a receipt, found under locks on its invoices, credit notes and deposits, each in id order. */
export async function checkReceipt(context: CommandContext, receipt: Receipt): Promise<CheckedReceipt> {
  const { tx } = context
  const invoices = byId(await lockInvoices(tx, [...receipt.lines, ...receipt.recoveries].map(({ invoiceId }) => invoiceId)))
  const credits = receipt.lines.flatMap((line) => line.credits)
  const creditNotes = byId(await lockCreditNotes(tx, credits.filter((credit) => credit.source === 'CREDIT_NOTE').map((credit) => credit.sourceId)))
  const deposits = byId(await lockDeposits(tx, credits.filter((credit) => credit.source === 'DEPOSIT').map((credit) => credit.sourceId)))
  const reversing = await receiptsBeingReversed(tx, [...deposits.values()])
  const reasons = byId(await reasonsOf(tx, receipt.lines.flatMap((line) => line.reasonId ?? [])))
  const problems: FieldProblem[] = []
  const isWrittenOff = [...reasons.values()].some(({ action }) => action === 'WRITE_OFF')
  const mayWriteOff = isWrittenOff && (await canBeMade(context, 'ar_payment', 'write_off', { customer_id: receipt.customerId, payment_date: receipt.date }))
  const add: Add = (line, field, key, ...filling) => void problems.push(wrong(line === null ? field : `Lines[${line}].${field}`, key, ...filling))
  const usable = (rows: ReadonlyMap<number, CreditRow>, source: 'CREDIT_NOTE' | 'DEPOSIT'): [string, Decimal][] =>
    [...rows.values()].filter((row) => isUsable(row, receipt.customerId)).map((row) => [sourceKey(source, row.id), row.remaining])
  receipt.lines.forEach((line, at) => {
    const invoice = invoices.get(line.invoiceId)
    if (invoice === undefined || invoice.customer_id !== receipt.customerId || invoice.invoice_type === 'REVERSAL' || invoice.status === 0) {
      return add(at, 'InvoiceID', 'NOT_IN_SCOPE.invoice')
    }
    if (invoice.pending_transition !== null) add(at, 'InvoiceID', 'PENDING_TRANSITION', { invoice: invoice.code })
    if (invoice.posting_date > receipt.date) add(at, 'InvoiceID', 'TOO_EARLY.invoice', { invoice: invoice.code })
    if (invoice.currency !== receipt.currency) add(at, 'InvoiceID', 'NOT_A_CHOICE.other-currency', { document: invoice.code, own: invoice.currency, currency: receipt.currency })
    for (const { source, sourceId } of line.credits) {
      const deposit = source === 'DEPOSIT' ? deposits.get(sourceId) : undefined
      creditProblems(at, source === 'DEPOSIT' ? deposit : creditNotes.get(sourceId), reversing.get(deposit?.receipt_id ?? 0), receipt, add)
    }
    return shortfallProblems(at, line, invoice, reasons, mayWriteOff, add)
  })
  const remaining = new Map([...invoices.values()].map((invoice) => [invoice.id, invoice.customer_id === receipt.customerId ? invoice.remaining : '0']))
  await recoveryProblems(tx, receipt, add)
  const amount = money(exact(receipt.amount).minus(recoveredOf(receipt.recoveries)))
  for (const fault of receiptFaults(amount, receipt.lines, remaining, new Map([...usable(creditNotes, 'CREDIT_NOTE'), ...usable(deposits, 'DEPOSIT')]))) {
    problems.push({ field: fault.line === null ? fault.field : `Lines[${fault.line}].${fault.field}`, code: fault.code, ...said(fault.sentence) })
  }
  if (problems.length === 0 && receipt.date < context.today) await pastProblems(tx, receipt, add)
  const limits = await deductionProblems(tx, receipt, invoices, reasons, add)
  return { totals: receiptTotals(amount, receipt.lines), invoices, creditNotes, deposits, reasons, limits, problems }
}

export type Add = <Key extends FieldKey>(line: number | null, field: string, key: Key, ...filling: Filling<`field.${Key}`>) => void

function isUsable(row: CreditRow, customerId: number): boolean {
  return row.customer_id === customerId && (row.status === 1 || row.status === 2) && row.pending_transition === null
}

/**
 * A credit taken on a day on which it was not there yet would have the books of that day contradict the open items; one left over from a receipt that is
 * about to be reversed (`reversing`) would be gone with it.
 */
function creditProblems(at: number, credit: CreditRow | undefined, reversing: string | undefined, receipt: Receipt, add: Add): void {
  if (credit === undefined || !isUsable(credit, receipt.customerId)) return
  if (credit.currency !== receipt.currency) add(at, 'Credits', 'NOT_A_CHOICE.other-currency', { document: credit.code, own: credit.currency, currency: receipt.currency })
  if (credit.posting_date !== null && credit.posting_date > receipt.date) add(at, 'Credits', 'TOO_EARLY.credit', { document: credit.code })
  if (reversing !== undefined) add(at, 'Credits', 'PENDING_TRANSITION.receipt', { deposit: credit.code, receipt: reversing })
}

/** A receipt of an earlier day takes what was open then and since. */
async function pastProblems(tx: Queries, receipt: Receipt, add: Add): Promise<void> {
  const credits = receipt.lines.flatMap((line) => line.credits)
  const idsOf = (source: 'CREDIT_NOTE' | 'DEPOSIT'): readonly number[] => credits.filter((credit) => credit.source === source).map(({ sourceId }) => sourceId)
  const [invoices, creditNotes, deposits] = await Promise.all([
    leastOpenSince(tx, receipt.date, receipt.lines.map((line) => line.invoiceId)), leastOpenSince(tx, receipt.date, idsOf('CREDIT_NOTE'), 'CREDIT_NOTE'), leastOpenSince(tx, receipt.date, idsOf('DEPOSIT'), 'DEPOSIT'),
  ])
  const check = (at: number, field: string, amount: Decimal, least: LeastOpen | undefined): void => {
    if (least !== undefined && compare(amount, least.open) > 0) add(at, field, 'EXCEEDS_REMAINING.then', { day: dayText(least.day), open: grouped(least.open) })
  }
  receipt.lines.forEach((line, at) => {
    check(at, 'Paid', line.paid, invoices.get(line.invoiceId))
    for (const { source, sourceId } of line.credits) {
      const used = money(sum(credits.filter((credit) => credit.source === source && credit.sourceId === sourceId).map(({ amount }) => amount)))
      check(at, 'Credits', used, (source === 'DEPOSIT' ? deposits : creditNotes).get(sourceId))
    }
  })
}

/** What stays open needs a reason that says why. */
function shortfallProblems(at: number, line: Omit<PaymentLineRow, 'id'>, invoice: OpenInvoiceRow, reasons: ReadonlyMap<number, ReasonRow>, mayWriteOff: boolean, add: Add): void {
  if (compare(line.paid, invoice.remaining) >= 0) return
  const reason = line.reasonId === null ? undefined : reasons.get(line.reasonId)
  if (reason === undefined || reason.usage !== 'OUTSTANDING') return add(at, 'ReasonID', 'REQUIRED.short')
  if (reason.action === 'WRITE_OFF' && (!mayWriteOff || compare(invoice.rate, '1') !== 0)) return add(at, 'ReasonID', 'NOT_A_CHOICE.write-off')
  if (reason.action === 'TEMP_CN' && compare(invoice.rate, '1') !== 0) return add(at, 'ReasonID', 'NOT_A_CHOICE.claim-in-currency', { currency: invoice.currency })
  if (reason.needs_note && (line.reasonText ?? '').trim() === '') add(at, 'ReasonText', 'REQUIRED.reason-note')
}

/** Is the payment day too far back to be posted without somebody's approval? */
export async function isBackdated(tx: Queries, unit: number, date: DateText, today: DateText): Promise<boolean> {
  return date < addDays(today, -(await setting(tx, 'payment_backdate_days', unit, 3)))
}

export function reasonsOf(tx: Queries, ids: readonly number[]): Promise<ReasonRow[]> {
  return tx.rows<ReasonRow>(sql`select id, usage, action, needs_note, tolerance_usage from reason where id = any(${[...new Set(ids)]}::bigint[]) and is_active`)
}

function byId<T extends { readonly id: number }>(rows: readonly T[]): ReadonlyMap<number, T> {
  return new Map(rows.map((row) => [row.id, row]))
}

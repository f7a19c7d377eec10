import { unmarkedCurrency } from '#base/currency.ts'
import { compare, exact, money, sum, zero } from '#base/decimal.ts'
import type { Decimal, Exact } from '#base/decimal.ts'
import type { CreditOption, CreditSource, DeductionKind, InvoiceOption, PaymentLine, ReasonOption } from '#api/payment.ts'
import type { Message } from '#client/form/message.ts'

/**
 * Allocation of a receipt over invoices, as the entry screen holds it. Pure. The identity kept in view is the one the server checks:
 * amount + credits + deductions = paid over invoices + unapplied.
 */
export interface Credit {
  /** Of its own among the credits of its invoice, whichever come and go. */
  readonly key: number
  readonly source: CreditSource
  readonly sourceId: number
  /** Its number, where it is stored with the receipt: it may be used up since. */
  readonly code?: string | undefined
  readonly amount: Decimal
}

export interface Deduction {
  /** Of its own among the deductions of its invoice. */
  readonly key: number
  readonly kind: DeductionKind
  readonly amount: Decimal
  readonly documentNo: string
  /** ISO day or nothing. */
  readonly documentDate: string
}

export interface AllocationLine {
  readonly invoiceId: number
  readonly code: string
  readonly docDate: string
  readonly dueDate: string
  readonly shipToId: number | null
  /** 1: nothing allocated yet. */
  readonly status: number
  readonly total: Decimal
  readonly remaining: Decimal
  /** What its amounts are in, where that is said. */
  readonly currency?: string
  readonly selected: boolean
  /** Decimal text as entered. */
  readonly paid: Decimal
  readonly reasonId: number | null
  /** Code and name of the reason, where it is stored with the receipt: it may be offered no more. */
  readonly reasonName?: string | undefined
  readonly reasonText: string
  readonly credits: readonly Credit[]
  readonly deductions: readonly Deduction[]
}

export type Lines = readonly AllocationLine[]

/** What is open on an invoice: its Total while nothing is allocated (status 1), its Remaining otherwise. */
export function openAmount(invoice: Pick<InvoiceOption, 'Status' | 'Total' | 'Remaining'>): Decimal {
  return money(invoice.Status === 1 ? invoice.Total : invoice.Remaining)
}

/** A line that pays the invoice in full; whether it is selected is the caller's to say. */
export function lineOf(invoice: InvoiceOption, selected: boolean): AllocationLine {
  return {
    invoiceId: invoice.ID,
    code: invoice.Code,
    docDate: invoice.DocDate,
    dueDate: invoice.DueDate,
    shipToId: invoice.ShipToID,
    status: invoice.Status,
    total: money(invoice.Total),
    remaining: openAmount(invoice),
    ...(invoice.Currency === undefined || invoice.Currency === unmarkedCurrency ? {} : { currency: invoice.Currency }),
    selected,
    paid: openAmount(invoice),
    reasonId: null,
    reasonText: '',
    credits: [],
    deductions: [],
  }
}

/** Lines of a stored or proposed receipt laid over the open invoices: named invoices are selected with their amounts, the others not. */
export function takeLines(lines: Lines, stored: readonly PaymentLine[]): Lines {
  const byInvoice = new Map(stored.map((line) => [line.InvoiceID, line]))
  return lines.map((line) => {
    const known = byInvoice.get(line.invoiceId)
    if (known === undefined) return { ...line, selected: false, paid: line.remaining, credits: [], deductions: [], reasonId: null, reasonText: '' }
    return {
      ...line,
      selected: true,
      paid: money(known.Paid),
      reasonId: known.ReasonID ?? null,
      reasonName: known.ReasonID == null ? undefined : `${known.ReasonCode ?? ''} ${known.ReasonName ?? ''}`.trim(),
      reasonText: known.ReasonText ?? '',
      credits: known.Credits.map((credit, key) => ({ key, source: credit.Source, sourceId: credit.SourceID, code: credit.SourceCode, amount: money(credit.Amount) })),
      deductions: known.Deductions.map((deduction, key) => ({
        key,
        kind: deduction.Kind,
        amount: money(deduction.Amount),
        documentNo: deduction.DocumentNo ?? '',
        documentDate: deduction.DocumentDate ?? '',
      })),
    }
  })
}

/** Invoices read again, with what was entered for those chosen before; one that is not open any more stays. */
export function keepEntered(read: Lines, before: Lines): Lines {
  const chosen = new Map(before.flatMap((line) => (line.selected ? [[line.invoiceId, line] as const] : [])))
  const known = new Set(read.map((line) => line.invoiceId))
  const kept = read.map((line) => {
    const entered = chosen.get(line.invoiceId)
    return entered === undefined ? line : { ...entered, status: line.status, total: line.total, remaining: line.remaining }
  })
  return [...kept, ...before.filter((line) => line.selected && !known.has(line.invoiceId))]
}

/** Lines of a receipt whose invoices are not open any more, as they were when it was entered: a posted receipt shows what it paid. */
export function storedLines(stored: readonly PaymentLine[]): Lines {
  return stored.map((line) => {
    const open = money(line.RemainingBefore ?? line.Paid)
    const { InvoiceID: ID, InvoiceCode: Code = String(ID), InvoiceDocDate: DocDate = '', InvoiceDueDate: DueDate = '', InvoiceTotal: Total = open } = line
    return lineOf({ ID, Code, DocDate, DueDate, Status: 2, Total, Remaining: open, ShipToID: null }, true)
  })
}

export interface Balance {
  readonly amount: Decimal
  readonly creditNotes: Decimal
  readonly deposits: Decimal
  readonly deductions: Decimal
  /** amount + creditNotes + deposits + deductions. */
  readonly sources: Decimal
  readonly paid: Decimal
  /** sources − paid: money left over (becomes a deposit), or, negative, missing. */
  readonly difference: Decimal
  readonly holds: boolean
}

/** The identity over the selected lines. It holds while nothing is missing; what is left over stays unapplied. */
export function balance(amount: Decimal, lines: Lines): Balance {
  const chosen = lines.filter((line) => line.selected)
  const creditNotes = sum(chosen.map((line) => usedOf(line, 'CREDIT_NOTE')))
  const deposits = sum(chosen.map((line) => usedOf(line, 'DEPOSIT')))
  const deductions = sum(chosen.flatMap((line) => line.deductions.map((deduction) => deduction.amount)))
  const paid = sum(chosen.map((line) => line.paid))
  const sources = exact(amount).plus(creditNotes).plus(deposits).plus(deductions)
  return {
    amount: money(amount),
    creditNotes: money(creditNotes),
    deposits: money(deposits),
    deductions: money(deductions),
    sources: money(sources),
    paid: money(paid),
    difference: money(sources.minus(paid)),
    holds: sources.gte(paid),
  }
}

/** Money this line takes: what credits and deductions do not cover of its paid amount. */
export function moneyOf(line: AllocationLine): Exact {
  const covered = sum([...line.credits.map((credit) => credit.amount), ...line.deductions.map((deduction) => deduction.amount)])
  return exact(line.paid).minus(covered)
}

function usedOf(line: AllocationLine, source: CreditSource): Exact {
  return sum(line.credits.filter((credit) => credit.source === source).map((credit) => credit.amount))
}

/** How much of one credit note or deposit the selected lines use. */
export function usedOfCredit(lines: Lines, source: CreditSource, sourceId: number): Exact {
  return sum(
    lines.flatMap((line) => (line.selected ? line.credits.filter((credit) => credit.source === source && credit.sourceId === sourceId) : [])).map((credit) => credit.amount),
  )
}

/** A credit note or deposit that may be used, with what is left of it before this receipt. */
export interface CreditChoice {
  readonly source: CreditSource
  readonly option: CreditOption
}

/** The line of the invoice with one more credit: of the first of which anything is left, as much as it has and the line still takes. */
export function withCredit(lines: Lines, invoiceId: number, choices: readonly CreditChoice[]): Lines {
  return lines.map((line) => {
    if (line.invoiceId !== invoiceId) return line
    const unused = choices
      .filter(({ source, option }) => !line.credits.some((credit) => credit.source === source && credit.sourceId === option.ID))
      .map(({ source, option }) => ({ source, sourceId: option.ID, left: leastOf(exact(option.Remaining).minus(usedOfCredit(lines, source, option.ID)), moneyOf(line)) }))
    const chosen = unused.find(({ left }) => left.gt(zero)) ?? unused[0]
    if (chosen === undefined) return line
    return { ...line, credits: [...line.credits, { key: nextKey(line.credits), source: chosen.source, sourceId: chosen.sourceId, amount: money(chosen.left) }] }
  })
}

/** The line with one more deduction, still of nothing. */
export function withDeduction(line: AllocationLine): Pick<AllocationLine, 'deductions'> {
  return { deductions: [...line.deductions, { key: nextKey(line.deductions), kind: 'DIFF', amount: '0.00', documentNo: '', documentDate: '' }] }
}

const nextKey = (rows: readonly { readonly key: number }[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1

/** The smaller of the two, and never less than nothing. */
function leastOf(one: Exact, other: Exact): Exact {
  const least = one.lt(other) ? one : other
  return least.lt(zero) ? zero : least
}

/** Is less paid than is open, so that a reason is due? */
export function isShort(line: AllocationLine): boolean {
  return compare(line.paid, line.remaining) < 0
}

/** Refusals of one selected line by the part they concern. */
export function checkLine(line: AllocationLine, reasons: readonly ReasonOption[]): Readonly<Partial<Record<'paid' | 'reason' | 'reasonText', Message>>> {
  if (!line.selected) return {}
  const problems: Partial<Record<'paid' | 'reason' | 'reasonText', Message>> = {}
  if (compare(line.paid, line.remaining) > 0) problems.paid = { key: 'ui.payment.exceedsRemaining' }
  else if (exact(line.paid).lte(zero)) problems.paid = { key: 'ui.payment.nothingPaid' }
  else if (moneyOf(line).lt(zero)) problems.paid = { key: 'ui.payment.overCovered' }
  if (isShort(line) && line.reasonId === null) problems.reason = { key: 'ui.payment.reasonNeeded' }
  const reason = reasons.find((one) => one.ID === line.reasonId)
  if (reason?.NeedsNote === true && line.reasonText.trim() === '') problems.reasonText = { key: 'ui.payment.noteNeeded' }
  return problems
}

/** What is sent: the selected lines only. */
export function wireLines(lines: Lines): readonly PaymentLine[] {
  return lines
    .filter((line) => line.selected)
    .map((line) => ({
      InvoiceID: line.invoiceId,
      Paid: line.paid,
      ReasonID: isShort(line) ? line.reasonId : null,
      ReasonText: isShort(line) && line.reasonText.trim() !== '' ? line.reasonText.trim() : null,
      Credits: line.credits.map((credit) => ({ Source: credit.source, SourceID: credit.sourceId, Amount: credit.amount })),
      Deductions: line.deductions.map((deduction) => ({
        Kind: deduction.kind,
        Amount: deduction.amount,
        DocumentNo: deduction.documentNo === '' ? null : deduction.documentNo,
        DocumentDate: deduction.documentDate === '' ? null : deduction.documentDate,
      })),
    }))
}

/** Stored lines as they are sent when nothing about them changes. */
export function sentLines(stored: readonly PaymentLine[]): readonly PaymentLine[] {
  return stored.map(({ InvoiceID, Paid, ReasonID, ReasonText, Credits, Deductions }) => ({
    InvoiceID,
    Paid,
    ReasonID: ReasonID ?? null,
    ReasonText: ReasonText ?? null,
    Credits: Credits.map(({ Source, SourceID, Amount }) => ({ Source, SourceID, Amount })),
    Deductions: Deductions.map(({ Kind, Amount, DocumentNo, DocumentDate }) => ({ Kind, Amount, DocumentNo: DocumentNo ?? null, DocumentDate: DocumentDate ?? null })),
  }))
}

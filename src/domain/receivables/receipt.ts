import { type Decimal, type Exact, exact, grouped, money, sum, zero } from '#base/decimal.ts'
import { say, type Sentence } from '#meta/sentence.ts'

export type CreditSource = 'CREDIT_NOTE' | 'DEPOSIT'
export type DeductionKind = 'PPH22' | 'PPH23' | 'PPN_WAPU' | 'BANK' | 'DIFF' | 'CASH_DISCOUNT'

export interface ReceiptCredit {
  readonly source: CreditSource
  readonly sourceId: number
  readonly amount: Decimal
}

export interface ReceiptDeduction {
  readonly kind: DeductionKind
  readonly amount: Decimal
}

export interface ReceiptLine {
  readonly invoiceId: number
  /** Money, credits and deductions together. */
  readonly paid: Decimal
  readonly credits: readonly ReceiptCredit[]
  readonly deductions: readonly ReceiptDeduction[]
}

export interface ReceiptTotals {
  /** Part of each line paid in money, in line order. */
  readonly money: readonly Decimal[]
  readonly allocated: Decimal
  readonly creditUsed: Decimal
  readonly depositUsed: Decimal
  readonly deducted: Decimal
  /** Money no invoice took; below zero the lines take more than was received. */
  readonly unapplied: Decimal
}

/**
 * Adds a receipt up by its identity, exact to the cent:
 * amount + credit notes + deposits + deductions = Σ paid + unapplied.
 */
export function receiptTotals(amount: Decimal, lines: readonly ReceiptLine[]): ReceiptTotals {
  const credits = lines.flatMap((line) => line.credits)
  const of = (source: CreditSource): Exact => sum(credits.filter((credit) => credit.source === source).map((credit) => credit.amount))
  const deducted = sum(lines.flatMap((line) => line.deductions).map((deduction) => deduction.amount))
  const allocated = sum(lines.map((line) => line.paid))
  const creditUsed = of('CREDIT_NOTE')
  const depositUsed = of('DEPOSIT')
  return {
    money: lines.map((line) => money(moneyPart(line))),
    allocated: money(allocated),
    creditUsed: money(creditUsed),
    depositUsed: money(depositUsed),
    deducted: money(deducted),
    unapplied: money(exact(amount).plus(creditUsed).plus(depositUsed).plus(deducted).minus(allocated)),
  }
}

function moneyPart(line: ReceiptLine): Exact {
  return exact(line.paid).minus(sum(line.credits.map((credit) => credit.amount))).minus(sum(line.deductions.map((deduction) => deduction.amount)))
}

export interface ReceiptFault {
  /** Position of the line; null for the receipt as a whole. */
  readonly line: number | null
  readonly field: 'Paid' | 'Amount' | 'Credits' | 'Deductions'
  readonly code: 'NEGATIVE' | 'NOTHING_PAID' | 'EXCEEDS_REMAINING' | 'EXCEEDS_MONEY' | 'EXCEEDS_SOURCE' | 'TWICE'
  readonly sentence: Sentence
}

/** What breaks the identity or takes more than is open. `remaining` and `sources` are as locked just now. */
export function receiptFaults(
  amount: Decimal,
  lines: readonly ReceiptLine[],
  remaining: ReadonlyMap<number, Decimal>,
  sources: ReadonlyMap<string, Decimal>,
): ReceiptFault[] {
  const faults: ReceiptFault[] = []
  const seen = new Set<number>()
  lines.forEach((line, at) => {
    const amounts = [line.paid, ...line.credits.map((credit) => credit.amount), ...line.deductions.map((deduction) => deduction.amount)]
    const open = remaining.get(line.invoiceId) ?? '0'
    if (seen.has(line.invoiceId)) faults.push({ line: at, field: 'Paid', code: 'TWICE', sentence: say('field.TWICE') })
    seen.add(line.invoiceId)
    if (amounts.some((value) => exact(value).lt(0))) faults.push({ line: at, field: 'Paid', code: 'NEGATIVE', sentence: say('field.NEGATIVE') })
    if (exact(line.paid).eq(0)) faults.push({ line: at, field: 'Paid', code: 'NOTHING_PAID', sentence: say('field.NOTHING_PAID') })
    if (exact(line.paid).gt(open)) {
      faults.push({ line: at, field: 'Paid', code: 'EXCEEDS_REMAINING', sentence: say('field.EXCEEDS_REMAINING', { paid: grouped(money(line.paid)), open: grouped(money(open)) }) })
    }
    if (moneyPart(line).lt(0)) faults.push({ line: at, field: 'Credits', code: 'EXCEEDS_MONEY', sentence: say('field.EXCEEDS_MONEY.line') })
  })
  const used = new Map<string, Exact>()
  lines.forEach((line, at) => {
    for (const credit of line.credits) {
      const key = sourceKey(credit.source, credit.sourceId)
      const now = (used.get(key) ?? zero).plus(credit.amount)
      used.set(key, now)
      if (now.gt(sources.get(key) ?? '0')) faults.push({ line: at, field: 'Credits', code: 'EXCEEDS_SOURCE', sentence: say('field.EXCEEDS_SOURCE') })
    }
  })
  const { unapplied } = receiptTotals(amount, lines)
  if (exact(unapplied).lt(0)) {
    faults.push({ line: null, field: 'Amount', code: 'EXCEEDS_MONEY', sentence: say('field.EXCEEDS_MONEY', { gap: grouped(unapplied.replace('-', '')) }) })
  }
  return faults
}

export function sourceKey(source: CreditSource, id: number): string {
  return `${source}:${id}`
}

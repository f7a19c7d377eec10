import { exact, fixed, isZero, money, sum, type Decimal } from '#base/decimal.ts'
import type { OpenInvoice, ProposedLine } from './proposal.ts'
import type { DeductionKind } from './receipt.ts'

/** What decides how much of an invoice its buyer pays to the state instead of to us. */
export interface WithheldInvoice {
  readonly total: Decimal
  readonly remaining: Decimal
  readonly dpp: Decimal
  readonly ppn: Decimal
  readonly collector: 'SELLER' | 'WAPU'
  /** Income tax art. 22 the buyer withholds, percent of the base. */
  readonly incomeTaxRate: Decimal
}

export interface Withheld {
  readonly kind: Extract<DeductionKind, 'PPH22' | 'PPN_WAPU'>
  readonly amount: Decimal
}

/** Deductions to expect of a buyer who pays an untouched invoice: the VAT he collects, and income tax where the base is above `above`. Whole rupiah. */
export function withheldOf(invoice: WithheldInvoice, above: Decimal): readonly Withheld[] {
  if (!exact(invoice.remaining).eq(invoice.total)) return []
  const tax = exact(invoice.dpp).gt(above) ? incomeTax(invoice.dpp, invoice.incomeTaxRate) : '0'
  const all: readonly Withheld[] = [{ kind: 'PPN_WAPU', amount: invoice.collector === 'WAPU' ? invoice.ppn : '0' }, { kind: 'PPH22', amount: tax }]
  return all.filter(({ amount }) => !isZero(amount))
}

/** Whole rupiah, half up. */
export function incomeTax(base: Decimal, rate: Decimal): Decimal {
  return money(fixed(exact(base).times(rate).div(100), 0))
}

/** The invoice as far as money is expected for it. */
export function lessWithheld(invoice: OpenInvoice, withheld: readonly Withheld[]): OpenInvoice {
  return { ...invoice, remaining: money(exact(invoice.remaining).minus(sum(withheld.map(({ amount }) => amount)))) }
}

/** A line that pays all the money expected settles the invoice with what is withheld; one that pays less leaves it to the next receipt. */
export function withWithheld(line: ProposedLine, expected: Decimal, withheld: readonly Withheld[]): { readonly paid: Decimal; readonly deductions: readonly Withheld[] } {
  if (!exact(line.paid).eq(expected)) return { paid: line.paid, deductions: [] }
  return { paid: money(exact(line.paid).plus(sum(withheld.map(({ amount }) => amount)))), deductions: withheld }
}

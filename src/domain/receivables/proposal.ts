import type { DateText } from '#base/date.ts'
import { exact, money, spread, sum, zero, type Decimal, type Exact } from '#base/decimal.ts'
import type { CreditSource } from './receipt.ts'

export const paymentMethodsOfAllocation = ['OLDEST_DUE', 'INVOICE_DATE', 'SMALLEST', 'EXACT_MATCH', 'PROPORTIONAL'] as const
export type AllocationMethod = (typeof paymentMethodsOfAllocation)[number]

export interface OpenInvoice {
  readonly id: number
  readonly docDate: DateText
  readonly dueDate: DateText
  readonly remaining: Decimal
}

export interface OpenCredit {
  readonly source: CreditSource
  readonly id: number
  readonly docDate: DateText
  readonly remaining: Decimal
  /** Credit note that names an invoice. */
  readonly invoiceId?: number | null
}

export interface ProposedLine {
  readonly invoiceId: number
  readonly paid: Decimal
  readonly money: Decimal
  readonly credits: readonly { readonly source: CreditSource; readonly sourceId: number; readonly amount: Decimal }[]
}

interface Working {
  readonly invoice: OpenInvoice
  left: Exact
  money: Exact
  readonly credits: { source: CreditSource; sourceId: number; amount: Decimal }[]
}

/**
 * Suggests what a receipt pays: credit notes of the invoice itself, other credit notes by age, deposits by age, then money by the method.
 * Only a suggestion; posting checks again under locks.
 */
export function proposeAllocation(
  amount: Decimal,
  invoices: readonly OpenInvoice[],
  credits: readonly OpenCredit[],
  method: AllocationMethod,
): { readonly lines: readonly ProposedLine[]; readonly unapplied: Decimal } {
  const work = inOrder(amount, invoices, method).map((invoice): Working => ({ invoice, left: exact(invoice.remaining), money: zero, credits: [] }))
  for (const credit of creditsInOrder(credits)) useCredit(credit, work)
  const unapplied = method === 'PROPORTIONAL' ? payProportionally(exact(amount), work) : payInOrder(exact(amount), work)
  const lines = work
    .filter((line) => line.left.lt(line.invoice.remaining))
    .map((line) => ({ invoiceId: line.invoice.id, paid: money(exact(line.invoice.remaining).minus(line.left)), money: money(line.money), credits: line.credits }))
  return { lines, unapplied: money(unapplied) }
}

function inOrder(amount: Decimal, invoices: readonly OpenInvoice[], method: AllocationMethod): OpenInvoice[] {
  const oldest = [...invoices].sort((a, b) => a.dueDate.localeCompare(b.dueDate) || a.id - b.id)
  switch (method) {
    case 'OLDEST_DUE':
    case 'PROPORTIONAL':
      return oldest
    case 'INVOICE_DATE':
      return [...invoices].sort((a, b) => a.docDate.localeCompare(b.docDate) || a.id - b.id)
    case 'SMALLEST':
      return [...invoices].sort((a, b) => exact(a.remaining).cmp(b.remaining) || a.id - b.id)
    case 'EXACT_MATCH': {
      const match = exactMatch(amount, oldest)
      return [...match, ...oldest.filter((invoice) => !match.includes(invoice))]
    }
  }
}

/** One invoice, or a pair, whose remaining is the money to the cent. */
function exactMatch(amount: Decimal, invoices: readonly OpenInvoice[]): OpenInvoice[] {
  const single = invoices.find((invoice) => exact(invoice.remaining).eq(amount))
  if (single) return [single]
  const byRemaining = new Map<string, OpenInvoice>()
  for (const invoice of invoices) {
    const partner = byRemaining.get(money(exact(amount).minus(invoice.remaining)))
    if (partner) return [partner, invoice]
    const key = money(invoice.remaining)
    if (!byRemaining.has(key)) byRemaining.set(key, invoice)
  }
  return []
}

function creditsInOrder(credits: readonly OpenCredit[]): OpenCredit[] {
  const rank = (credit: OpenCredit): number => (credit.source === 'DEPOSIT' ? 2 : credit.invoiceId ? 0 : 1)
  return [...credits].sort((a, b) => rank(a) - rank(b) || a.docDate.localeCompare(b.docDate) || a.id - b.id)
}

function useCredit(credit: OpenCredit, work: readonly Working[]): void {
  let left = exact(credit.remaining)
  const lines = credit.invoiceId ? work.filter((line) => line.invoice.id === credit.invoiceId) : work
  for (const line of lines) {
    const part = left.lt(line.left) ? left : line.left
    if (part.lte(0)) continue
    line.credits.push({ source: credit.source, sourceId: credit.id, amount: money(part) })
    line.left = line.left.minus(part)
    left = left.minus(part)
  }
}

function payInOrder(amount: Exact, work: readonly Working[]): Exact {
  let left = amount
  for (const line of work) {
    const part = left.lt(line.left) ? left : line.left
    line.money = part
    line.left = line.left.minus(part)
    left = left.minus(part)
  }
  return left
}

function payProportionally(amount: Exact, work: readonly Working[]): Exact {
  const open = sum(work.map((line) => line.left))
  const used = amount.lt(open) ? amount : open
  const parts = spread(used, work.map((line) => line.left), 2)
  work.forEach((line, i) => {
    line.money = parts[i] ?? zero
    line.left = line.left.minus(line.money)
  })
  return amount.minus(used)
}

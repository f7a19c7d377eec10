import { compare, money, sum, type Decimal } from '#base/decimal.ts'
import type { DeductionKind, ReceiptLine } from '#domain/receivables/receipt.ts'
import type { EventAmount } from './entries.ts'

export const paymentMethods = ['CASH', 'TRANSFER', 'VA', 'GIRO', 'CHEQUE', 'CIT', 'COD', 'UNIDENTIFIED'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** Posting event of a receipt by the way the money came. */
export const receiptEvents = {
  CASH: 'RCPT_CASH',
  TRANSFER: 'RCPT_TRANSFER',
  VA: 'RCPT_TRANSFER',
  GIRO: 'RCPT_GIRO',
  CHEQUE: 'RCPT_GIRO',
  CIT: 'RCPT_CIT',
  COD: 'RCPT_CIT',
  UNIDENTIFIED: 'RCPT_UNIDENT',
} as const satisfies Record<PaymentMethod, string>

const deductionKeys = {
  BANK: 'bank_charge',
  DIFF: 'difference',
  PPH22: 'pph22',
  PPH23: 'pph23',
  PPN_WAPU: 'ppn_wapu',
  CASH_DISCOUNT: 'cash_discount',
} as const satisfies Record<DeductionKind, string>

export interface PostedReceipt {
  readonly customerId: number
  readonly territoryId: number | null
  readonly amount: Decimal
  readonly lines: readonly ReceiptLine[]
  /** Money that becomes a deposit of the customer. */
  readonly deposited: Decimal
  /** Money too little to be given back: other income. */
  readonly overpaid: Decimal
  /** Money for receivables written off before. */
  readonly recovered?: Decimal
  /** Receivables account each invoice and credit note was posted to. */
  readonly invoiceAccounts: ReadonlyMap<number, string>
  readonly creditNoteAccounts: ReadonlyMap<number, string>
}

/** Amounts of a RCPT_ event. Accounts missing from the maps are a broken assumption. */
export function receiptAmounts(receipt: PostedReceipt): EventAmount[] {
  const partner = { partnerKind: 'CUSTOMER', partnerId: receipt.customerId, territoryId: receipt.territoryId } as const
  const credits = receipt.lines.flatMap((line) => line.credits)
  const deductions = receipt.lines.flatMap((line) => line.deductions)
  return [
    { key: 'money', amount: receipt.amount, ...partner },
    ...bySource(credits.filter((credit) => credit.source === 'DEPOSIT')).map(([id, amount]): EventAmount => ({ key: 'deposit', amount, ...partner, openItemType: 'customer_deposit', openItemId: id })),
    ...Object.entries(deductionKeys).map(([kind, key]): EventAmount => ({ key, amount: money(sum(deductions.filter((deduction) => deduction.kind === kind).map((deduction) => deduction.amount))), ...partner })),
    ...bySource(credits.filter((credit) => credit.source === 'CREDIT_NOTE')).map(([id, amount]): EventAmount => ({
      key: 'credit_note', amount, account: accountOf(receipt.creditNoteAccounts, id), ...partner, openItemType: 'credit_note', openItemId: id,
    })),
    ...receipt.lines.map((line): EventAmount => ({
      key: 'invoice', amount: line.paid, account: accountOf(receipt.invoiceAccounts, line.invoiceId), ...partner, openItemType: 'invoice', openItemId: line.invoiceId,
    })),
    { key: 'unapplied', amount: receipt.deposited, ...partner },
    { key: 'overpaid', amount: receipt.overpaid, ...partner },
    { key: 'recovered', amount: receipt.recovered ?? '0.00', ...partner },
  ]
}

/** Money no invoice took: up to the tolerance it is income, above it belongs to the customer. */
export function splitUnapplied(unapplied: Decimal, tolerance: Decimal): { readonly deposited: Decimal; readonly overpaid: Decimal } {
  const small = compare(unapplied, tolerance) <= 0
  return small ? { deposited: '0.00', overpaid: money(unapplied) } : { deposited: money(unapplied), overpaid: '0.00' }
}

function bySource(credits: readonly { readonly sourceId: number; readonly amount: Decimal }[]): (readonly [id: number, amount: Decimal])[] {
  const amounts = new Map<number, Decimal[]>()
  for (const credit of credits) amounts.set(credit.sourceId, [...(amounts.get(credit.sourceId) ?? []), credit.amount])
  return [...amounts].map(([id, parts]) => [id, money(sum(parts))] as const)
}

function accountOf(accounts: ReadonlyMap<number, string>, id: number): string {
  const account = accounts.get(id)
  if (account === undefined) throw new Error(`No receivables account for open item ${id}`)
  return account
}

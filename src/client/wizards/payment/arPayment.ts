import { atom } from 'jotai'
import type { CreditOption, HouseBankOption, PaymentAccount, ReasonOption, ShipTo } from '#api/payment.ts'
import { accept } from '#base/result.ts'
import type { Answer } from '../../data/http.ts'
import type { AllocationLine, CreditChoice } from './allocation.ts'
import { creditNotes, customerAccounts, deposits, operatingUnitBanks, reasons, shipTos } from './openItems.ts'

/** What the entry of a receipt goes by: what invoices are shown, and what the customer chosen has to pay from and with. */
export interface ArPaymentFilter {
  /** Day of the invoice, ISO; '' is open. */
  readonly startDate: string
  readonly endDate: string
  /** 0: nobody yet. */
  readonly customer: number
  readonly shipTo: readonly ShipTo[]
  /** Ship-to whose invoices are shown; 0: all. */
  readonly chosenShipTo: number
  readonly paymentAccount: readonly PaymentAccount[]
  readonly creditNote: readonly CreditOption[]
  readonly custDeposit: readonly CreditOption[]
  readonly reason: readonly ReasonOption[]
  readonly ouBank: readonly HouseBankOption[]
}

export const emptyArPayment: ArPaymentFilter = {
  startDate: '', endDate: '', customer: 0, shipTo: [], chosenShipTo: 0, paymentAccount: [], creditNote: [], custDeposit: [], reason: [], ouBank: [],
}

/** Credit notes and deposits of the customer that may be used. */
export function creditChoices({ creditNote, custDeposit }: ArPaymentFilter): readonly CreditChoice[] {
  return [...creditNote.map((option) => ({ source: 'CREDIT_NOTE' as const, option })), ...custDeposit.map((option) => ({ source: 'DEPOSIT' as const, option }))]
}

export const arPaymentAtom = atom(emptyArPayment)

/** Everything about a customer that a receipt of the unit needs, under the calls of the specification. Refused where any of it could not be read. */
export async function loadArPayment(customer: number, operatingUnitId: number | undefined): Promise<Answer<ArPaymentFilter>> {
  const [credits, paidAhead, reason, shipTo, paymentAccount, ouBank] = await Promise.all([
    creditNotes(customer), deposits(customer), reasons(), shipTos(customer), customerAccounts(customer), operatingUnitId === undefined ? accept([]) : operatingUnitBanks(operatingUnitId),
  ])
  if (!credits.ok) return credits
  if (!paidAhead.ok) return paidAhead
  if (!reason.ok) return reason
  if (!shipTo.ok) return shipTo
  if (!paymentAccount.ok) return paymentAccount
  if (!ouBank.ok) return ouBank
  return accept({
    ...emptyArPayment, customer, creditNote: credits.value.creditNote, custDeposit: paidAhead.value.customerDeposit,
    reason: reason.value, shipTo: shipTo.value, paymentAccount: paymentAccount.value, ouBank: ouBank.value,
  })
}

/** bank_name, bank_id, account_name and account_number as a receipt calls them; the issuer is who holds the account. */
export function mapPaymentAccount(account: PaymentAccount) {
  return {
    BankName: account.bank_name,
    BankID: account.bank_id,
    Issuer: account.account_name,
    AccountName: account.account_name,
    AccountNumber: account.account_number,
  }
}

/** Is the invoice shown? What is already paid by the receipt always is. */
export function isShown(line: Pick<AllocationLine, 'selected' | 'docDate' | 'shipToId'>, filter: Pick<ArPaymentFilter, 'startDate' | 'endDate' | 'chosenShipTo'>): boolean {
  if (line.selected) return true
  if (filter.startDate !== '' && line.docDate < filter.startDate) return false
  if (filter.endDate !== '' && line.docDate > filter.endDate) return false
  return filter.chosenShipTo === 0 || line.shipToId === filter.chosenShipTo
}

import { accept } from '#base/result.ts'
import { send, type Answer } from '../../data/http.ts'
import { askCommand } from '../../data/records.ts'
import { isWithheld } from '../../data/withheld.ts'
import type { CreditOption, HouseBankOption, InvoiceOption, PaymentAccount, ProposeAnswer, ProposeBody, ReasonOption, ShipTo } from '#api/payment.ts'

/** The calls of payment entry, under the paths of the specification. */
export function openInvoices(customerId: number): Promise<Answer<{ readonly invoiceOptions: readonly InvoiceOption[] }>> {
  return send({ path: '/api/v1/invoice/for-options', query: { customer_id: customerId } })
}

/** Open invoices of exactly this code; empty: there is none. */
export async function invoicesByCode(code: string, customerId: number): Promise<Answer<{ readonly invoices: readonly InvoiceOption[] }>> {
  return send({ method: 'POST', path: '/api/v1/payment/validate/code-invoice', body: { invoice_code: code, customer_id: customerId }, isQuestion: true })
}

export function creditNotes(customerId: number): Promise<Answer<{ readonly creditNote: readonly CreditOption[] }>> {
  return send({ path: '/api/v1/payment/credit-note/list', query: { customer_id: customerId } })
}

export function deposits(customerId: number): Promise<Answer<{ readonly customerDeposit: readonly CreditOption[] }>> {
  return send({ path: '/api/v1/payment/cust-deposit/list', query: { customer_id: customerId } })
}

export async function reasons(): Promise<Answer<readonly ReasonOption[]>> {
  return listed(await send<{ readonly reason_outstanding: readonly ReasonOption[] }>({ path: '/api/v1/payment/reason-outstanding' }), (value) => value.reason_outstanding)
}

export async function shipTos(customerId: number): Promise<Answer<readonly ShipTo[]>> {
  return listed(await send<{ readonly records: readonly ShipTo[] }>({ path: '/api/v1/master/customer-address/ship-to', query: { customer_id: customerId } }), (value) => value.records)
}

export async function customerAccounts(customerId: number): Promise<Answer<readonly PaymentAccount[]>> {
  return listed(await send<{ readonly records: readonly PaymentAccount[] }>({ path: '/api/v1/customer-accounts', query: { customer_id: customerId } }), (value) => value.records)
}

export async function operatingUnitBanks(operatingUnitId: number): Promise<Answer<readonly HouseBankOption[]>> {
  return listed(await send<{ readonly operatingUnitBank: readonly HouseBankOption[] }>({ path: `/api/v1/cash-bank/form-bank/${operatingUnitId}` }), (value) => value.operatingUnitBank)
}

/** What may not be seen is not offered; what could not be read is refused. */
function listed<T, R>(answer: Answer<T>, of: (value: T) => readonly R[]): Answer<readonly R[]> {
  if (answer.ok) return accept(of(answer.value))
  return isWithheld(answer.problem) ? accept([]) : answer
}

export function propose(body: ProposeBody): Promise<Answer<ProposeAnswer>> {
  return askCommand('propose-payment', { ...body })
}

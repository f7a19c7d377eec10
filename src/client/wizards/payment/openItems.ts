import { send, type Answer } from '../../data/http.ts'
import { askCommand } from '../../data/records.ts'
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

export async function reasons(): Promise<readonly ReasonOption[]> {
  const answer = await send<{ readonly reason_outstanding: readonly ReasonOption[] }>({ path: '/api/v1/payment/reason-outstanding' })
  return answer.ok ? answer.value.reason_outstanding : []
}

export async function shipTos(customerId: number): Promise<readonly ShipTo[]> {
  const answer = await send<{ readonly records: readonly ShipTo[] }>({ path: '/api/v1/master/customer-address/ship-to', query: { customer_id: customerId } })
  return answer.ok ? answer.value.records : []
}

export async function customerAccounts(customerId: number): Promise<readonly PaymentAccount[]> {
  const answer = await send<{ readonly records: readonly PaymentAccount[] }>({ path: '/api/v1/customer-accounts', query: { customer_id: customerId } })
  return answer.ok ? answer.value.records : []
}

export async function operatingUnitBanks(operatingUnitId: number): Promise<readonly HouseBankOption[]> {
  const answer = await send<{ readonly operatingUnitBank: readonly HouseBankOption[] }>({ path: `/api/v1/cash-bank/form-bank/${operatingUnitId}` })
  return answer.ok ? answer.value.operatingUnitBank : []
}

export function propose(body: ProposeBody): Promise<Answer<ProposeAnswer>> {
  return askCommand('propose-payment', { ...body })
}

import { addDays, type DateText } from '#base/date.ts'

export const billingRules = ['PER_DELIVERY', 'DAILY', 'WEEKLY', 'PER_PO', 'CONSUMPTION'] as const
export type BillingRule = (typeof billingRules)[number]

/** What decides which delivered goods share an invoice. */
export interface Billable {
  readonly goodsIssueId: number
  readonly postingDate: DateText
  readonly operatingUnitId: number
  readonly territoryId: number | null
  readonly customerId: number
  readonly billToId: number | null
  readonly paymentTermId: number | null
  readonly taxCode: string
  readonly currency: string
  readonly salesmanId: number | null
  readonly poNumber: string | null
  readonly billingRule: BillingRule
}

/**
 * Key of the invoice a delivered line belongs on: same customer, address, term, tax code, currency and salesman always;
 * then a delivery each, or all of a day, of a week (from Monday) or of a customer order number, as the customer wants.
 */
export function invoiceKey(line: Billable): string {
  return JSON.stringify([
    line.operatingUnitId, line.territoryId, line.customerId, line.billToId, line.paymentTermId, line.taxCode, line.currency, line.salesmanId, period(line),
  ])
}

function period(line: Billable): string | number | null {
  switch (line.billingRule) {
    case 'PER_DELIVERY':
      return line.goodsIssueId
    case 'DAILY':
    case 'CONSUMPTION':
      return line.postingDate
    case 'WEEKLY':
      return mondayOf(line.postingDate)
    case 'PER_PO':
      return line.poNumber ?? line.goodsIssueId
  }
}

function mondayOf(date: DateText): DateText {
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(date, -weekday)
}

/** Lines by the invoice they go on, in order of first appearance. */
export function combine<T extends Billable>(lines: readonly T[]): T[][] {
  const groups = new Map<string, T[]>()
  for (const line of lines) {
    const key = invoiceKey(line)
    const group = groups.get(key)
    if (group) group.push(line)
    else groups.set(key, [line])
  }
  return [...groups.values()]
}

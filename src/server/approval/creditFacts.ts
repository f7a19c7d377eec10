import { exact, money, type Decimal } from '#base/decimal.ts'
import type { ApprovalFact } from '#api/approval.ts'
import { creditLimitOf, type CreditStanding } from '#domain/credit/creditCheck.ts'

/** What a document would add to what its customer owes; `isCash`: nothing, it is paid on or before delivery. */
export interface Adding {
  readonly total: Decimal
  readonly isCash: boolean
}

/** A customer's credit in numbers, and how it would stand with a document added. */
export function creditFacts(standing: CreditStanding, adding?: Adding): readonly ApprovalFact[] {
  const limit = creditLimitOf(standing.limits)
  const exposure = money(standing.exposure)
  const isOnCredit = adding?.isCash !== true
  const isPast = (amount: Decimal, most: Decimal | null): boolean => isOnCredit && most !== null && exact(amount).gt(most)
  const facts = [fact('credit', 'limit', 'money', limit), fact('credit', 'exposure', 'money', exposure, isPast(exposure, limit))]
  if (adding !== undefined) {
    facts.push(fact('credit', 'document', 'money', money(adding.total)))
    const after = money(exact(exposure).plus(adding.total))
    if (isOnCredit) facts.push(fact('credit', 'after', 'money', after, isPast(after, limit)))
    if (isPast(after, limit)) facts.push(fact('credit', 'excess', 'money', money(exact(after).minus(limit ?? '0')), true))
  }
  if (standing.group !== null) {
    const after = money(exact(standing.group.exposure).plus(isOnCredit ? (adding?.total ?? '0') : '0'))
    facts.push(fact('credit', 'group-limit', 'money', money(standing.group.limit)), fact('credit', 'group-exposure', 'money', after, isPast(after, standing.group.limit)))
  }
  return [
    ...facts,
    fact('credit', 'overdue', 'money', standing.overdueAmount, exact(standing.overdueAmount).gt(0)),
    fact('credit', 'days-overdue', 'days', String(standing.maxDaysOverdue), standing.maxDaysOverdue > 0),
    fact('credit', 'open-invoices', 'count', String(standing.openInvoices)),
  ]
}

export function fact(group: ApprovalFact['group'], name: string, format: ApprovalFact['format'], value: Decimal | null, isOver = false, subject?: string): ApprovalFact {
  return { group, name, format, value, isOver, ...(subject === undefined ? {} : { subject }) }
}

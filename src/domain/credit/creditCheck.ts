import { addDays, type DateText } from '#base/date.ts'
import { type Decimal, exact, grouped, isZero, money } from '#base/decimal.ts'
import { say, type Sentence } from '#meta/sentence.ts'

export const creditBlockCodes = ['CL01', 'CL02', 'CL03', 'CL04', 'CL05', 'CL06', 'PT01'] as const
export type CreditBlockCode = (typeof creditBlockCodes)[number]

/** What of a customer's credit may be otherwise tomorrow, whatever the order is. */
export const passingCodes: readonly CreditBlockCode[] = ['CL01', 'CL02', 'CL03', 'CL04', 'CL05', 'CL06']

/** What the override of a single order clears. */
export const overridableCodes: readonly CreditBlockCode[] = ['CL01', 'CL02', 'CL03', 'CL05', 'CL06']

/** A valid limit row of the customer or his group. */
export interface CreditLimit {
  /** Null: unlimited. */
  readonly amount: Decimal | null
  readonly overdueGraceDays: number
  readonly maxOverdueAmount: Decimal
  readonly maxOpenInvoices: number | null
  readonly reviewDate: DateText | null
}

/** A customer's credit as it stands. */
export interface CreditStanding {
  readonly customerStatus: number
  readonly blockReason: string | null
  /** Without the order examined. */
  readonly exposure: Decimal
  /** Rows valid today. */
  readonly limits: readonly CreditLimit[]
  /** A limit existed and has run out. */
  readonly limitExpired: boolean
  readonly openInvoices: number
  readonly maxDaysOverdue: number
  readonly overdueAmount: Decimal
  /** Giro returned unpaid in the last 90 days. */
  readonly bouncedGiros: number
  /** Limit and exposure of all members together, for a customer of a group with a limit. */
  readonly group: { readonly id: number; readonly limit: Decimal; readonly exposure: Decimal } | null
}

export interface CheckedOrder {
  readonly total: Decimal
  /** Paid on or before delivery: no limit needed. */
  readonly isCash: boolean
  /** The order's payment term differs from the customer's. */
  readonly termDiffers: boolean
  /** Prepaid or covered by deposits: the customer's limit does not count. */
  readonly isWithoutCredit?: boolean
}

export interface CreditBlock {
  readonly code: CreditBlockCode
  /** What is in the way, for whoever has to decide. */
  readonly sentence: Sentence
  /** What the approval matrix measures: the excess for CL01, the overdue amount for CL02, else zero. */
  readonly value: Decimal
  /** No approval opens it. */
  readonly isHard: boolean
}

/** Why an order may not go out on credit just like that. Empty: nothing in the way. */
export function creditBlocks(standing: CreditStanding, order: CheckedOrder, today: DateText): CreditBlock[] {
  const blocks: CreditBlock[] = []
  const add = (code: CreditBlockCode, sentence: Sentence, value: Decimal = '0.00', isHard = false): void => {
    blocks.push({ code, sentence, value, isHard })
  }
  if (standing.customerStatus === 6 || standing.blockReason !== null) {
    add('CL04', standing.blockReason === null ? say('block.CL04') : say('block.CL04.reason', { reason: standing.blockReason }), '0.00', true)
  }
  if (!order.isCash) {
    const excess = order.isWithoutCredit === true ? uncovered(standing, order.total) : excessAsked(standing, order)
    if (!isZero(excess)) add('CL01', say(order.isWithoutCredit === true ? 'block.CL01.deposit' : 'block.CL01', { amount: grouped(excess) }), excess)
    if (standing.limitExpired && standing.limits.length === 0) add('CL06', say('block.CL06'))
    else if (standing.limits.some((limit) => limit.reviewDate !== null && addDays(limit.reviewDate, 30) < today)) add('CL06', say('block.CL06.review'))
  }
  const grace = Math.max(0, ...standing.limits.map((limit) => limit.overdueGraceDays))
  const allowed = standing.limits.reduce((most, limit) => (exact(limit.maxOverdueAmount).gt(most) ? limit.maxOverdueAmount : most), '0')
  const tooMuch = exact(allowed).gt(0) && exact(standing.overdueAmount).gt(allowed)
  if (standing.maxDaysOverdue > grace || tooMuch) {
    add('CL02', say('block.CL02', { amount: grouped(money(standing.overdueAmount)), days: standing.maxDaysOverdue }), money(standing.overdueAmount))
  }
  const most = standing.limits.flatMap((limit) => limit.maxOpenInvoices ?? [])
  if (most.length > 0 && standing.openInvoices >= Math.max(...most)) add('CL03', say('block.CL03', { count: standing.openInvoices }))
  if (standing.bouncedGiros > 0) add('CL05', say('block.CL05'))
  if (order.termDiffers) add('PT01', say('block.PT01'))
  return blocks
}

/** Sum of the rows valid today; null is unlimited, no row is zero. */
export function creditLimitOf(limits: readonly CreditLimit[]): Decimal | null {
  let limit = exact(0)
  for (const row of limits) {
    if (row.amount === null) return null
    limit = limit.plus(row.amount)
  }
  return money(limit)
}

/** What a customer, and his group, owe above their limits with an order added; zero where nothing is above. */
export function creditExcess(standing: CreditStanding, total: Decimal): { readonly own: Decimal; readonly group: Decimal } {
  const above = (exposure: Decimal, limit: Decimal | null): Decimal => {
    const excess = limit === null ? exact(0) : exact(exposure).plus(total).minus(limit)
    return excess.gt(0) ? money(excess) : '0.00'
  }
  return { own: above(standing.exposure, creditLimitOf(standing.limits)), group: standing.group === null ? '0.00' : above(standing.group.exposure, standing.group.limit) }
}

/** What of an order the customer's deposits do not cover, with all else he owes taken off them. */
function uncovered({ exposure }: CreditStanding, total: Decimal): Decimal {
  const left = exact(exposure).plus(total)
  return left.gt(0) ? money(left.gt(total) ? total : left) : '0.00'
}

/** The greater of the excess of the customer and of his group: what somebody is asked about. */
export function excessAsked(standing: CreditStanding, order: Pick<CheckedOrder, 'total' | 'isCash'>): Decimal {
  if (order.isCash) return '0.00'
  const { own, group } = creditExcess(standing, order.total)
  return exact(own).gt(group) ? own : group
}

/**
 * Has the excess grown past what was approved? Invoices round what the order did not, by a line and a delivery each: a ten-thousandth of what is
 * owed is no worse credit.
 */
export function isWorse(excess: Decimal, approved: Decimal, exposure: Decimal): boolean {
  return exact(excess).minus(approved).times(10_000).gt(exposure)
}

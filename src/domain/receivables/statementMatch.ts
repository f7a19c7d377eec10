import { daysBetween, type DateText } from '#base/date.ts'
import { compare, money, type Decimal } from '#base/decimal.ts'

/** Money a bank account received, as its statement says it. */
export interface Movement {
  readonly date: DateText
  readonly amount: Decimal
  /** Everything the bank wrote beside it. */
  readonly text: string
}

/** A receipt or deposit that has not been seen on a statement yet. */
export interface Expected {
  readonly date: DateText
  readonly amount: Decimal
  /** Virtual account it was paid to. */
  readonly virtualAccount: string | null
  /** Reference or number of the paper. */
  readonly reference: string | null
  readonly payerAccount: string | null
}

/** From here on a match is filled in unasked. */
export const sureFrom = 90
const shortestMark = 5

/**
 * How surely a movement is what was expected, in points; 0 unless the amounts agree: the virtual account in the bank's words 100, the reference or
 * number of the paper 90, the account of the payer 80, at most three days apart 60.
 */
export function pointsOf(movement: Movement, expected: Expected): number {
  if (compare(movement.amount, expected.amount) !== 0) return 0
  const words = bare(movement.text)
  const says = (mark: string | null): boolean => mark !== null && bare(mark).length >= shortestMark && words.includes(bare(mark))
  if (says(expected.virtualAccount)) return 100
  if (says(expected.reference)) return 90
  if (says(expected.payerAccount)) return 80
  return Math.abs(daysBetween(expected.date, movement.date)) <= 3 ? 60 : 0
}

/** What each movement surely is; undefined where nothing is, or several are as sure. Nothing is given twice: the surer movement has it, then the earlier in the list. */
export function surelyMatched<E extends Expected>(movements: readonly Movement[], expected: readonly E[]): readonly (E | undefined)[] {
  const matched: (E | undefined)[] = movements.map(() => undefined)
  const byAmount = new Map<Decimal, E[]>()
  for (const one of expected) byAmount.set(money(one.amount), [...(byAmount.get(money(one.amount)) ?? []), one])
  const taken = new Set<E>()
  const rated = movements.flatMap((movement, at) => {
    const sure = (byAmount.get(money(movement.amount)) ?? []).map((one) => ({ one, points: pointsOf(movement, one) })).filter(({ points }) => points >= sureFrom)
    const points = Math.max(0, ...sure.map((each) => each.points))
    return points === 0 ? [] : [{ at, points, best: sure.filter((each) => each.points === points).map(({ one }) => one) }]
  })
  for (const { at, best } of rated.sort((a, b) => b.points - a.points || a.at - b.at)) {
    const [only, ...others] = best.filter((one) => !taken.has(one))
    if (only === undefined || others.length > 0) continue
    taken.add(only)
    matched[at] = only
  }
  return matched
}

/** Letters and digits alone: banks break numbers up and change their case. */
function bare(text: string): string {
  return text.toUpperCase().replace(/[^0-9A-Z]/g, '')
}

import { daysBetween, type DateText } from '#base/date.ts'
import { compare, money, type Decimal } from '#base/decimal.ts'
import { isWithin, markOf, placeOf, wordsOf, type Mark, type Place, type Words } from './marks.ts'

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

interface Rating {
  readonly points: number
  /** Where in the bank's words it says so. */
  readonly place?: Place
}

/**
 * How surely a movement is what was expected, in points; 0 unless the amounts agree: the virtual account in the bank's words 100, the reference or
 * number of the paper 90, the account of the payer 80, at most three days apart 60. Words count whole, never a part of them.
 */
export function pointsOf(movement: Movement, expected: Expected): number {
  return ratingOf(movement, wordsOf(movement.text), marked(expected)).points
}

interface Marked<E extends Expected> {
  readonly one: E
  readonly marks: readonly (readonly [mark: Mark, points: number])[]
}

function marked<E extends Expected>(one: E): Marked<E> {
  const known = ([[one.virtualAccount, 100], [one.reference, 90], [one.payerAccount, 80]] as const).flatMap(([text, points]) => {
    const mark = text === null ? undefined : markOf(text)
    return mark === undefined ? [] : [[mark, points] as const]
  })
  return { one, marks: known }
}

function ratingOf(movement: Movement, words: Words, { one, marks }: Marked<Expected>): Rating {
  if (compare(movement.amount, one.amount) !== 0) return { points: 0 }
  for (const [mark, points] of marks) {
    const place = placeOf(words, mark)
    if (place !== undefined) return { points, place }
  }
  return { points: Math.abs(daysBetween(one.date, movement.date)) <= 3 ? 60 : 0 }
}

/** What each movement surely is; undefined where nothing is, or several are as sure. Nothing is given twice: the surer movement has it, then the earlier in the list. */
export function surelyMatched<E extends Expected>(movements: readonly Movement[], expected: readonly E[]): readonly (E | undefined)[] {
  const matched: (E | undefined)[] = movements.map(() => undefined)
  const byAmount = new Map<Decimal, Marked<E>[]>()
  for (const each of expected.map(marked)) {
    const alike = byAmount.get(money(each.one.amount))
    if (alike === undefined) byAmount.set(money(each.one.amount), [each])
    else alike.push(each)
  }
  const taken = new Set<E>()
  const rated = movements.flatMap((movement, at) => {
    const words = wordsOf(movement.text)
    const sure = (byAmount.get(money(movement.amount)) ?? []).map((each) => ({ one: each.one, ...ratingOf(movement, words, each) })).filter(({ points }) => points >= sureFrom)
    const points = Math.max(0, ...sure.map((each) => each.points))
    return points === 0 ? [] : [{ at, points, best: exactest(sure.filter((each) => each.points === points)).map(({ one }) => one) }]
  })
  for (const { at, best } of rated.sort((a, b) => b.points - a.points || a.at - b.at)) {
    const [only, ...others] = best.filter((one) => !taken.has(one))
    if (only === undefined || others.length > 0) continue
    taken.add(only)
    matched[at] = only
  }
  return matched
}

/** What is said whole beats what is said only as its beginning. */
function exactest<R extends Rating>(ratings: readonly R[]): readonly R[] {
  return ratings.filter(({ place }) => !ratings.some((other) => place !== undefined && other.place !== undefined && isWithin(place, other.place)))
}

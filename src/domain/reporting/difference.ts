import { exact, fixed, isZero, type Decimal } from '#base/decimal.ts'

export interface Difference {
  /** What came to it, with the digits of the value. */
  readonly amount: Decimal
  /** In percent of the earlier value with one digit; null where there is nothing to compare with. */
  readonly percent: Decimal | null
}

/** How a figure differs from an earlier one. Null where either is unknown. A fall from a negative value counts as a fall. */
export function difference(value: Decimal | null, before: Decimal | null): Difference | null {
  if (value === null || before === null) return null
  const places = Math.max(fraction(value), fraction(before))
  const amount = exact(value).minus(before)
  return {
    amount: fixed(amount, places),
    percent: isZero(before) ? null : fixed(amount.times(100).div(exact(before).abs()), 1),
  }
}

function fraction(value: Decimal): number {
  return value.split('.')[1]?.length ?? 0
}

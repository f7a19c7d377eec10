import { exact, type Decimal } from '#base/decimal.ts'

/** Status of an open item by what is left of it: 1 nothing taken, 3 nothing left, 2 between. */
export function itemStatus(total: Decimal, remaining: Decimal): 1 | 2 | 3 {
  if (exact(remaining).eq(0)) return 3
  return exact(remaining).eq(total) ? 1 : 2
}

import type { Filter } from '#api/view.ts'
import { compare, isDecimal } from '#base/decimal.ts'

/** Ends of a range entered the wrong way round are put right: nobody means a range that holds nothing. */
export function inOrder(filter: Filter): Filter {
  const { op, value } = filter
  if (op !== 'between' || !Array.isArray(value)) return filter
  const [from, to] = value.map(String)
  if (from === undefined || to === undefined) return filter
  const isTurned = isDecimal(from, 6) && isDecimal(to, 6) ? compare(from, to) > 0 : from > to
  return isTurned ? { ...filter, value: value.toReversed() } : filter
}

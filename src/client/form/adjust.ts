import { exact, isDecimal } from '#base/decimal.ts'
import type { LineAdjustment } from '#meta/resolved.ts'
import type { Rows } from '../grid/gridModel.ts'

/** A percentage as typed: `5`, `-2.5`, `3,5`; undefined when it is none or takes everything away. */
export function percentOf(text: string): string | undefined {
  const plain = text.trim().replace('%', '').replace('+', '').replace(',', '.').trim()
  return isDecimal(plain, 4) && exact(plain).gt(-100) && exact(plain).lte(1000) && !exact(plain).eq(0) ? plain : undefined
}

/** Points as typed: `0.5`, `-1`, `+2,25`; undefined when they are none. */
export function pointsOf(text: string): string | undefined {
  const plain = text.trim().replace('+', '').replace(',', '.').trim()
  return isDecimal(plain, 4) && exact(plain).abs().lte(100) && !exact(plain).eq(0) ? plain : undefined
}

/** What happens to the lines the adjustment is for. */
export interface Move {
  readonly by: string
  /** New values are whole multiples of it, half up. */
  readonly unit: string
  /** Only these lines. */
  readonly isMeant: (row: Rows[number]) => boolean
}

/** Lines with `field` moved, reckoned from `of` (from itself where that is empty). Lines without a value stay. */
export function adjusted(rows: Rows, adjust: LineAdjustment, { by, unit, isMeant }: Move): { readonly rows: Rows; readonly count: number } {
  let count = 0
  const next = rows.map((row) => {
    const before = [row.values[adjust.of], row.values[adjust.field]].find((value) => isDecimal(value, 6))
    if (row.fixed || before === undefined || !isMeant(row)) return row
    count += 1
    const moved = adjust.by === 'points' ? exact(before).plus(by) : exact(before).times(exact(100).plus(by)).div(100)
    return { ...row, values: { ...row.values, [adjust.field]: moved.div(unit).round(0, 'HALF_UP').times(unit).toString() } }
  })
  return { rows: count === 0 ? rows : next, count }
}

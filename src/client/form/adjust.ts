import { exact, isDecimal } from '#base/decimal.ts'
import type { Rows } from '../grid/gridModel.ts'

/** A percentage as typed: `5`, `-2.5`, `3,5`; undefined when it is none or takes everything away. */
export function percentOf(text: string): string | undefined {
  const plain = text.trim().replace('%', '').replace('+', '').replace(',', '.').trim()
  return isDecimal(plain, 4) && exact(plain).gt(-100) && exact(plain).lte(1000) && !exact(plain).eq(0) ? plain : undefined
}

/** Lines with `field` moved by a percentage of `of` (of itself where that is empty), to whole multiples of `unit`, half up. Lines without a value stay. */
export function adjusted(rows: Rows, { field, of }: { readonly field: string; readonly of: string }, percent: string, unit: string, only?: ReadonlySet<string>): { readonly rows: Rows; readonly count: number } {
  let count = 0
  const next = rows.map((row) => {
    const before = [row.values[of], row.values[field]].find((value) => isDecimal(value, 6))
    if (row.fixed || before === undefined || (only !== undefined && !only.has(row.key))) return row
    count += 1
    const moved = exact(before).times(exact(100).plus(percent)).div(100)
    const value = moved.div(unit).round(0, 'HALF_UP').times(unit).toString()
    return { ...row, values: { ...row.values, [field]: value } }
  })
  return { rows: count === 0 ? rows : next, count }
}

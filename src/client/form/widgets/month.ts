import { addMonths, isKept, nearestKept } from '#base/date.ts'
import type { FieldType } from '#meta/resolved.ts'
import { inDigits } from '../entry.ts'

/** Months as people type them against what travels: a period is YYYYMM, a date the first day of the month. */

/** `202506` or `2025-06-17` → `2025-06-01`; undefined for anything else. */
export function monthOf(value: string): string | undefined {
  const match = /^(\d{4})-?(0[1-9]|1[0-2])(?:-\d{2})?$/.exec(value)
  return match === null ? undefined : `${match[1]}-${match[2]}-01`
}

/** The value that travels. */
export function monthValue(month: string, type: FieldType): string {
  return type === 'period' ? month.slice(0, 7).replace('-', '') : month
}

/** MM/YYYY. */
export function shownMonth(month: string | undefined): string {
  return month === undefined ? '' : `${month.slice(5, 7)}/${month.slice(0, 4)}`
}

/** Month of `6/2025`, `06-25`, `062025`, `6` (this year), `2025-06`, `2025年6月`, `202506`, `Jun 2025`; null for nothing, undefined when it is no month. */
export function parseMonth(typed: string, today: string): string | null | undefined {
  const bare = inDigits(typed, 'monthInDigits')
  if (bare === '') return null
  const iso = /^(\d{4})[/\-. 年] *(\d{1,2})月?$/.exec(bare) ?? /^((?:19|20)\d\d)(0\d|1[0-2])$/.exec(bare)
  const local = /^(\d{1,2})(?:[/\-. ](\d{2}|\d{4}))?$/.exec(bare) ?? /^(\d{2})(\d{4})$/.exec(bare)
  const [month, year] = iso === null ? [local?.[1], local?.[2] ?? today.slice(0, 4)] : [iso[2], iso[1]]
  if (month === undefined || year === undefined) return undefined
  const found = monthOf(`${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-01`)
  return found !== undefined && isKept(found) ? found : undefined
}

/** The month `count` later. */
export function monthAfter(month: string, count: number): string {
  return `${nearestKept(addMonths(month, count)).slice(0, 7)}-01`
}

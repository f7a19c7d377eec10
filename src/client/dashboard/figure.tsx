import type { Amount } from '#api/dashboard.ts'
import { unmarkedCurrency } from '#base/currency.ts'
import { isAmountType } from '#meta/amount.ts'
import type { Field, FieldType } from '#meta/resolved.ts'
import { formatMoney, formatNumber } from '../app/format.ts'
import { cellOf } from '../table/cells.tsx'

/** A figure in full: 1,234,567.50. */
export function fullText(type: FieldType, value: string | null | undefined): string {
  return value === null || value === undefined ? '–' : cellOf(type).text(value, fieldOf(type), {})
}

/** As it stands large on a tile: money without cents, quantities and percentages with one digit. */
export function shortText(type: FieldType, value: string | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (type === 'money') return formatMoney(rounded(value, 0), 0)
  if (type === 'percent') return `${formatNumber(rounded(value, 1))} %`
  if (type === 'quantity') return formatNumber(rounded(value, 1))
  return fullText(type, value)
}

/** What stands before a figure: its currency, where there are several or that of an amount does not go without saying. */
export function markOf(type: FieldType, currency: string | null, isSeveral: boolean): string | null {
  return isSeveral || (isAmountType(type) && currency !== unmarkedCurrency) ? currency : null
}

/** A figure as it stands on a tile, with its currency where that has to be said. */
export function markedText(type: FieldType, value: string | null | undefined, currency: string | null, isSeveral: boolean): string {
  const mark = markOf(type, currency, isSeveral)
  return mark === null ? shortText(type, value) : `${mark}\u00a0${shortText(type, value)}`
}

/** Decimal text cut to so many digits, half away from zero; text in, text out. */
export function rounded(value: string, places: number): string {
  const isNegative = value.startsWith('-')
  const [whole = '0', fraction = ''] = (isNegative ? value.slice(1) : value).split('.')
  if (fraction.length <= places) return value
  const digits = BigInt(whole + fraction.slice(0, places)) + (Number(fraction[places]) >= 5 ? 1n : 0n)
  const text = digits.toString().padStart(places + 1, '0')
  const result = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
  return isNegative && digits !== 0n ? `-${result}` : result
}

/** Several currencies stand under one another; none is added to another. */
export function amountsOf(amounts: readonly Amount[]): readonly Amount[] {
  return amounts.length === 0 ? [{ currency: null, value: null }] : amounts
}

function fieldOf(type: FieldType): Field {
  return { name: '', wire: '', type, label: '', required: false, readOnly: true }
}

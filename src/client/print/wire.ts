import { exact, money } from '#base/decimal.ts'
import type { WireRecord } from '#api/envelope.ts'

/** Values of a stored document as a sheet shows them. */
export function text(record: Readonly<Record<string, unknown>>, key: string): string {
  const value = record[key]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** Decimal text of a money field; nothing counts as zero. */
export function decimal(record: Readonly<Record<string, unknown>>, key: string): string {
  const value = text(record, key)
  return /^-?\d+(\.\d+)?$/.test(value) ? value : '0'
}

export function lines(record: WireRecord): readonly Readonly<Record<string, unknown>>[] {
  const found = record['Lines']
  return Array.isArray(found) ? found.filter((line): line is Readonly<Record<string, unknown>> => typeof line === 'object' && line !== null) : []
}

/** What rounding the lines has added between what is left of the gross and the tax base: without it the sums do not add up on paper. Undefined: nothing. */
export function roundingOf(record: Readonly<Record<string, unknown>>): string | undefined {
  const added = exact(decimal(record, 'Dpp')).minus(decimal(record, 'Gross')).plus(decimal(record, 'Discount')).plus(decimal(record, 'Promo'))
  return added.eq(0) ? undefined : money(added)
}

/** Two stored amounts shown as one (discount and promotion). */
export function together(a: string, b: string): string {
  return money(exact(a).plus(b))
}

export interface Standing {
  readonly cancelled: string
  readonly stands: string
}

/** What an order comes to without the goods that were cancelled of it, each line at its share; undefined: nothing was, or all of it. Whole where the order is. */
export function standingOf(record: WireRecord): Standing | undefined {
  const total = decimal(record, 'Total')
  const all = lines(record)
  const left = all.map((line) => exact(decimal(line, 'QtyBase')).minus(decimal(line, 'CancelledQty')))
  if (all.every((line) => exact(decimal(line, 'CancelledQty')).eq(0)) || left.every((qty) => qty.lte(0))) return undefined
  const shares = all.map((line, i) => (exact(decimal(line, 'QtyBase')).eq(0) ? exact(0) : exact(decimal(line, 'Total')).times(left[i] ?? exact(0)).div(decimal(line, 'QtyBase'))))
  const stands = money(shares.reduce((sum, share) => sum.plus(share), exact(0)).round(/^-?\d+(\.0*)?$/.test(total) ? 0 : 2))
  return { stands, cancelled: money(exact(stands).minus(total)) }
}

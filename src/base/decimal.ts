import { Exact } from './exact.ts'

/**
 * Exact decimal arithmetic on decimal text ("1234.50"). Money has 2 places, quantities 3, prices 4, unit costs and rates 6.
 * Values travel as text on the wire and to the database; no binary float touches them.
 */
export type Decimal = string

export type { Exact }

/** Opens decimal text for a calculation. Throws on anything that is not a plain decimal number. */
export function exact(value: Decimal | number | Exact): Exact {
  return Exact.of(value)
}

export const zero: Exact = Exact.whole(0n, 0)

/** Money as stored: two places, half away from zero. */
export function money(value: Exact | Decimal): Decimal {
  return fixed(value, 2)
}

/** Decimal text with exactly `places` digits, half away from zero (the tax office's rule for positive and negative alike). */
export function fixed(value: Exact | Decimal, places: number): Decimal {
  return Exact.of(value).toFixed(places)
}

/** Decimal text as people read it in a sentence: 1,234,567.00. */
export function grouped(value: Decimal): string {
  const [whole = '', fraction] = value.split('.')
  const text = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? text : `${text}.${fraction}`
}

/** A quantity as people read it in a sentence, without zeros it does not need: a dot before three zeros is read as thousands by many. */
export function quantityText(value: Decimal | Exact): string {
  return grouped(fixed(value, 3).replace(/\.?0+$/, ''))
}

export function sum(values: Iterable<Exact | Decimal>): Exact {
  let total = zero
  for (const value of values) total = total.plus(value)
  return total
}

export function isZero(value: Decimal): boolean {
  return Exact.of(value).eq(zero)
}

/** -1, 0 or 1 as `a` is below, equal to or above `b`. */
export function compare(a: Decimal | Exact, b: Decimal | Exact): -1 | 0 | 1 {
  return Exact.of(a).cmp(b)
}

/** Is this text a plain decimal (optional sign, digits, optional fraction of at most `places` digits)? */
export function isDecimal(text: unknown, places: number): text is Decimal {
  return typeof text === 'string' && plain(places).test(text)
}

const patterns = new Map<number, RegExp>()

function plain(places: number): RegExp {
  const pattern = patterns.get(places) ?? new RegExp(`^-?\\d{1,16}(\\.\\d{1,${places}})?$`)
  patterns.set(places, pattern)
  return pattern
}

/**
 * Splits `total` over `weights` so that the parts add up to it exactly: each part is rounded down to `places`, the units left go to the
 * largest remainders, ties to the earlier weight. All-zero weights give everything to the first.
 */
export function spread(total: Exact, weights: readonly Exact[], places: number): Exact[] {
  const whole = sum(weights)
  if (weights.length === 0) return []
  if (whole.eq(0)) return weights.map((_, i) => (i === 0 ? total : zero))
  const unit = Exact.whole(1n, places)
  const shares = weights.map((weight) => total.times(weight).div(whole))
  const parts = shares.map((share) => share.round(places, 'DOWN'))
  let left = total.minus(sum(parts)).div(unit).round(0)
  const step = left.lt(0) ? unit.times(-1) : unit
  const order = shares
    .map((share, i) => ({ i, rest: share.minus(parts[i] ?? zero).abs() }))
    .sort((a, b) => b.rest.cmp(a.rest) || a.i - b.i)
  for (let n = 0; left.abs().gt(0); n++) {
    const slot = order[n % order.length]
    if (slot === undefined) break
    parts[slot.i] = (parts[slot.i] ?? zero).plus(step)
    left = left.gt(0) ? left.minus(1) : left.plus(1)
  }
  return parts
}

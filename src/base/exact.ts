/** A decimal value with its digits as one whole number: `units` × 10^−`places`. Every operation but division is exact. */
export class Exact {
  readonly #units: bigint
  readonly #places: number

  private constructor(units: bigint, places: number) {
    this.#units = units
    this.#places = places
  }

  /** Opens decimal text. Throws on anything that is not a plain number. */
  static of(value: string | number | Exact): Exact {
    if (typeof value === 'string') return remembered(value)
    return typeof value === 'number' ? Exact.of(String(value)) : value
  }

  /** Of digits already known to be whole: `Exact.whole(1250n, 2)` is 12.50. */
  static whole(units: bigint, places: number): Exact {
    return new Exact(units, places)
  }

  plus(value: Exact | string | number): Exact {
    const other = Exact.of(value)
    const places = Math.max(this.#places, other.#places)
    return new Exact(this.#at(places) + other.#at(places), places)
  }

  minus(value: Exact | string | number): Exact {
    const other = Exact.of(value)
    const places = Math.max(this.#places, other.#places)
    return new Exact(this.#at(places) - other.#at(places), places)
  }

  times(value: Exact | string | number): Exact {
    const other = Exact.of(value)
    return new Exact(this.#units * other.#units, this.#places + other.#places)
  }

  /** Rounded half away from zero at the twentieth place where it does not come out. Throws on zero. */
  div(value: Exact | string | number): Exact {
    const other = Exact.of(value)
    if (other.#units === 0n) throw new Error('Division by zero')
    // Percentages, mostly: the point moves and nothing is divided.
    if (other.#units === 100n && other.#places === 0) return new Exact(this.#units, this.#places + 2)
    const shift = quotientPlaces + other.#places - this.#places
    const above = shift >= 0 ? this.#units * power(shift) : this.#units
    const below = shift >= 0 ? other.#units : other.#units * power(-shift)
    return new Exact(quotient(above, below), quotientPlaces).#trimmed()
  }

  /** What is left of whole parts, with the sign of this value. */
  mod(value: Exact | string | number): Exact {
    const other = Exact.of(value)
    const places = Math.max(this.#places, other.#places)
    return new Exact(this.#at(places) % other.#at(places), places)
  }

  abs(): Exact {
    return this.#units < 0n ? new Exact(-this.#units, this.#places) : this
  }

  cmp(value: Exact | string | number): -1 | 0 | 1 {
    const other = Exact.of(value)
    const places = Math.max(this.#places, other.#places)
    const mine = this.#at(places)
    const its = other.#at(places)
    return mine === its ? 0 : mine < its ? -1 : 1
  }

  eq(value: Exact | string | number): boolean {
    return this.cmp(value) === 0
  }

  gt(value: Exact | string | number): boolean {
    return this.cmp(value) > 0
  }

  gte(value: Exact | string | number): boolean {
    return this.cmp(value) >= 0
  }

  lt(value: Exact | string | number): boolean {
    return this.cmp(value) < 0
  }

  lte(value: Exact | string | number): boolean {
    return this.cmp(value) <= 0
  }

  /** To `places` after the point, before it when negative (−3: whole thousands). */
  round(places: number, mode: Rounding = 'HALF_UP'): Exact {
    if (places >= this.#places) return this
    const unit = power(this.#places - places)
    const units = mode === 'HALF_UP' ? quotient(this.#units, unit) : mode === 'DOWN' ? this.#units / unit : awayFromZero(this.#units, unit)
    return places >= 0 ? new Exact(units, places) : new Exact(units * power(-places), 0)
  }

  /** Text with exactly `places` digits after the point, half away from zero; without `places` with as many as there are. */
  toFixed(places?: number): string {
    if (places === undefined) return this.#trimmed().#text()
    const rounded = this.round(places)
    return new Exact(rounded.#at(places), places).#text()
  }

  toString(): string {
    return this.toFixed()
  }

  toJSON(): string {
    return this.toFixed()
  }

  /** The digits with so many places, of which there are no fewer than now. */
  #at(places: number): bigint {
    return places === this.#places ? this.#units : this.#units * power(places - this.#places)
  }

  #trimmed(): Exact {
    let units = this.#units
    let places = this.#places
    for (const step of [16, 8, 4, 2, 1]) {
      while (places >= step && units % power(step) === 0n) {
        units /= power(step)
        places -= step
      }
    }
    return places === this.#places ? this : new Exact(units, places)
  }

  #text(): string {
    if (this.#places === 0) return this.#units.toString()
    const isNegative = this.#units < 0n
    const digits = (isNegative ? -this.#units : this.#units).toString().padStart(this.#places + 1, '0')
    const point = digits.length - this.#places
    return `${isNegative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
  }
}

/** Half away from zero, towards zero, away from zero. */
export type Rounding = 'HALF_UP' | 'DOWN' | 'UP'

const quotientPlaces = 20

const powers = Array.from({ length: 48 }, (_, exponent) => 10n ** BigInt(exponent))

function power(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent)
}

/** Rounded half away from zero. */
function quotient(above: bigint, below: bigint): bigint {
  const whole = above / below
  const rest = above - whole * below
  if (rest === 0n) return whole
  const isHalf = (rest < 0n ? -rest : rest) * 2n >= (below < 0n ? -below : below)
  return isHalf ? ((above < 0n) === (below < 0n) ? whole + 1n : whole - 1n) : whole
}

function awayFromZero(above: bigint, below: bigint): bigint {
  const whole = above / below
  return above === whole * below ? whole : above < 0n ? whole - 1n : whole + 1n
}

const opened = new Map<string, Exact>()

/** Texts recur, line after line: rates, factors, prices, round amounts. Opening one anew takes several times as long as finding it. */
function remembered(text: string): Exact {
  const known = opened.get(text)
  if (known !== undefined) return known
  const value = parse(text) ?? parseScientific(text)
  if (opened.size >= mostOpened) opened.clear()
  opened.set(text, value)
  return value
}

const mostOpened = 5_000

/** `12`, `-12.50`; undefined for anything else. */
function parse(text: string): Exact | undefined {
  const point = text.indexOf('.')
  const digits = point < 0 ? text : text.slice(0, point) + text.slice(point + 1)
  if (!isWhole(digits)) return undefined
  return Exact.whole(digits.length < 16 ? BigInt(Number(digits)) : BigInt(digits), point < 0 ? 0 : text.length - point - 1)
}

function isWhole(text: string): boolean {
  const start = text.startsWith('-') ? 1 : 0
  if (text.length === start) return false
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 48 || code > 57) return false
  }
  return true
}

/** Numbers of JavaScript far from one write themselves as `1e-7`. */
function parseScientific(text: string): Exact {
  const [, mantissa = '', exponent = ''] = /^(-?[\d.]+)e([+-]?\d{1,3})$/i.exec(text) ?? []
  const value = parse(mantissa)
  if (!value) throw new Error(`Not a number: ${text.slice(0, 80)}`)
  const shift = Number(exponent)
  return shift < 0 ? value.times(Exact.whole(1n, -shift)) : value.times(Exact.whole(power(shift), 0))
}

import type { Decimal } from './decimal.ts'

/** Adds decimal text up exactly, hundreds of thousands of values a second: whole numbers of the smallest unit met so far. */
export class DecimalTotal {
  #units = 0n
  #places = 0
  #count = 0

  /** Values added. */
  get count(): number {
    return this.#count
  }

  /** Anything that is no decimal text or whole number is left out. */
  add(value: unknown): void {
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text !== 'string' || !/^-?\d+(\.\d+)?$/.test(text)) return
    const at = text.indexOf('.')
    const places = at < 0 ? 0 : text.length - at - 1
    const units = BigInt(at < 0 ? text : text.slice(0, at) + text.slice(at + 1))
    if (places > this.#places) {
      this.#units *= 10n ** BigInt(places - this.#places)
      this.#places = places
    }
    this.#units += units * 10n ** BigInt(this.#places - places)
    this.#count++
  }

  /** The sum with the digits of the most precise value added. */
  text(): Decimal {
    const digits = (this.#units < 0n ? -this.#units : this.#units).toString().padStart(this.#places + 1, '0')
    const whole = digits.slice(0, digits.length - this.#places)
    const sign = this.#units < 0n ? '-' : ''
    return this.#places === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-this.#places)}`
  }
}

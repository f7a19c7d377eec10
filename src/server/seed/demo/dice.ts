/**
 * Repeatable chance: the same seed gives the same company. Mulberry32; good enough for a believable spread, never for secrets.
 */
export interface Dice {
  /** At least 0, below 1. */
  next(): number
  /** Whole number, both ends included. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** Picks by weight; weights need not add up to anything. */
  weighted<T>(from: readonly (readonly [value: T, weight: number])[]): T
  /** Draws by weight from the same choice again and again. */
  drawer<T>(from: readonly (readonly [value: T, weight: number])[]): () => T
  /** Roughly normal around 0 with spread 1. */
  bell(): number
  /** Digits of an account or phone number. */
  digits(count: number): string
}

export function dice(seed: number): Dice {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(from: readonly T[]): T => {
    const value = from[between(0, from.length - 1)]
    if (value === undefined) throw new Error('Nothing to pick from')
    return value
  }
  const drawer = <T>(from: readonly (readonly [value: T, weight: number])[]): (() => T) => {
    let total = 0
    const upTo = from.map(([, weight]) => (total += weight))
    return () => {
      const wanted = next() * total
      let low = 0
      let high = upTo.length - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if ((upTo[middle] ?? 0) > wanted) high = middle
        else low = middle + 1
      }
      return (from[low] ?? from[0] ?? pick(from))[0]
    }
  }
  return {
    next,
    between,
    pick,
    drawer,
    chance: (probability) => next() < probability,
    weighted: (from) => drawer(from)(),
    bell: () => next() + next() + next() + next() + next() + next() + next() + next() + next() + next() + next() + next() - 6,
    digits: (count) => Array.from({ length: count }, () => between(0, 9)).join(''),
  }
}

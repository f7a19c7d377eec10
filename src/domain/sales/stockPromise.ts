import { exact, zero, type Decimal, type Exact } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'

export interface PromisedLine {
  readonly key: number
  readonly itemId: number
  readonly qtyBase: Decimal
  /** Day it is wanted; null: as soon as can be. */
  readonly day: DateText | null
}

/** What is there for each line, by its key: of the lines of an item those of an earlier day are served first, then those that stand before. */
export function stockPromises(lines: readonly PromisedLine[], free: ReadonlyMap<number, Decimal>): ReadonlyMap<number, Decimal> {
  const left = new Map<number, Exact>()
  const promises = new Map<number, Decimal>()
  for (const { key, itemId, qtyBase } of lines.toSorted((a, b) => (a.day ?? '').localeCompare(b.day ?? ''))) {
    const now = left.get(itemId) ?? exact(free.get(itemId) ?? '0')
    promises.set(key, (now.lt(0) ? zero : now).toFixed(3))
    left.set(itemId, now.minus(qtyBase))
  }
  return promises
}

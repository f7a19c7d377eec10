import { compare, fixed, isDecimal, type Decimal } from '#base/decimal.ts'
import type { TransitionContext } from '#server/context.ts'
import { invalid, wrong } from '#server/problemError.ts'

/** `quantities` of a transition, `{ "<line id>": "<quantity>" }`, by line id; what is left empty is left out. */
export function enteredQuantities({ input }: TransitionContext): ReadonlyMap<number, Decimal> {
  const { quantities } = input
  if (quantities === null || typeof quantities !== 'object' || Array.isArray(quantities)) return invalid([wrong('Quantities', 'REQUIRED.counted')])
  return new Map(Object.entries(quantities).flatMap(([id, qty]): (readonly [number, Decimal])[] => {
    const text = typeof qty === 'number' ? String(qty) : qty
    if (text === null || text === '') return []
    if (!/^\d+$/.test(id) || !isDecimal(text, 3) || compare(text, '0') < 0) return invalid([wrong(`Quantities.${id}`, 'NEGATIVE')])
    return [[Number(id), fixed(text, 3)]]
  }))
}

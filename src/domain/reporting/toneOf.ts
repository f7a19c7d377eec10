import { compare, type Decimal } from '#base/decimal.ts'
import type { FigureTone, Tone } from '#meta/resolved.ts'

/** Look of a figure: of the limits it lies within the first; neutral without a figure or within none. */
export function toneOf(tones: readonly FigureTone[], value: Decimal | null): Tone {
  if (value === null) return 'neutral'
  return tones.find((limits) => isWithin(limits, value))?.tone ?? 'neutral'
}

function isWithin({ gt, ge, lt, le }: FigureTone, value: Decimal): boolean {
  return (
    (gt === undefined || compare(value, gt) > 0) &&
    (ge === undefined || compare(value, ge) >= 0) &&
    (lt === undefined || compare(value, lt) < 0) &&
    (le === undefined || compare(value, le) <= 0)
  )
}

import { exact, fixed, spread, zero, type Decimal } from '#base/decimal.ts'
import type { PostedLine } from './coretax.ts'

/**
 * Lines of an invoice without what its buyer has paid VAT of in advance: each keeps its part of `dpp`, what is left of the price, to the cent.
 */
export function withoutAdvances(lines: readonly PostedLine[], dpp: Decimal): readonly PostedLine[] {
  const whole = lines.reduce((all, line) => all.plus(exact(line.dpp)), zero)
  if (!whole.gt(0)) return lines
  const bases = spread(exact(dpp), lines.map((line) => exact(line.dpp)), 2)
  return lines.map((line, at) => {
    const base = bases[at] ?? zero
    const other = exact(line.dpp).gt(0) ? base.times(line.dppOther).div(line.dpp).round(2) : zero
    return {
      ...line, gross: fixed(exact(line.gross).times(dpp).div(whole).round(2), 2), dpp: fixed(base, 2), dppOther: fixed(other, 2), ppn: fixed(other.times(line.rate).div(100).round(2), 2),
    }
  })
}

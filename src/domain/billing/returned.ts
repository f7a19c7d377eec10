import { compare, exact, money, type Decimal } from '#base/decimal.ts'

/** An invoice line as far as goods come back of it. */
export interface ReturnableLine {
  readonly qty: Decimal
  readonly dpp: Decimal
}

/** What has come back of a line, and what has been credited of its invoice, so far. */
export interface CreditedSoFar {
  readonly qty: Decimal
  readonly dpp: Decimal
  /** VAT of the whole invoice. */
  readonly ppn: Decimal
}

export interface ReturnedAmounts {
  readonly dpp: Decimal
  readonly ppn: Decimal
}

/**
 * Base and VAT of goods sent back (D5): the share of all that has come back by now less what is credited already, so that the parts add up to the
 * line; `emptiesWith`: VAT of the invoice, of which the return that leaves nothing on it takes the rest. `vatOf`: the VAT of a base, whole rupiah.
 */
export function returnedAmounts(line: ReturnableLine, before: CreditedSoFar, qty: Decimal, vatOf: (dpp: Decimal) => Decimal, emptiesWith: Decimal | undefined): ReturnedAmounts {
  const back = exact(before.qty).plus(qty)
  if (compare(back, line.qty) > 0) throw new Error('More has come back than was invoiced')
  const dpp = money(exact(exact(line.dpp).times(back).div(line.qty).round(0)).minus(before.dpp))
  return { dpp, ppn: emptiesWith !== undefined && compare(back, line.qty) === 0 ? money(exact(emptiesWith).minus(before.ppn)) : vatOf(dpp) }
}

import { compare, exact, money, sum, type Decimal } from '#base/decimal.ts'
import { documentVat, lineVat, type TaxRate } from '#domain/tax/vat.ts'

/** An invoice line as far as goods come back of it; quantity in base units. */
export interface ReturnableLine {
  readonly qty: Decimal
  readonly dpp: Decimal
}

/** Base of goods sent back (D5): the share of all that has come back by now less what is credited already, whole rupiah, so that the parts add up to the line. */
export function returnedDpp(line: ReturnableLine, before: ReturnableLine, qty: Decimal, places = 0): Decimal {
  const back = exact(before.qty).plus(qty)
  if (compare(back, line.qty) > 0) throw new Error('More has come back than was invoiced')
  return money(exact(exact(line.dpp).times(back).div(line.qty).round(places)).minus(before.dpp))
}

/** A base with the tax it bears; negative for what is deducted. */
export interface TaxedPart {
  readonly dpp: Decimal
  readonly tax: TaxRate | null
}

/**
 * VAT of what is credited, whole rupiah: of its parts, or where nothing is left of the invoice, `rest` of its VAT that was not credited before, less that of
 * what is deducted (negative parts).
 */
export function returnedPpn(parts: readonly TaxedPart[], rest: Decimal | undefined, places = 0): Decimal {
  const vatOf = (some: readonly TaxedPart[]) => documentVat(some.map(({ dpp, tax }) => lineVat(exact(dpp), tax).ppn), places)
  if (rest === undefined) return money(vatOf(parts))
  return money(sum([rest, money(vatOf(parts.filter(({ dpp }) => compare(dpp, '0') < 0)))]))
}

/** A part of a value by the quantity it is for; the parts of a row of quantities, each on top of those before it, add up to the whole. */
export function shares(value: Decimal, whole: Decimal, parts: readonly Decimal[]): readonly Decimal[] {
  let qty = exact('0')
  let given = exact('0')
  return parts.map((part) => {
    qty = qty.plus(part)
    const upTo = exact(whole).eq(0) ? exact('0') : exact(value).times(qty).div(whole).round(2)
    const own = upTo.minus(given)
    given = upTo
    return money(own)
  })
}

import { exact, fixed, money, sum, type Decimal } from '#base/decimal.ts'
import { lineVat, type TaxRate } from '#domain/tax/vat.ts'

/** An order line's agreed amounts, for its whole base quantity. */
export interface AgreedLine {
  readonly qtyBase: Decimal
  readonly gross: Decimal
  readonly discount: Decimal
  readonly promo: Decimal
  readonly dpp: Decimal
  readonly ppn: Decimal
  readonly total: Decimal
  /** Its total is what the prices listed come to, VAT in them. */
  readonly taxIncluded: boolean
  readonly isFree: boolean
  readonly tax: TaxRate | null
}

/** What live invoices have taken of it already. */
export interface BilledSoFar {
  readonly qty: Decimal
  readonly gross: Decimal
  readonly discount: Decimal
  readonly promo: Decimal
  readonly dpp: Decimal
  readonly total: Decimal
}

export interface BilledPortion {
  readonly gross: Decimal
  readonly discount: Decimal
  readonly promo: Decimal
  readonly dpp: Decimal
  readonly dppOther: Decimal
  readonly ppn: Decimal
  readonly total: Decimal
  readonly taxIncluded: boolean
}

export const nothingBilled: BilledSoFar = { qty: '0', gross: '0', discount: '0', promo: '0', dpp: '0', total: '0' }

/**
 * Amounts of `qty` base units of an order line at the agreed price. The portion that completes the line takes what is left,
 * so that all its invoices together are the order to the cent. `places`: decimals of the base of tax, as the currency has.
 */
export function portionOf(line: AgreedLine, billed: BilledSoFar, qty: Decimal, places = 0): BilledPortion {
  const completes = exact(billed.qty).plus(qty).gte(line.qtyBase)
  const part = (whole: Decimal, taken: Decimal, places: number): Decimal =>
    completes ? fixed(exact(whole).minus(taken), places) : fixed(exact(whole).times(qty).div(line.qtyBase), places)
  const dpp = part(line.dpp, billed.dpp, places)
  const vat = lineVat(exact(dpp), line.isFree ? null : line.tax)
  // A price listed with a tax that is another by now is agreed without it.
  const taxIncluded = line.taxIncluded && !line.isFree && lineVat(exact(line.dpp), line.tax).ppn.eq(line.ppn)
  return {
    gross: part(line.gross, billed.gross, 2),
    discount: part(line.discount, billed.discount, 2),
    promo: part(line.promo, billed.promo, 2),
    dpp: money(dpp),
    dppOther: money(vat.dppOther),
    ppn: money(vat.ppn),
    total: taxIncluded ? part(line.total, billed.total, 2) : money(exact(dpp).plus(vat.ppn)),
    taxIncluded,
  }
}

/** The amounts so far with one more portion. */
export function plusPortion(billed: BilledSoFar, qty: Decimal, portion: BilledPortion): BilledSoFar {
  const add = (a: Decimal, b: Decimal): Decimal => money(sum([a, b]))
  return {
    qty: fixed(exact(billed.qty).plus(qty), 3),
    gross: add(billed.gross, portion.gross),
    discount: add(billed.discount, portion.discount),
    promo: add(billed.promo, portion.promo),
    dpp: add(billed.dpp, portion.dpp),
    total: add(billed.total, portion.total),
  }
}

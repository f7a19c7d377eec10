import { exact, sum, type Decimal, type Exact, zero } from '#base/decimal.ts'

/** A rate of output VAT with the part of the price it is taken of: 12 % of 11/12 for ordinary goods. */
export interface TaxRate {
  readonly code: string
  /** Percent. */
  readonly rate: Decimal
  readonly numerator: number
  readonly denominator: number
}

/** The rate ordinary goods bear since 2025, for companies made up in code; a real one says which it is in its tax codes. */
export const ordinaryVat: TaxRate = { code: 'PPN04', rate: '12', numerator: 11, denominator: 12 }

/** VAT of one line. `dpp` is in whole rupiah (or the cents of another currency); the tax office wants base and tax of a line with two places, so that tax = base × rate. */
export function lineVat(dpp: Exact, tax: TaxRate | null): { readonly dppOther: Exact; readonly ppn: Exact } {
  if (tax === null || dpp.eq(0)) return { dppOther: zero, ppn: zero }
  const dppOther = dpp.times(tax.numerator).div(tax.denominator).round(2)
  return { dppOther, ppn: dppOther.times(tax.rate).div(100).round(2) }
}

/** VAT of a document: the exact sum of its lines, in whole rupiah, 0.50 upwards; `places` are the decimals of another currency. */
export function documentVat(linePpn: Iterable<Exact | Decimal>, places = 0): Exact {
  return sum(linePpn).round(places)
}

/** Price without the VAT it contains, four places. */
export function withoutVat(price: Exact, tax: TaxRate | null): Exact {
  if (tax === null) return price
  const effective = exact(tax.rate).times(tax.numerator).div(tax.denominator)
  return price.times(100).div(effective.plus(100)).round(4)
}

export const collectorKinds = ['NONE', 'GOV', 'BUMN'] as const
export type CollectorKind = (typeof collectorKinds)[number]

/** Invoices up to these totals (VAT included) are not collected by the buyer although he is a collector. */
export interface CollectorThresholds {
  readonly government: Decimal
  readonly stateEnterprise: Decimal
}

/** As the law has it; a company may have settled otherwise. */
const lawfulThresholds: CollectorThresholds = { government: '2000000', stateEnterprise: '10000000' }

/** Transaction codes of goods: that of the tax they bear, and the company's for goods whose tax names none. */
interface GoodsCodes {
  readonly ofGoods: string | null
  readonly ofCompany: string
}

/** Transaction code of the tax invoice and who pays the VAT in. A code kept on the customer wins over everything, a collector's over that of the goods. */
export function taxTreatment(
  customer: { readonly trxCode: string | null; readonly collector: CollectorKind },
  total: Exact,
  codes: GoodsCodes,
  thresholds: CollectorThresholds = lawfulThresholds,
): { readonly trxCode: string; readonly collector: 'SELLER' | 'WAPU' } {
  const limit = { NONE: null, GOV: thresholds.government, BUMN: thresholds.stateEnterprise }[customer.collector]
  const collects = limit !== null && total.gt(limit)
  const own = customer.collector === 'GOV' ? '02' : '03'
  return { trxCode: customer.trxCode ?? (collects ? own : (codes.ofGoods ?? codes.ofCompany)), collector: collects ? 'WAPU' : 'SELLER' }
}

/** VAT we bear ourselves on goods given away: base is their cost. Whole rupiah. */
export function freeGoodsVat(cost: Exact, tax: TaxRate): Exact {
  return lineVat(cost.round(0), tax).ppn.round(0)
}

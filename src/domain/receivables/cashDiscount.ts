import { addDays, type DateText } from '#base/date.ts'
import { exact, fixed, money, type Decimal, type Exact, zero } from '#base/decimal.ts'
import { decimalsOf } from '#domain/pricing/currency.ts'

/** What an invoice grants its buyer for paying early, as it was posted. */
export interface GrantedDiscount {
  readonly docDate: DateText
  readonly total: Decimal
  readonly dpp: Decimal
  readonly currency: string
  /** Percent of the base; the VAT stays as it is. */
  readonly percent: Decimal
  /** Days from that of the invoice, the last one included; null: the day itself. */
  readonly days: number | null
}

/** The whole discount of an invoice for who pays on `day`, and the part of it that `settled` earns: what is paid of the invoice without the discount. The last part takes what rounding left. */
export function earnedDiscount(granted: GrantedDiscount, day: DateText, settled: Exact, isLast: boolean): { readonly whole: Decimal; readonly earned: Decimal } {
  const places = decimalsOf(granted.currency)
  const whole = day <= addDays(granted.docDate, granted.days ?? 0) ? exact(granted.dpp).times(granted.percent).div(100).round(places) : zero
  const rest = exact(granted.total).minus(whole)
  const earned = rest.lte(0) || settled.gte(rest) ? whole : settled.times(whole).div(rest).round(places, isLast ? 'UP' : 'HALF_UP')
  return { whole: money(whole), earned: money(fixed(earned.lt(0) ? zero : earned, places)) }
}

import { dayText, type DateText } from '#base/date.ts'
import type { Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { ForeignMoney } from '#domain/ledger/inBooks.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { textOf } from '#server/workflow/newDocument.ts'
import { homeCurrency } from './homeCurrency.ts'

/** What one unit of a currency is worth on a day: the company's own rate, else the central bank's; undefined where neither is kept for that very day. */
async function rateOf(tx: Queries, currency: string, date: DateText): Promise<Decimal | undefined> {
  const row = await tx.first<{ rate: Decimal }>(sql`
    select rate from exchange_rate where currency = ${currency} and rate_date = ${date}::date and kind in ('INTERNAL', 'BI') and is_active order by kind desc limit 1`)
  return row?.rate
}

/** The rate documents of a unit in this currency are booked at; 1 in that of its books. A day without rate is answered by the problem at `field`. */
export async function rateOn(tx: Queries, unit: number, currency: string, date: DateText, field: string): Promise<Decimal | FieldProblem> {
  if (currency === (await homeCurrency(tx.ahead, unit))) return '1'
  return (await rateOf(tx, currency, date)) ?? wrong(field, 'REQUIRED.exchange-rate', { currency, day: dayText(date) })
}

/** As `rateOn`, where nothing can go on without. */
export async function mustRate(tx: Queries, unit: number, currency: string, date: DateText, field: string): Promise<Decimal> {
  const rate = await rateOn(tx, unit, currency, date, field)
  return typeof rate === 'string' ? rate : invalid([rate])
}

/** Currency and rate of a document that is not in the currency of its unit's books; undefined for all others. */
export async function foreignOf(tx: Queries, document: Row): Promise<ForeignMoney | undefined> {
  const currency = document['currency']
  const unit = document['operating_unit_id']
  if (typeof currency !== 'string' || typeof unit !== 'number' || currency === (await homeCurrency(tx.ahead, unit))) return undefined
  return { currency, rate: textOf(document, 'rate') }
}

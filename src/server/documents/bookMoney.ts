import { compare } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Queries, Row } from '#server/context.ts'
import { wrong } from '#server/problemError.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { isDocument } from './entities.ts'

/** Books are kept in one currency a company; a document of its units is in it. */
export async function bookCurrency(tx: Queries, entity: ResolvedEntity, columns: Row, unit: unknown): Promise<Row> {
  return isDocument(entity) && columns['currency'] == null && typeof unit === 'number' ? { currency: await homeCurrency(tx, unit) } : {}
}

/**
 * What a document says of its money that its books do not: amounts would be booked as if they were of their currency. `decided`: the currency of a document
 * that may be in others, as what it is made of has it.
 */
export async function foreignMoney(tx: Queries, entity: ResolvedEntity, sent: Row, unit: unknown, decided?: unknown): Promise<FieldProblem[]> {
  const { currency, rate } = sent
  if (!isDocument(entity) || typeof unit !== 'number' || (currency == null && rate == null)) return []
  const own = await homeCurrency(tx, unit)
  const home = entity.otherCurrencies === true && typeof decided === 'string' ? decided : own
  if (home !== own) return currency == null || currency === home ? [] : [wrong('Currency', 'NOT_A_CHOICE.currency-of-document', { currency: home })]
  return [
    ...(currency == null || currency === home ? [] : [wrong('Currency', 'NOT_A_CHOICE.currency', { currency: home })]),
    ...(typeof rate !== 'string' || compare(rate, '1') === 0 ? [] : [wrong('Rate', 'NOT_A_CHOICE.rate')]),
  ]
}

import { compare } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Queries, Row } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'
import { rateOn } from '#server/setup/exchangeRates.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { bookingDate, bookingField } from '#server/workflow/bookingDate.ts'
import { fieldMap, isDocument, knownEntity } from './entities.ts'

/** Books are kept in one currency a company; a document of its units is in it. */
export async function bookCurrency(tx: Queries, entity: ResolvedEntity, columns: Row, unit: unknown): Promise<Row> {
  return isDocument(entity) && columns['currency'] == null && typeof unit === 'number' ? { currency: await homeCurrency(tx, unit) } : {}
}

/** The currency a document has from a record it names, else that of the books, at the rate of the day it is to be booked on or of the record it hands on. */
export async function moneyOfReferences(tx: Queries, metadata: Metadata, entity: ResolvedEntity, before: Row | undefined, header: Row): Promise<FieldProblem[]> {
  const references = entity.otherCurrencies ?? []
  const row: Row = { ...before, ...header }
  const unit = row['operating_unit_id']
  if (references.length === 0 || typeof unit !== 'number') return []
  const name = references.find((reference) => typeof row[reference] === 'number')
  const target = name === undefined ? undefined : fieldMap(entity).get(name)?.entity
  const isKept = name !== undefined && name === entity.rateOf
  const named = name === undefined || target === undefined ? undefined : await tx.first<{ currency: string; rate?: string }>(sql`select currency ${isKept ? sql`, rate` : sql``} from ${ident(knownEntity(metadata, target).table)} where id = ${Number(row[name])}`)
  if (named?.rate !== undefined) {
    Object.assign(header, named)
    return []
  }
  const currency = named?.currency ?? (await homeCurrency(tx, unit))
  const rate = await rateOn(tx, unit, currency, bookingDate(row), bookingField(row))
  Object.assign(header, { currency, ...(typeof rate === 'string' ? { rate } : {}) })
  return typeof rate === 'string' ? [] : [rate]
}

/**
 * What a document says of its money that its books do not: amounts would be booked as if they were of their currency. `decided`: the currency of a document
 * that may be in others, as what it is made of has it.
 */
export async function foreignMoney(tx: Queries, entity: ResolvedEntity, sent: Row, unit: unknown, decided?: unknown): Promise<FieldProblem[]> {
  const { currency, rate } = sent
  if (!isDocument(entity) || typeof unit !== 'number' || (currency == null && rate == null)) return []
  const own = await homeCurrency(tx, unit)
  const home = entity.otherCurrencies !== undefined && typeof decided === 'string' ? decided : own
  if (home !== own) return currency == null || currency === home ? [] : [wrong('Currency', 'NOT_A_CHOICE.currency-of-document', { currency: home })]
  return [
    ...(currency == null || currency === home ? [] : [wrong('Currency', 'NOT_A_CHOICE.currency', { currency: home })]),
    ...(typeof rate !== 'string' || compare(rate, '1') === 0 ? [] : [wrong('Rate', 'NOT_A_CHOICE.rate')]),
  ]
}

import type { CurrencyTotals, ListAnswer } from '#api/data.ts'
import { fixed, sum } from '#base/decimal.ts'
import { isAmountType } from '#meta/amount.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { Row } from '#server/context.ts'
import { join, sql, type Sql } from '#server/db/sql.ts'
import { as, currencyRef, RecordQuery, type ColumnRef } from './columns.ts'
import { currencyOrder } from './currencyOrder.ts'
import { columnsAsked, totalsAsked, whereOf, type ListRequest } from './listQuestion.ts'

export type Totals = Pick<ListAnswer, 'totals' | 'currencies'> & { readonly count: number }

/** Count and sums over the whole filter; its own statement, without the columns and joins of the page. Amounts of several currencies stay apart. */
export async function listTotals(request: ListRequest): Promise<Totals> {
  const columns = totalsAsked(request)
  const builder = new RecordQuery(request.services.metadata, request.entity)
  const currency = currencyOf(builder, columns)
  const condition = whereOf(request, builder, columnsAsked(request))
  const sums = sumsOf(builder, columns)
  const span = currency === undefined ? [] : [as(sql`min(${currency})`, 'low'), as(sql`max(${currency})`, 'high')]
  const row = await request.queries.first(sql`select ${join([as(sql`count(*)`, 'n'), ...span, ...sums])} from ${builder.from()} where ${condition}`)
  // One currency is the rule: only where there are several are they told apart, which costs a second look.
  if (currency === undefined || row?.['low'] === row?.['high']) return { count: Number(row?.['n'] ?? 0), totals: totalsOf(columns, row) }
  const rows = await request.queries.rows(
    sql`select ${join([as(currency, 'c'), as(sql`count(*)`, 'n'), ...sums])} from ${builder.from()} where ${condition} group by ${currency} order by ${currencyOrder(currency)}`,
  )
  return apart(columns, rows)
}

/** `sum as "s0"` of each column; none of a column that is empty in every row. */
export function sumsOf(builder: RecordQuery, columns: readonly ColumnRef[]): readonly Sql[] {
  return columns.map((column, i) => as(sql`coalesce(sum(${builder.value(column)}), case when count(*) = 0 then 0 end)::text`, `s${i}`))
}

/** The column that says in which currency amounts are, where amounts are asked for. */
export function currencyOf(builder: RecordQuery, columns: readonly ColumnRef[]): Sql | undefined {
  const currency = columns.some(isAmount) ? currencyRef(builder.metadata, builder.entity) : undefined
  return currency && builder.value(currency)
}

/** Sums in `s0`, `s1` … of a row, by column name. */
export function totalsOf(columns: readonly ColumnRef[], row: Row | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.flatMap((column, i) => (row?.[`s${i}`] == null ? [] : [[column.name, fixed(String(row[`s${i}`]), decimalPlaces[column.field.type] ?? 0)]])))
}

/** Rows with `c`, `n` and sums, one for each currency, put together: amounts are added up only within a currency. */
export function apart(columns: readonly ColumnRef[], rows: readonly Row[]): Totals {
  const parts = rows.map((row): CurrencyTotals => ({ currency: String(row['c'] ?? ''), count: Number(row['n']), totals: totalsOf(columns, row) }))
  const isMixed = parts.length > 1
  const addable = columns.filter((column) => !isMixed || !isAmount(column))
  const totals = addable.flatMap((column): [string, string][] => {
    const known = parts.flatMap((part) => part.totals[column.name] ?? [])
    return known.length === 0 ? [] : [[column.name, fixed(sum(known), decimalPlaces[column.field.type] ?? 0)]]
  })
  return { count: parts.reduce((count, part) => count + part.count, 0), totals: Object.fromEntries(totals), ...(isMixed ? { currencies: parts } : {}) }
}

export function isAmount({ field }: ColumnRef): boolean {
  return isAmountType(field.type)
}

import { exact } from '#base/decimal.ts'
import type { ReportAnswer, ReportGroup, ReportRow, ReportTotals } from '#api/report.ts'
import { isAmountType } from '#meta/amount.ts'
import type { Field, Measure, ReportScreen, ResolvedDataset } from '#meta/resolved.ts'
import { requireReport } from '#server/access/guards.ts'
import type { Row, User } from '#server/context.ts'
import { ident, join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { as, sortable } from '#server/documents/columns.ts'
import { currencyOrder } from '#server/documents/currencyOrder.ts'
import type { Services } from '#server/services.ts'
import { aggregateColumns, gathered, valueIn, wireValue } from './aggregates.ts'
import { datasetOf, fieldsOf, isRowOf, numberIn, orderingIn, parametersOf, parameterTexts, reportRowsOf, sourceOf, unsortable, whereOf, type Query } from './datasetQuery.ts'
import { headsOf } from './heads.ts'

const mostRows = 5_000

/**
 * Rows of a report: its dataset as a subquery with parameters and the user's scope bound into it, then filter, search, order and page
 * over that; totals and group sums over the whole filter. One statement, so that the dataset is worked out once. Refused unless the user may
 * open the report.
 */
export async function runReport(services: Services, user: User, screen: ReportScreen, query: Query): Promise<ReportAnswer> {
  requireReport(services.metadata, user, screen)
  return reportRows(services, user, screen, query)
}

/** The same without asking whether the user may open a screen of this name. */
export async function reportRows(services: Services, user: User, screen: ReportScreen, query: Query): Promise<ReportAnswer> {
  const dataset = datasetOf(services, screen)
  const parameters = parametersOf(services, user, screen, dataset, query)
  const request = { services, user, dataset, parameters, query }
  const fields = fieldsOf(dataset)
  const measures = dataset.measures.filter((measure) => screen.columns.some((column) => column.name === measure.name))
  const parts = gathered(dataset, measures)
  const length = numberIn(query, 'length', 100, mostRows)
  const offset = (numberIn(query, 'page', 1, 1_000_000) - 1) * length
  const order = orderOf(screen, dataset, fields, query)
  const currency = currencyColumn(dataset)
  const sums = [as(sql`count(*)`, '_n'), ...aggregateColumns(parts, '_s')]
  const group = screen.groupBy
  const grouped = group === undefined
    ? sql`null::jsonb`
    : sql`(select jsonb_agg(to_jsonb(g)) from (select ${ident(group)} as "_value", ${currency} as "_currency", ${join(sums)} from filtered
        where ${ident(group)} in (select page.${ident(group)} from page)
          or (${ident(group)} is null and exists (select 1 from page where page.${ident(group)} is null)) group by 1, 2) g)`
  const statement = sql`
    with source as (${sourceOf(request, parameters)}),
    filtered as materialized (select * from source where ${whereOf(request)}),
    page as (select true as _row, filtered.* from filtered order by ${order} limit ${length} offset ${offset})
    select page.*, totals.* from (
      select (select jsonb_agg(to_jsonb(t)) from (select ${currency} as "_currency", ${join(sums)} from filtered group by 1 order by ${currencyOrder(currency)}) t) as _totals, ${grouped} as _groups
    ) totals left join page on true order by ${order}`
  const found = await reportRowsOf(services, dataset, statement)
  const [answer] = found
  const rows = found.filter((row) => row['_row'] === true).map((row) => wireRow(row, fields))
  const totals = totalsOf(measures, parts, rowsIn(answer?.['_totals']))
  return {
    recordsTotal: totals.reduce((sum, { count }) => sum + count, 0),
    rows,
    totals: totals.length > 1 ? withoutMoney(measures, parts, rowsIn(answer?.['_totals'])) : (totals[0]?.totals ?? emptyTotals(measures)),
    ...(totals.length > 1 ? { currencies: totals } : {}),
    ...(group === undefined ? {} : { groups: groupsOf(measures, parts, rowsIn(answer?.['_groups']), rows, fields.get(group)?.wire ?? '').filter(({ count }) => count > 1 || !isRowOf(dataset, parameters, group)) }),
    parameters: parameterTexts(parameters),
    ...(await headsOf(services, dataset)),
  }
}

/** The dimension that tells the rows' currencies apart; null where all are in one. */
export function currencyColumn(dataset: ResolvedDataset): Sql {
  return dataset.currency !== undefined && 'field' in dataset.currency ? ident(dataset.currency.field) : sql`null::text`
}

function totalsOf(measures: readonly Measure[], parts: readonly Measure[], rows: readonly Row[]): readonly ReportTotals[] {
  return rows.map((row) => ({ currency: textOrNull(row['_currency']), count: Number(row['_n']), totals: sumsOf(measures, parts, row) }))
}

function sumsOf(measures: readonly Measure[], parts: readonly Measure[], row: Row | undefined): Record<string, string> {
  return Object.fromEntries(
    measures.flatMap((measure) => {
      const value = valueIn(measure, parts, row, '_s')
      return value === null ? [] : [[measure.name, value]]
    }),
  )
}

/** Over several currencies only what neither is money nor made of it comes to one number. */
function withoutMoney(measures: readonly Measure[], parts: readonly Measure[], rows: readonly Row[]): Record<string, string> {
  const isPlain = (name: string): boolean => parts.some((part) => part.name === name && part.additive && !isAmountType(part.type))
  const plain = measures.filter(({ name, agg }) => (agg.kind === 'ratio' ? isPlain(agg.of) && isPlain(agg.to) : isPlain(name)))
  const sums = rows.reduce<Row>((before, row) => ({ ...before, ...Object.fromEntries(parts.map((_, i) => [`_s${i}`, addTexts(before[`_s${i}`], row[`_s${i}`])])) }), {})
  return sumsOf(plain, parts, sums)
}

function emptyTotals(measures: readonly Measure[]): Record<string, string> {
  return sumsOf(measures.filter(({ additive }) => additive), measures, Object.fromEntries(measures.map((_, i) => [`_s${i}`, '0'])))
}

function groupsOf(measures: readonly Measure[], parts: readonly Measure[], groups: readonly Row[], rows: readonly ReportRow[], wire: string): readonly ReportGroup[] {
  const seen = [...new Set(rows.map((row) => row[wire]))]
  return groups
    .map((row) => ({ value: row['_value'] ?? null, currency: textOrNull(row['_currency']), count: Number(row['_n']), totals: sumsOf(measures, parts, row) }))
    .toSorted((a, b) => seen.indexOf(a.value) - seen.indexOf(b.value) || (a.currency ?? '').localeCompare(b.currency ?? ''))
}

/** The order asked for or the screen's own, then the dataset's key, so that pages neither repeat nor skip. */
export function orderOf(screen: ReportScreen, dataset: ResolvedDataset, fields: ReadonlyMap<string, Field>, query: Query): Sql {
  const asked = orderingIn(query) ?? screen.sort
  const entries = asked.map(({ field: name, dir }) => {
    const field = fields.get(name) ?? unsortable(name)
    return sql`${sortable(ident(name), field.type)} ${trusted(dir)} nulls last`
  })
  const key = dataset.key.filter((name) => !asked.some((entry) => entry.field === name)).map((name) => sql`${ident(name)}`)
  const all = [...entries, ...key]
  return all.length === 0 ? sql`1` : join(all)
}

/** A row by wire names, decimals with the digits of their type. */
export function wireRow(row: Row, fields: ReadonlyMap<string, Field>): ReportRow {
  return Object.fromEntries([...fields].map(([name, field]) => [field.wire, wireValue(field, row[name])]))
}

function rowsIn(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value : []
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function addTexts(a: unknown, b: unknown): string | null {
  return a == null && b == null ? null : exact(String(a ?? '0')).plus(String(b ?? '0')).toFixed()
}

import type { ExportBody } from '#api/export.ts'
import { unmarkedCurrency } from '#base/currency.ts'
import { exact, fixed, isZero } from '#base/decimal.ts'
import { isAmountType } from '#meta/amount.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { Field, Measure, ReportScreen, ResolvedDataset } from '#meta/resolved.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, sql, trusted, type Sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { randomToken } from '#server/random.ts'
import { daysOf, isRowOf, reportRowsOf, sourceOf, whereOf } from '#server/reports/datasetQuery.ts'
import { orderOf, wireRow } from '#server/reports/runReport.ts'
import type { Services } from '#server/services.ts'
import { aboutExport } from './aboutExport.ts'
import { fileColumns, fileGroup, sumOf, type ColumnTotal } from './exportColumns.ts'
import type { ExportPlan, RowSource } from './exportTable.ts'
import type { LocalTime } from './localTime.ts'
import { groupsFirst } from './planList.ts'
import { reportExport } from './reportExport.ts'

const rowsAtOnce = 2_500

/** The rows of a report as it is seen, its parameters and scope bound. Needs the guards of screen and dataset, to see and to export. */
export async function planReport(services: Services, user: User, screen: ReportScreen, body: ExportBody, time: LocalTime): Promise<ExportPlan> {
  const { request, dataset, fields, translate, describing, shown, settings, filter } = await reportExport(services, user, screen, body)
  const groupings = body.groupBy ?? []
  const sort = groupsFirst(body.sort ?? screen.sort, groupings.map(({ field }) => ({ field, dir: 'asc' as const })))
  const parts: Parts = { dataset, fields, source: sourceOf(request, request.parameters), where: whereOf(request), order: orderOf({ ...screen, sort }, dataset, fields, {}) }
  const groups = groupings.map(({ field, by }) => ({ field: shown(field), by, name: dataset.dimensions.find((other) => other.describes === field && other.type === 'text'), isRow: isRowOf(dataset, request.parameters, field) }))
  const wanted = body.columns.map((column) => ({ ...column, field: shown(column.name) }))
  const currency = dataset.currency !== undefined && 'field' in dataset.currency ? fields.get(dataset.currency.field) : undefined
  const firstAmount = wanted.findIndex(({ field }) => isAmountType(field.type))
  const isCurrencyTold = currency !== undefined && firstAmount >= 0 && (await hasOtherCurrencies(services, parts, currency))
  const isCurrencyAdded = isCurrencyTold && !wanted.some(({ field }) => field.name === currency.name)
  return {
    title: translate(screen.title),
    of: daysOf(request.dataset, request.parameters),
    columns: wanted.flatMap(({ field, width, isPinned = false }, i) => [
      ...(isCurrencyAdded && i === firstAmount ? fileColumns({ field: shown(currency.name), width: 90, isPinned, total: undefined }, translate) : []),
      ...fileColumns({ field, width, isPinned, total: totalOf(dataset, field.name) }, translate),
    ]),
    groups: groups.map(({ field, by, name, isRow }) => ({ ...fileGroup(field, by, translate, name), isRow })),
    currency: currency?.wire,
    isCurrencyTold,
    hasTotals: body.hasTotals,
    about: [...settings, ...(await aboutExport({ services, user, translate, time, body, filter, sort: sort.map((entry) => ({ ...entry, field: describing.field(entry.field) })), groups }))],
    translate,
    rows: (work) => connected(services, (held) => rowsOf(held, services, parts, work)),
  }
}

/** What the screen marks each amount with, the file says in a column. */
async function hasOtherCurrencies(services: Services, { dataset, source, where }: Parts, currency: Field): Promise<boolean> {
  const [row] = await reportRowsOf(services, dataset, sql`with source as (${source}) select exists(select 1 from source where ${where} and ${ident(currency.name)} <> ${unmarkedCurrency}) as found`)
  return row?.['found'] === true
}

interface Parts {
  readonly dataset: ResolvedDataset
  readonly fields: ReadonlyMap<string, Field>
  readonly source: Sql
  readonly where: Sql
  readonly order: Sql
}

/** Sums of what may be added up; a ratio is worked out from the sums of both its parts. */
function totalOf(dataset: ResolvedDataset, name: string): ColumnTotal | undefined {
  const measure = dataset.measures.find((one) => one.name === name)
  if (measure === undefined) return undefined
  if (measure.additive) return sumOf(measure.wire)
  const part = (other: string): Measure | undefined => dataset.measures.find((one) => one.name === other && one.additive && one.isColumn)
  const { agg } = measure
  const of = agg.kind === 'ratio' ? part(agg.of) : undefined
  const to = agg.kind === 'ratio' ? part(agg.to) : undefined
  if (agg.kind !== 'ratio' || of === undefined || to === undefined) return undefined
  return { of: [of.wire, to.wire], from: ([above = '0', below = '0']) => (isZero(below) ? undefined : fixed(exact(above).times(agg.scale).div(below), decimalPlaces[measure.type] ?? 2)) }
}

/**
 * The report is worked out once, into a table of this connection alone, and read from there slice by slice. On the embedded database, where
 * all connections share one session, no transaction is held, so that other people's statements run between the slices.
 */
async function rowsOf<T>(queries: Queries, services: Services, { dataset, fields, source, where, order }: Parts, work: (source: RowSource) => Promise<T>): Promise<T> {
  const table = trusted(`"export_${randomToken(9).replaceAll(/\W/g, '_').toLowerCase()}"`)
  if (services.database.engine === 'postgres') await queries.run(trusted(`set local statement_timeout = ${Math.trunc(dataset.limits.timeoutMs)}`))
  try {
    await queries.run(sql`
      create temp table ${table} as
      with source as (${source}), filtered as (select * from source where ${where})
      select row_number() over (order by ${order}) as _n, filtered.* from filtered`)
    await queries.run(sql`create unique index on ${table} (_n)`)
    const total = (await queries.first<{ n: number }>(sql`select count(*) as n from ${table}`))?.n ?? 0
    if (total > dataset.limits.rows) fail('VALIDATION_FAILED.report-rows', { rows: total, most: dataset.limits.rows })
    const read = (from: number): Promise<Row[]> => queries.rows(sql`select * from ${table} where _n > ${from} and _n <= ${from + rowsAtOnce} order by _n`)
    return await work({
      total,
      isEmpty: total === 0,
      each: async (write) => {
        for (let from = 0; from < total; from += rowsAtOnce) await write((await read(from)).map((row) => wireRow(row, fields)))
      },
    })
  } finally {
    // A failed transaction drops it by itself.
    await queries.run(sql`drop table if exists ${table}`).catch(() => undefined)
  }
}

function connected<T>(services: Services, work: (queries: Queries) => Promise<T>): Promise<T> {
  return services.database.engine === 'embedded' ? work(services.database) : services.database.transaction(work)
}

import type { GroupValue, ReportRow, SummaryAnswer, SummaryCell, SummaryRow } from '#api/report.ts'
import { isAmountType } from '#meta/amount.ts'
import { comparisons, hasCounterpart, monthsBack, type Comparison } from '#meta/day.ts'
import { describing } from '#meta/resolveDataset.ts'
import type { Field, GroupDimension, Measure, ReportScreen, ResolvedDataset } from '#meta/resolved.ts'
import type { Row, User } from '#server/context.ts'
import { ident, join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { as, sortable } from '#server/documents/columns.ts'
import { currencyOrder } from '#server/documents/currencyOrder.ts'
import { invalid, wrong } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { aggregateColumns, gathered, sortableAggregate, valueIn, wireValue } from './aggregates.ts'
import {
  datasetOf, earlierParameters, numberIn, orderingIn, parametersOf, parameterTexts, reportRowsOf, sourceOf, unsortable, whereOf, type Bound, type DatasetRequest, type Ordering, type Query,
} from './datasetQuery.ts'
import { headsOf } from './heads.ts'
import { currencyColumn } from './runReport.ts'

const mostGroups = 3
const mostAcross = 60
const mostRows = 5_000

/** How the rows of a dataset are to become few. */
export interface SummaryShape {
  readonly rows: readonly GroupDimension[]
  readonly across?: GroupDimension
  readonly measures: readonly Measure[]
  /** The period compared with, and its parameters. */
  readonly before?: ReadonlyMap<string, Bound>
  readonly comparison?: Comparison
  readonly order: readonly Ordering[]
  readonly length: number
  readonly offset: number
}

/** A report grouped as its query asks: only by what the report offers, only measures it shows. */
export async function runSummary(services: Services, user: User, screen: ReportScreen, query: Query): Promise<SummaryAnswer> {
  const dataset = datasetOf(services, screen)
  const parameters = parametersOf(services, user, screen, dataset, query)
  const compare = comparisonIn(query)
  const length = numberIn(query, 'length', 100, mostRows)
  const across = namesIn(query, 'across').map((key) => offered(screen, key, 'across'))
  if (across.length > 1) invalid([wrong('across', 'TOO_LONG.groups', { limit: 1 })])
  const shape = {
    rows: namesIn(query, 'group').map((key) => offered(screen, key, 'group')),
    ...(across[0] === undefined ? {} : { across: across[0] }),
    measures: measuresAsked(screen, dataset, query),
    ...(compare === undefined ? {} : { before: earlierParameters(dataset, parameters, compare), comparison: compare }),
    order: orderingIn(query) ?? [],
    length,
    offset: (numberIn(query, 'page', 1, 1_000_000) - 1) * length,
  }
  return summarise({ services, user, dataset, parameters, query }, shape)
}

/** One statement: the dataset is worked out once, twice with a period to compare with. */
export async function summarise(request: DatasetRequest, shape: SummaryShape): Promise<SummaryAnswer> {
  const { services, dataset, parameters } = request
  assertPossible(dataset, shape)
  const parts = gathered(dataset, shape.measures)
  const found = await reportRowsOf(services, dataset, statementOf(request, shape, parts))
  return {
    ...assembled(dataset, shape, parts, found),
    measures: shape.measures.map(({ name }) => name),
    parameters: parameterTexts(parameters),
    ...(await headsOf(services, dataset)),
    ...(shape.before === undefined ? {} : { before: parameterTexts(shape.before) }),
  }
}

function assertPossible(dataset: ResolvedDataset, { rows, across, before, comparison, measures }: SummaryShape): void {
  if (rows.length > mostGroups) invalid([wrong('group', 'TOO_LONG.groups', { limit: mostGroups })])
  const keys = [...rows, ...(across === undefined ? [] : [across])].map(({ name }) => name)
  const twice = keys.find((key, i) => keys.indexOf(key) < i)
  if (twice !== undefined) invalid([wrong('group', 'NOT_A_CHOICE.twice', { column: twice })])
  if (measures.length === 0) invalid([wrong('measures', 'REQUIRED.measures')])
  const isMovable = ({ type, grain }: GroupDimension): boolean => type === 'date' && dataset.time.from !== undefined && comparison !== undefined && hasCounterpart(comparison, grain)
  const dated = [...rows, ...(across === undefined ? [] : [across])].find((group) => (group.type === 'date' || group.type === 'period') && !isMovable(group))
  if (before !== undefined && dated !== undefined) invalid([wrong('compare', 'NOT_A_CHOICE.dated', { column: dated.name })])
}

const sides = [0, 1] as const
const prefixes = { 0: 'a', 1: 'b' } as const

/**
 * `agg` holds every level: the groups, their sub-totals and the totals, each over everything across and for each value of it. `_level` is how
 * many groups a row names, `_over` whether it covers everything across. `page` picks the groups shown.
 */
function statementOf(request: DatasetRequest, shape: SummaryShape, parts: readonly Measure[]): Sql {
  const { dataset } = request
  const { rows, across, before } = shape
  const side = before === undefined ? undefined : ident('_side')
  const source = before === undefined
    ? sourceOf(request, request.parameters)
    : sql`select 0 as _side, s.* from (${sourceOf(request, request.parameters)}) s union all select 1 as _side, s.* from (${sourceOf(request, before)}) s`
  // Days of the earlier period stand with those they are compared with.
  const back = shape.comparison === undefined ? undefined : monthsBack(shape.comparison)
  const abouts = aboutFields(dataset, rows)
  const groupColumns = rows.map((_, i) => ident(`_g${i}`))
  const keyed = [
    ...rows.map((group, i) => as(groupSql(group, back), `_g${i}`)),
    as(across === undefined ? sql`null::text` : groupSql(across, back), '_x'),
    as(currencyColumn(dataset), '_c'),
    ...(side === undefined ? [] : [side]),
    ...needed(dataset, parts).map((name) => ident(name)),
    ...abouts.map((field, i) => as(ident(field.name), `_d${i}`)),
  ]
  const sets = rows.length === 0 ? [[]] : Array.from({ length: rows.length + 1 }, (_, level) => groupColumns.slice(0, level))
  const groupingSets = sets.flatMap((set) => [set, ...(across === undefined ? [] : [[...set, ident('_x')]])]).map((set) => sql`(${join(set)})`)
  const level = rows.length === 0 ? sql`0` : join(groupColumns.map((column) => sql`(1 - grouping(${column}))`), ' + ')
  const only = (which: 0 | 1): Sql | undefined => (side === undefined ? undefined : sql`${side} = ${trusted(String(which))}`)
  const aggregates = sides.filter((which) => which === 0 || side !== undefined).flatMap((which) => [
    as(which === 0 && side === undefined ? sql`count(*)` : sql`count(*) filter (where ${only(which) ?? sql`true`})`, `_n${which}`),
    ...aggregateColumns(parts, prefixes[which], only(which)),
  ])
  const keyOf = (levels: number): Sql => sql`jsonb_build_array(${join([...groupColumns.slice(0, levels), ident('_c')])})::text collate "C"`
  const depth = rows.length
  const leaf = sql`_level = ${depth} and _over`
  const lengths = rows.slice(0, -1).map((_, i) => i + 1)
  const isOn = (at: Sql): Sql => sql`(${at} > ${shape.offset} and ${at} <= ${shape.offset + shape.length})`
  const { entries, outer } = orderOf(shape, parts)
  return sql`
    with source as (${source}),
    filtered as (select ${join(keyed)} from source where ${whereOf(request)}),
    leveled as (
      select ${join([
        ...groupColumns, ident('_x'), ident('_c'),
        as(level, '_level'),
        as(across === undefined ? sql`true` : sql`grouping(_x) = 1`, '_over'),
        ...aggregates,
        ...abouts.map((_, i) => as(sql`min(${ident(`_d${i}`)})`, `_d${i}`)),
      ])}
      from filtered group by _c, ${across === undefined ? sql`_x, ` : sql``}grouping sets (${join(groupingSets)})
    ),
    keyed as (select *, ${join(sets.map((_, i) => as(keyOf(i), `_k${i}`)))} from leveled),
    known as (
      select ${join([sql`*`, ...outer.map(({ levels, value }, i) => as(sql`max(${value}) filter (where _level = ${levels} and _over) over (partition by ${ident(`_k${levels}`)})`, `_o${i}`))])} from keyed
    ),
    numbered as (select *, case when ${leaf} then row_number() over (partition by (${leaf}) order by ${entries}) end as _row from known),
    placed as (select *, max(_row) over (partition by _level, ${ident(`_k${depth}`)}) as _at, count(_row) over () as _groups from numbered)
    select * from (
      select ${join([sql`*`, ...lengths.map((levels) => as(sql`bool_or(${isOn(sql`_at`)}) over (partition by ${ident(`_k${levels}`)})`, `_in${levels}`))])} from placed
    ) shown
    where _level = 0 or (_level = ${depth} and ${isOn(sql`_at`)}) ${join(lengths.map((levels) => sql` or (_level = ${levels} and ${ident(`_in${levels}`)})`), '')}
    order by _level, _at, ${currencyOrder(ident('_c'))}, ${join([...groupColumns, ident('_x')])}`
}

interface OuterValue {
  /** Groups of this level are ordered by their own sub-total. */
  readonly levels: number
  readonly value: Sql
}

/** The order of the groups: outer groups by their own totals, what is not asked for in its own order; by amounts, each currency by itself. `outer` are gathered as `_o0`, `_o1`, … */
function orderOf({ rows, measures, order }: SummaryShape, parts: readonly Measure[]): { readonly entries: Sql; readonly outer: readonly OuterValue[] } {
  const asked = order.map(({ field, dir }) => {
    const at = rows.findIndex((group) => group.name === field || group.key === field)
    const measure = measures.find((candidate) => candidate.name === field)
    if (at < 0 && measure === undefined) return unsortable(field)
    return { at, measure, dir }
  })
  const currency = currencyOrder(ident('_c'))
  const isByAmount = asked.some(({ measure }) => measure !== undefined && isAmountType(measure.type))
  const outer: OuterValue[] = []
  const tests: Sql[] = []
  rows.forEach((group, i) => {
    for (const { at, measure, dir } of asked) {
      if (measure !== undefined && measure.agg.kind !== 'none') {
        const value = sortableAggregate(measure, parts, prefixes[0])
        const isInner = i === rows.length - 1
        if (!isInner) outer.push({ levels: i + 1, value })
        tests.push(sql`${isInner ? value : ident(`_o${outer.length - 1}`)} ${trusted(dir)} nulls last`)
      }
      if (at === i) tests.push(sql`${groupOrder(group, i)} ${trusted(dir)} nulls last`)
    }
    if (!asked.some(({ at }) => at === i)) tests.push(sql`${groupOrder(group, i)} nulls last`)
    // Outer groups of one value in two currencies are two; their inner groups do not mix.
    if (i === 0 && !isByAmount) tests.push(currency)
  })
  return { entries: join(isByAmount || rows.length === 0 ? [currency, ...tests] : tests), outer }
}

/** Values that a list names come in the order of that list. */
function groupOrder(group: GroupDimension, i: number): Sql {
  const column = ident(`_g${i}`)
  if (group.choices === undefined) return sortable(column, sortType(group))
  return sql`array_position(${group.choices.map(({ value }) => String(value))}::text[], ${column}::text)`
}

function sortType(group: GroupDimension): Field['type'] {
  return group.grain === undefined ? group.type : 'code'
}

/** SQL of a group's value; a date in steps is text that sorts as the calendar does. `back`: months that rows of the earlier period lie back. */
function groupSql({ name, type, grain }: GroupDimension, back?: number): Sql {
  const own = ident(name)
  const column = back === undefined || type !== 'date' ? own : sql`(case when _side = 1 then (${own} + make_interval(months => ${back}))::date else ${own} end)`
  if (grain === undefined) return column
  switch (grain) {
    case 'day':
      return sql`to_char(${column}, 'YYYY-MM-DD')`
    case 'week':
      return sql`to_char(date_trunc('week', ${column}::timestamp), 'YYYY-MM-DD')`
    case 'month':
      return sql`to_char(${column}, 'YYYY-MM')`
    case 'quarter':
      return sql`to_char(${column}, 'YYYY-"Q"Q')`
    case 'year':
      return sql`to_char(${column}, 'YYYY')`
  }
}

/** Columns the aggregates read. */
function needed(dataset: ResolvedDataset, parts: readonly Measure[]): readonly string[] {
  const names = parts.flatMap((measure) => (measure.agg.kind === 'countDistinct' ? [measure.agg.of] : measure.agg.kind === 'within' ? [measure.agg.of, measure.name] : measure.agg.kind === 'count' ? [] : [measure.name]))
  const known = new Set([...dataset.dimensions, ...dataset.measures].map(({ name }) => name))
  return [...new Set(names)].filter((name) => known.has(name))
}

function aboutFields(dataset: ResolvedDataset, rows: readonly GroupDimension[]): readonly Field[] {
  // There is no least of two truths.
  return rows.filter(({ grain }) => grain === undefined).flatMap(({ name }) => describing(dataset, name)).filter(({ type }) => type !== 'boolean' && type !== 'textlist')
}

function assembled(dataset: ResolvedDataset, shape: SummaryShape, parts: readonly Measure[], found: readonly Row[]): Pick<SummaryAnswer, 'recordsTotal' | 'rows' | 'subtotals' | 'totals' | 'across'> {
  const { rows, across, measures, before } = shape
  const abouts = aboutFields(dataset, rows)
  const values = across === undefined ? [] : acrossIn(across, found)
  const cell = (row: Row | undefined): SummaryCell => ({
    count: Number(row?.['_n0'] ?? 0),
    values: measures.map((measure) => valueIn(measure, parts, row, prefixes[0])),
    ...(before === undefined ? {} : { before: measures.map((measure) => valueIn(measure, parts, row, prefixes[1])) }),
  })
  const byKey = new Map<string, Row[]>()
  for (const row of found) {
    const key = `${String(row['_level'])} ${JSON.stringify(row[`_k${String(row['_level'])}`])}`
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, [row])
    else known.push(row)
  }
  const level = (wanted: number): SummaryRow[] =>
    [...byKey.values()].flatMap((group): SummaryRow[] => {
      const whole = group.find((row) => row['_over'] === true)
      if (whole === undefined || whole['_level'] !== wanted) return []
      const named = rows.slice(0, wanted)
      const described = named.flatMap(({ name, grain }) => (grain === undefined ? describing(dataset, name).map(({ name: other }) => other) : []))
      const about: ReportRow = Object.fromEntries([
        ...named.filter(({ grain }) => grain === undefined).map((field) => [field.wire, wireValue(field, whole[`_g${rows.indexOf(field)}`])]),
        ...abouts.flatMap((field, i) => (described.includes(field.name) ? [[field.wire, wireValue(field, whole[`_d${i}`])]] : [])),
      ])
      return [{
        keys: named.map((_, i) => keyValue(whole[`_g${i}`])),
        currency: typeof whole['_c'] === 'string' ? whole['_c'] : null,
        about,
        cells: [cell(whole), ...values.map((value) => cell(group.find((row) => row['_over'] !== true && keyValue(row['_x']) === value)))],
      }]
    })
  const leaves = rows.length === 0 ? [] : level(rows.length)
  return {
    recordsTotal: rows.length === 0 ? 0 : Number(found[0]?.['_groups'] ?? 0),
    rows: leaves,
    subtotals: rows.slice(1).flatMap((_, i) => level(i + 1)),
    totals: found.length === 0 ? [{ keys: [], currency: null, about: {}, cells: [nothingIn(shape, parts)] }] : level(0),
    across: values,
  }
}

/** No row at all adds up to zero. */
function nothingIn({ measures, before }: SummaryShape, parts: readonly Measure[]): SummaryCell {
  const zeros: Row = Object.fromEntries(parts.flatMap(({ agg }, i) => (agg.kind === 'max' || agg.kind === 'min' ? [] : [[`a${i}`, '0']])))
  const values = measures.map((measure) => valueIn(measure, parts, zeros, prefixes[0]))
  return { count: 0, values, ...(before === undefined ? {} : { before: values }) }
}

/** Values across, in their own order; nothing for rows without one comes last. */
function acrossIn(across: GroupDimension, found: readonly Row[]): readonly GroupValue[] {
  const values = [...new Set(found.filter((row) => row['_level'] === 0 && row['_over'] !== true).map((row) => keyValue(row['_x'])))]
  if (values.length > mostAcross) {
    return invalid([wrong('across', 'TOO_LONG.across', { column: { key: across.label }, count: values.length, limit: mostAcross })])
  }
  const order = across.choices?.map(({ value }) => value) ?? []
  return values.toSorted((a, b) => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    const places = [order.indexOf(String(a)), order.indexOf(String(b))]
    return (places[0] ?? 0) - (places[1] ?? 0) || (a < b ? -1 : 1)
  })
}

function keyValue(value: unknown): GroupValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function offered(screen: ReportScreen, key: string, what: 'group' | 'across'): GroupDimension {
  const chart = [screen.chart?.by, screen.chart?.series].flatMap((group) => group ?? [])
  const known = [...screen.groups, ...screen.across, ...chart]
  return known.find((group) => group.key === key) ?? invalid([wrong(what, 'UNKNOWN_FIELD.group', { column: key.slice(0, 80) })])
}

function measuresAsked(screen: ReportScreen, dataset: ResolvedDataset, query: Query): readonly Measure[] {
  const names = namesIn(query, 'measures')
  const known = new Map(dataset.measures.map((measure) => [measure.name, measure]))
  if (names.length === 0) return screen.measures.flatMap(({ name }) => known.get(name) ?? [])
  const refused = names.find((name) => known.get(name)?.agg.kind === 'none')
  if (refused !== undefined) return invalid([wrong('measures', 'NOT_A_CHOICE.additive', { column: refused })])
  const shown = new Set([...screen.measures, ...screen.columns, ...(screen.chart?.measures ?? [])].map(({ name }) => name))
  return names.map((name) => (shown.has(name) ? known.get(name) : undefined) ?? invalid([wrong('measures', 'UNKNOWN_FIELD.column', { column: name.slice(0, 80) })]))
}

export function comparisonIn(query: Query): Comparison | undefined {
  const asked = query['compare'] ?? ''
  if (asked === '') return undefined
  return comparisons.find((comparison) => comparison === asked) ?? invalid([wrong('compare', 'NOT_A_CHOICE', { choices: comparisons })])
}

function namesIn(query: Query, name: string): readonly string[] {
  return (query[name] ?? '').split(',').map((part) => part.trim()).filter((part) => part !== '')
}

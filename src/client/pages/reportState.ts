import type { ListState } from '#api/listState.ts'
import { filterCondition } from '#api/viewQuery.ts'
import type { Condition } from '#meta/condition.ts'
import { comparisons, dayOf, hasCounterpart, type Comparison } from '#meta/day.ts'
import { filterEntries, layoutEntries, withQuery, type LayoutQuery } from '#meta/placeLink.ts'
import { drawnTypes, type Default, type Drawn, type FlatTest, type GroupDimension, type ReportScreen, type Sort } from '#meta/resolved.ts'
import { today } from '../app/format.ts'
import { sessionAtom, store } from '../data/session.ts'

/** Value of each parameter as text, from the query or its preset; '' where there is none. */
export function readParameters(screen: ReportScreen, query: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries(screen.parameters.map((parameter) => [parameter.name, query.get(parameter.name) ?? presetText(parameter.defaultValue ?? parameter.default)]))
}

/** A parameter in the query; what equals its preset is left out. Page 1 again. */
export function writeParameter(screen: ReportScreen, query: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(query)
  const parameter = screen.parameters.find((one) => one.name === name)
  if (value === presetText(parameter?.defaultValue ?? parameter?.default)) next.delete(name)
  else next.set(name, value)
  next.delete('p')
  return next
}

/** Required parameters that have no value yet. */
export function missingParameters(screen: ReportScreen, values: Readonly<Record<string, string>>): readonly ReportScreen['parameters'][number][] {
  return screen.parameters.filter((parameter) => parameter.required && values[parameter.name] === '')
}

function presetText(preset: Default | undefined): string {
  if (preset === undefined) return ''
  if (typeof preset !== 'object') return String(preset)
  if ('now' in preset) return dayOf(preset.now, today())
  if (!('user' in preset)) return ''
  const user = store.get(sessionAtom)?.user
  const known: Readonly<Record<string, unknown>> = { operating_unit_id: user?.operating_unit_id, territory_id: user?.territory_id, id: user?.user_id }
  const value = known[preset.user]
  return value === undefined || value === null ? '' : String(value)
}

/** How the rows are put together. */
export interface ReportLayout {
  /** Outer first; empty: single rows, or the totals alone when something stands across. */
  readonly rows: readonly GroupDimension[]
  readonly across?: GroupDimension
  readonly compare?: Comparison
  readonly show: Show
  /** The chart asked for; drawn where the groups allow it. */
  readonly draw?: Drawn
}

export const shows = ['table', 'chart', 'both'] as const
type Show = (typeof shows)[number]

export const mostGroups = 3

/** The layout in the query; what it does not say is as the report opens. Groups the report does not offer are left out. */
export function readLayout(screen: ReportScreen, query: URLSearchParams): ReportLayout {
  const opens = screen.opens
  const given = (name: string, preset: string): string => {
    const text = query.get(name)
    return text === null ? preset : text === 'none' ? '' : text
  }
  const offered = [...screen.groups, ...screen.across]
  // Only what has few values stands across: each becomes columns of its own.
  const across = screen.across.find(({ key }) => key === given('across', opens?.across ?? ''))
  const named = given('by', (opens?.rows ?? []).join(',')).split(',').flatMap((key) => offered.find((group) => group.key === key && group.name !== across?.name) ?? [])
  const rows = named.filter(({ name }, i) => named.findIndex((group) => group.name === name) === i)
  const compare = comparable(screen, [...rows, ...(across === undefined ? [] : [across])]).find((comparison) => comparison === given('compare', opens?.compare ?? ''))
  const first = screen.groups.find((group) => !isDated(group))
  // Nor have single rows: what is compared is grouped.
  const grouped = compare !== undefined && rows.length === 0 && first !== undefined ? [first] : rows.slice(0, mostGroups)
  const show = shows.find((one) => one === (query.get('show') ?? opens?.show)) ?? 'table'
  const draw = drawnTypes.find((one) => one === given('draw', opens?.draw ?? ''))
  return { rows: grouped, ...(across === undefined ? {} : { across }), ...(compare === undefined ? {} : { compare }), show, ...(draw === undefined ? {} : { draw }) }
}

/** Earlier periods in which every group of the report has its counterpart. */
export function comparable({ time }: Pick<ReportScreen, 'time'>, groups: readonly GroupDimension[]): readonly Comparison[] {
  if (time === undefined) return []
  return comparisons.filter((comparison) => groups.every((group) => !isDated(group) || (group.type === 'date' && time.from !== undefined && hasCounterpart(comparison, group.grain))))
}

/** Days and periods. */
export function isDated({ type }: Pick<GroupDimension, 'type'>): boolean {
  return type === 'date' || type === 'period'
}

/** How the report is grouped when it is first grouped by hand. */
export function firstGroups(screen: ReportScreen): readonly string[] {
  const opened = screen.opens?.rows ?? []
  const usual = screen.groups.find(({ name }) => name === screen.groupBy) ?? screen.groups[0]
  return opened.length > 0 ? opened : usual === undefined ? [] : [usual.key]
}

/** The query of the single rows behind a summary; `parameters`: those of the period they are of, where it is another one. */
export function drillQuery(screen: ReportScreen, query: URLSearchParams, parameters: Readonly<Record<string, string>> = {}): URLSearchParams {
  const plain = writeLayout(screen, query, { rows: [], across: '', compare: '', show: 'table' })
  plain.delete('s')
  const known = new Set(screen.parameters.map(({ name }) => name))
  return Object.entries(parameters).reduce((made, [name, value]) => (known.has(name) ? writeParameter(screen, made, name, value) : made), plain)
}

/** The address narrowed further; what narrows it already is not said twice. */
export function narrowedPath(path: string, query: URLSearchParams, tests: readonly FlatTest[]): string {
  return withQuery(path, [...query, ...filterEntries(tests).filter(([key, value]) => !query.getAll(key).includes(value))])
}

/** The query with a changed layout; what equals the report's opening is left out. Page 1 again, and no order of columns that are gone. */
export function writeLayout(screen: ReportScreen, query: URLSearchParams, change: LayoutQuery): URLSearchParams {
  const next = new URLSearchParams(query)
  const { rows = [], across = '', compare = '', show = 'table', draw = '' } = screen.opens ?? {}
  const usual = new Map(layoutEntries({ rows, across, compare, show, draw }))
  for (const [key, value] of layoutEntries(change)) {
    if (value === usual.get(key)) next.delete(key)
    else next.set(key, value)
  }
  next.delete('p')
  if (change.show === undefined && change.draw === undefined) next.delete('s')
  return next
}

export function isGrouped({ rows, across }: ReportLayout): boolean {
  return rows.length > 0 || across !== undefined
}

/** The question to the server: single rows or groups, narrowed and ordered as the state says. */
export function questionOf(screen: ReportScreen, parameters: Readonly<Record<string, string>>, state: ListState, layout: ReportLayout, defaultLength: number, scope?: Condition): { readonly isSummary: boolean; readonly query: Readonly<Record<string, string | number>> } {
  const isSummary = isGrouped(layout)
  const sort = sortIn(screen, state, layout)
  return {
    isSummary,
    query: {
      ...narrowing(parameters, state, scope),
      length: state.length ?? defaultLength,
      page: state.page,
      ...(sort.length === 0 ? {} : { order: sort.map(({ field }) => field).join(','), sort: sort.map(({ dir }) => dir).join(',') }),
      ...(isSummary ? groupingOf(layout) : {}),
    },
  }
}

/** Parameters, search and filters as the server takes them. */
export function narrowing(parameters: Readonly<Record<string, string>>, { search, filters }: Pick<ListState, 'search' | 'filters'>, scope?: Condition): Readonly<Record<string, string>> {
  const filter = filterOf(filters, scope)
  return {
    ...Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== '')),
    ...(search === '' ? {} : { search }),
    ...(filter === undefined ? {} : { filter: JSON.stringify(filter) }),
  }
}

/** Filters and the scope of the page as one condition; undefined: everything. */
export function filterOf(filters: ListState['filters'], scope?: Condition): Condition | undefined {
  const tests = [...(scope === undefined ? [] : [scope]), ...filters.map(filterCondition)]
  return tests.length === 0 ? undefined : { all: tests }
}

/** The order asked for, as far as the layout knows it: an address or a view may still name columns of the other one. */
export function sortIn(screen: ReportScreen, { sort }: Pick<ListState, 'sort'>, layout: ReportLayout): readonly Sort[] {
  if (isGrouped(layout)) return sort?.filter(({ field }) => isOrdered(screen, layout, field)) ?? []
  const known = sort?.filter(({ field }) => screen.columns.some(({ name }) => name === field)) ?? []
  return known.length === 0 ? screen.sort : known
}

/** Groups are ordered by themselves and by measures. */
function isOrdered(screen: ReportScreen, { rows }: ReportLayout, field: string): boolean {
  return rows.some(({ key, name }) => key === field || name === field) || screen.measures.some(({ name }) => name === field)
}

function groupingOf({ rows, across, compare }: ReportLayout): Readonly<Record<string, string>> {
  return {
    ...(rows.length === 0 ? {} : { group: rows.map(({ key }) => key).join(',') }),
    ...(across === undefined ? {} : { across: across.key }),
    ...(compare === undefined ? {} : { compare }),
  }
}

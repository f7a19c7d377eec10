import { headed, type Heads } from '#api/heads.ts'
import { chosenView } from '#api/listSetup.ts'
import { scopeNames, unknownNames, unreadFilters, type ListState } from '#api/listState.ts'
import type { SavedView, ViewDefinition } from '#api/view.ts'
import { fits } from '#api/viewFits.ts'
import { fitView, type ViewedScreen } from '#api/viewQuery.ts'
import { comparisons, days } from '#meta/day.ts'
import { layoutEntries, layoutKeys } from '#meta/placeLink.ts'
import { addressNow, keysNow, nameNow, type Renames } from '#meta/renames.ts'
import { drawnTypes, type Default, type Field, type GroupDimension, type ReportScreen } from '#meta/resolved.ts'
import { scopeFields } from '../scope/selection.ts'
import { formatDate } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { comparable, isGrouped, readLayout, shows, type ReportLayout } from '../pages/reportState.ts'

/** A report as it opens: the view chosen, and the screen with the view's parameters and layout as its own. */
export interface ReportSetup {
  readonly views: readonly SavedView[]
  /** Undefined: as delivered. */
  readonly view: SavedView | undefined
  /** What the state is a change of. */
  readonly base: ViewDefinition
  readonly screen: ReportScreen
  /** Names of the view that the report no longer has. */
  readonly dropped: readonly string[]
  /** Names of the view that are called otherwise now; it follows. */
  readonly moved: readonly string[]
}

/** Works out how a report opens. Order of precedence: address, personal default, default of the role, screen. */
export function reportSetup(screen: ReportScreen, query: URLSearchParams, allViews: readonly SavedView[]): ReportSetup {
  const views = allViews.filter((view) => view.Screen === screen.id)
  const view = chosenView(views, query.get('view'))
  if (view === undefined) return { views, view, base: {}, screen, dropped: [], moved: [] }
  const { view: fitted, dropped } = fitView(viewedReport(screen), view.Definition)
  const { parameters: given = {}, chart: drawn, ...base } = fitted
  const parameters = keysNow(screen.renamed, given)
  const moved = drawn === undefined ? undefined : addressNow(screen.renamed, new URLSearchParams(drawn))
  const chart = moved === undefined ? drawn : new URLSearchParams(moved.query).toString()
  const asked = new Map(Object.entries(parameters).filter(([name, text]) => screen.parameters.some((field) => field.name === name && takes(field, text))))
  const opens = chart === undefined ? undefined : opening(chart)
  const lost = opens === undefined ? [] : unknownGroups(screen, opens.rows, opens.across === undefined ? [] : [opens.across])
  return {
    views,
    view,
    base,
    screen: {
      ...screen,
      parameters: screen.parameters.map((parameter) => (asked.has(parameter.name) ? { ...parameter, defaultValue: presetOf(asked.get(parameter.name) ?? '') } : parameter)),
      ...(opens === undefined ? {} : { opens }),
    },
    dropped: [...dropped, ...lost, ...(chart === undefined ? [] : [...strangeChoices(new URLSearchParams(chart)), ...refusedComparison(screen, new URLSearchParams(chart))]), ...Object.keys(parameters).filter((name) => !asked.has(name))],
    moved: oldNames(screen.renamed, view.Definition),
  }
}

/** What the address says of the rows as far as it fits the report, and the names in it that do not. */
export function fitAddress(screen: ReportScreen, query: URLSearchParams, asked: ListState): { readonly state: ListState; readonly query: URLSearchParams; readonly dropped: readonly string[] } {
  const { view, dropped } = fitView(viewedReport(screen), { filters: asked.filters })
  const wrong = screen.parameters.filter((parameter) => !takes(parameter, query.get(parameter.name) ?? '')).map(({ name }) => name)
  const [by, across] = (['by', 'across'] as const).map((name) => (query.get(name) ?? '').split(',').filter((key) => key !== '' && key !== 'none')) as [string[], string[]]
  const known = [...layoutKeys, 'schedule', ...screen.parameters.map(({ name }) => name), ...(screen.filters.some(({ name }) => scopeFields.some((field) => field === name)) ? scopeNames : [])]
  return {
    state: dropped.length === 0 ? asked : { ...asked, filters: view.filters ?? [] },
    query: wrong.length === 0 ? query : new URLSearchParams([...query].filter(([name]) => !wrong.includes(name))),
    dropped: [...new Set([...dropped, ...wrong, ...unreadFilters(query), ...unknownGroups(screen, by, across), ...unknownNames(query, known), ...strangeChoices(query), ...refusedComparison(screen, query), ...strangeOrder(screen, asked)])],
  }
}

/** Words for how it is shown that are none of those there are. */
function strangeChoices(query: URLSearchParams): readonly string[] {
  return Object.entries({ show: shows, compare: comparisons, draw: drawnTypes } satisfies Record<string, readonly string[]>).flatMap(([name, offered]) => {
    const text = query.get(name)
    return text === null || text === 'none' || offered.some((one) => one === text) ? [] : [`${name}=${text}`]
  })
}

/** An earlier period the report has none of, or that its groups have no counterparts in. */
function refusedComparison(screen: ReportScreen, query: URLSearchParams): readonly string[] {
  const text = query.get('compare')
  const asked = comparisons.find((one) => one === text)
  const { rows, across } = readLayout(screen, query)
  return asked === undefined || comparable(screen, [...rows, ...(across === undefined ? [] : [across])]).includes(asked) ? [] : [`compare=${asked}`]
}

/** Rows and groups have orders of their own: what is in neither is nowhere. */
function strangeOrder({ columns, measures, groups, across }: ReportScreen, { sort = [] }: ListState): readonly string[] {
  return sort.map(({ field }) => field).filter((field) => ![...columns, ...measures].some(({ name }) => name === field) && ![...groups, ...across].some(({ key, name }) => key === field || name === field))
}

function unknownGroups({ groups, across }: ReportScreen, rows: readonly string[], columns: readonly string[]): readonly string[] {
  const missing = (keys: readonly string[], offered: readonly GroupDimension[]) => keys.filter((key) => !offered.some((group) => group.key === key))
  return [...missing(rows, [...groups, ...across]), ...missing(columns, across)]
}

/** What of a report's view may name: columns of its rows, groups and measures of its summary. */
function viewedReport(screen: ReportScreen): ViewedScreen {
  const names = new Set(screen.columns.map(({ name }) => name))
  const measures = screen.measures.filter(({ name }) => !names.has(name))
  const groups = [...screen.groups, ...screen.across].filter(({ name }) => !names.has(name) && !measures.some((measure) => measure.name === name))
  return {
    ...(screen.renamed === undefined ? {} : { renamed: screen.renamed }),
    columns: [...screen.columns, ...measures, ...groups.map((group) => ({ ...group, importance: 'low' as const, hidden: true, sortable: true, filterable: false }))],
    filters: screen.filters,
    sort: screen.sort,
  }
}

function oldNames(renames: Renames | undefined, { columns = [], filters = [], sort = [], parameters = {}, chart = '' }: ViewDefinition): readonly string[] {
  const named = [...columns.map(({ name }) => name), ...[...filters, ...sort].map(({ field }) => field), ...Object.keys(parameters)]
  return [...new Set([...named.filter((name) => nameNow(renames, name) !== name), ...(addressNow(renames, new URLSearchParams(chart))?.old ?? [])])]
}

/** Names under which its columns are remembered on this computer. */
export function layoutNames(screenId: string, view: SavedView | undefined): { readonly rows: string; readonly groups: string } {
  const of = view === undefined ? '' : `#${view.ID}`
  return { rows: `${screenId}${of}`, groups: `${screenId} summary${of}` }
}

/** The report with its measures called as they are now. */
export function withHeads(screen: ReportScreen, heads: Heads | undefined): ReportScreen {
  if (heads === undefined) return screen
  const called = <T extends { readonly name: string; readonly label: string }>(fields: readonly T[]): readonly T[] => fields.map((field) => headed(field, heads, t))
  const { columns, filters, measures, chart } = screen
  return { ...screen, columns: called(columns), filters: called(filters), measures: called(measures), ...(chart === undefined ? {} : { chart: { ...chart, measures: called(chart.measures) } }) }
}

/** Does the address say anything of parameters or layout? It holds only what differs from the view. */
export function isReshaped(screen: ReportScreen, query: URLSearchParams): boolean {
  return [...layoutKeys, ...screen.parameters.map(({ name }) => name)].some((key) => query.has(key))
}

/** The address without anything a view holds. */
export function withoutShape(screen: ReportScreen, query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const key of [...layoutKeys, ...screen.parameters.map(({ name }) => name)]) next.delete(key)
  return next
}

/** Parameters and layout for a view to be kept. A parameter that stands as the report opens is left out, so that days that move go on moving. */
export function shapeOf(screen: ReportScreen, query: URLSearchParams, layout: ReportLayout, before: ViewDefinition): Pick<ViewDefinition, 'parameters' | 'chart'> {
  const kept = keysNow(screen.renamed, before.parameters ?? {})
  const parameters = screen.parameters.flatMap((field) => {
    const value = query.get(field.name) ?? kept[field.name]
    return value === undefined || !takes(field, value) ? [] : [[field.name, value] as const]
  })
  const { rows, across, compare, show, draw } = layout
  const isAsDelivered = !isGrouped(layout) && show === 'table' && screen.opens === undefined
  const entries = layoutEntries({ rows: rows.map(({ key }) => key), across: across?.key ?? '', compare: compare ?? '', show, ...(draw === undefined ? {} : { draw }) })
  return { parameters: Object.fromEntries(parameters), ...(isAsDelivered ? {} : { chart: new URLSearchParams(entries.map(([key, value]) => [key, value])).toString() }) }
}

/** The days a view holds for ever, in words: those somebody has typed. Days that move with the calendar are none of them. '': it holds none. */
export function fixedDays(screen: ReportScreen, { parameters = {} }: ViewDefinition): string {
  const kept = keysNow(screen.renamed, parameters)
  const typed = screen.parameters.filter((field) => field.type === 'date' && typeof presetOf(kept[field.name] ?? '') === 'string' && takes(field, kept[field.name] ?? ''))
  return typed.flatMap(({ name, label }) => (kept[name] ? [`${t(label)} ${formatDate(kept[name])}`] : [])).join(', ')
}

/** Is the text a value of the parameter? A view may be older than what the parameter takes. */
function takes({ type, choices }: Field, text: string): boolean {
  if (text === '' || typeof presetOf(text) === 'object' || type === 'textlist') return true
  if (choices !== undefined) return choices.some(({ value }) => String(value) === text)
  return fits({ type }, { field: '', op: 'eq', value: type === 'boolean' ? text === 'true' || (text === 'false' ? false : text) : /^-?\d{1,15}$/.test(text) && /^(id|ref|integer|status)$/.test(type) ? Number(text) : text })
}

/** `now:month-start`: a day that moves, as views and schedules write it. */
function presetOf(text: string): Default {
  const day = text.startsWith('now:') ? days.find((one) => one === text.slice(4)) : undefined
  return day === undefined ? text : { now: day }
}

function opening(chart: string): NonNullable<ReportScreen['opens']> {
  const query = new URLSearchParams(chart)
  const text = (key: string): string => {
    const value = query.get(key) ?? ''
    return value === 'none' ? '' : value
  }
  const across = text('across')
  const compare = comparisons.find((one) => one === text('compare'))
  const show = shows.find((one) => one === text('show')) ?? 'table'
  const draw = drawnTypes.find((one) => one === text('draw'))
  return { rows: text('by').split(',').filter(Boolean), show, ...(draw === undefined ? {} : { draw }), ...(across === '' ? {} : { across }), ...(compare === undefined ? {} : { compare }) }
}

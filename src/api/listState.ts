import { readFilter, spans, type Filter, type Grouping, type Match, type ViewDefinition } from './view.ts'
import { viewPreset } from './viewQuery.ts'
import type { ListScreen, Sort } from '#meta/resolved.ts'

/** What the user has asked of a list: his view and what he has changed of it. Undefined members: the screen's own default. */
export interface ListState {
  /** Id of the saved view chosen; 'standard': the screen's own though there is a default view. */
  readonly view?: string
  readonly search: string
  readonly page: number
  readonly length?: number
  readonly sort?: readonly Sort[]
  readonly filters: readonly Filter[]
  /** Absent: all filters must hold. */
  readonly match?: Match
  /** Id of the preset; 'none': the default preset is switched off. */
  readonly preset?: string
  readonly group?: readonly Grouping[]
}

/** What stands behind the question mark of an address: a `URLSearchParams`. */
export interface Query extends Iterable<[string, string]> {
  get(name: string): string | null
}

const stateNames = /^([qpnsvgmf]|view|f\..*)$/

/** What an address says of the choice above lists of customers: unit, territory, customers. */
export const scopeNames = ['unit', 'territory', 'customers'] as const

/** Rows that can stand on one page, All included. */
const mostRows = 10_000

export const emptyState: ListState = { search: '', page: 1, filters: [] }

/**
 * Reads the state from a query: `view`, `q` search, `p` page, `n` rows a page, `s` sort (`-doc_date,id`), `v` preset, `g` groups
 * (`status,doc_date:month`), `m` all or any, `f.<field>=op:json`. What the query does not say is as in `base`, the view chosen.
 */
export function readState(query: Query, base: ViewDefinition = {}): ListState {
  const typed = Number(query.get('n'))
  const length = typed >= 1 && typed <= mostRows ? Math.floor(typed) : base.length
  const sort = query.get('s')
  const group = query.get('g')
  const view = query.get('view')
  const preset = query.get('v') ?? base.preset
  const wanted = query.get('m')
  const match = wanted === 'any' || wanted === 'all' ? wanted : base.match
  const hasFilters = [...query].some(([key]) => key === 'f' || key.startsWith('f.'))
  const sorted = sort === null ? base.sort : readSort(sort)
  const grouped = group === null ? base.groupBy : readGroups(group)
  return {
    ...(view === null ? {} : { view }),
    search: query.get('q') ?? base.search ?? '',
    page: Math.max(1, Math.floor(Number(query.get('p'))) || 1),
    filters: hasFilters ? [...query].flatMap(([key, value]) => (key.startsWith('f.') ? filterIn(key.slice(2), value) : [])) : (base.filters ?? []),
    ...(match === undefined ? {} : { match }),
    ...(length === undefined ? {} : { length }),
    ...(sorted === undefined ? {} : { sort: sorted }),
    ...(preset === undefined ? {} : { preset }),
    ...(grouped === undefined ? {} : { group: grouped }),
  }
}

/** Writes only what differs from the view (or from the screen's defaults); other parameters of the query stay. */
export function writeState(state: ListState, query: Query, base: ViewDefinition = {}): [string, string][] {
  const next = [...query].filter(([key]) => !stateNames.test(key))
  if (state.view !== undefined) next.push(['view', state.view])
  next.push(...changes(state, base))
  if (state.page > 1) next.push(['p', String(state.page)])
  return next
}

/** Has the user changed anything of the view but the page? */
export function isChanged(state: ListState, base: ViewDefinition): boolean {
  return changes(state, base).some(([key]) => key !== 'n')
}

/** The state as a view to be kept; `base` brings what a state does not hold. */
export function definitionOf(state: ListState, base: ViewDefinition): ViewDefinition {
  const { search, filters, match, preset, sort, group, length } = state
  return {
    ...base,
    ...(search === '' && base.search === undefined ? {} : { search }),
    filters,
    ...(match === undefined ? {} : { match }),
    ...(preset === undefined ? {} : { preset }),
    ...(sort === undefined ? {} : { sort }),
    ...(group === undefined ? {} : { groupBy: group }),
    ...(length === undefined ? {} : { length }),
  }
}

function changes(state: ListState, base: ViewDefinition): readonly [key: string, value: string][] {
  const { search, filters, match = 'all', preset, sort, group = [], length } = state
  const found: [string, string][] = []
  if (search !== (base.search ?? '')) found.push(['q', search])
  if (preset !== base.preset) found.push(['v', preset ?? 'none'])
  if (!isSame(filters, base.filters ?? [])) {
    if (filters.length === 0) found.push(['f', 'none'])
    for (const { field, op, value } of filters) found.push([`f.${field}`, `${op}:${JSON.stringify(value)}`])
  }
  if (match !== (base.match ?? 'all')) found.push(['m', match])
  if (!isSame(group, base.groupBy ?? [])) found.push(['g', group.map(groupName).join(',')])
  if (sort !== undefined && !isSame(sort, base.sort ?? [])) found.push(['s', sort.map(({ field, dir }) => (dir === 'desc' ? `-${field}` : field)).join(',')])
  if (length !== undefined && length !== base.length) found.push(['n', String(length)])
  return found
}

/** `doc_date:month`, as in the URL and on the wire. */
export function groupName({ field, by }: Grouping): string {
  return by === undefined ? field : `${field}:${by}`
}

/** The preset in effect: the chosen one, else the screen's default. */
export function presetOf(screen: ListScreen, state: ListState): ListScreen['presets'][number] | undefined {
  return viewPreset(screen.presets, state.preset)
}

/** Is anything narrowed by the user's own hand (search, filters, a preset of his choice)? */
export function isNarrowed(state: ListState): boolean {
  return state.search !== '' || state.filters.length > 0 || (state.preset !== undefined && state.preset !== 'none')
}

/** Names in the query that say nothing here, typed by hand or written for another page. `others`: what is known beside the state. */
export function unknownNames(query: Query, others: readonly (string | undefined)[]): readonly string[] {
  return [...query].flatMap(([key]) => (stateNames.test(key) || others.includes(key) ? [] : [key]))
}

/** Fields the query narrows by in words that cannot be read: typed or cut by hand. */
export function unreadFilters(query: Query): readonly string[] {
  return [...query].flatMap(([key, value]) => (key.startsWith('f.') && filterIn(key.slice(2), value).length === 0 ? [key.slice(2)] : []))
}

function filterIn(field: string, text: string): readonly Filter[] {
  const at = text.indexOf(':')
  try {
    const filter = readFilter({ field, op: text.slice(0, at), value: JSON.parse(text.slice(at + 1)) })
    return filter === undefined ? [] : [filter]
  } catch {
    // A query typed or cut by hand: the list opens without this filter.
    return []
  }
}

function readSort(text: string): readonly Sort[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((part) => (part.startsWith('-') ? { field: part.slice(1), dir: 'desc' } : { field: part, dir: 'asc' }))
}

function readGroups(text: string): readonly Grouping[] {
  const parts = text.split(',').filter(Boolean).slice(0, 2)
  return parts.map((part) => {
    const [field = '', span] = part.split(':')
    const by = spans.find((one) => one === span)
    return { field, ...(by === undefined ? {} : { by }) }
  })
}

/** Do both say the same, whatever the order of their keys? */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

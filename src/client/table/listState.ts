import type { Condition } from '#meta/condition.ts'
import type { ListScreen, Sort } from '#meta/resolved.ts'

/** What the user has asked of a list. Undefined members: the screen's own default. */
export interface ListState {
  readonly search: string
  readonly page: number
  readonly length?: number
  readonly sort?: readonly Sort[]
  readonly filters: readonly Filter[]
  /** Id of the preset; 'none': the default preset is switched off. */
  readonly preset?: string
}

/** One chip of the filter bar: an operator and what it compares with. */
export interface Filter {
  readonly field: string
  readonly op: FilterOperator
  readonly value: FilterValue
}

export const filterOperators = ['eq', 'ne', 'in', 'nin', 'empty', 'lt', 'le', 'gt', 'ge', 'between', 'contains', 'startsWith', 'within'] as const
export type FilterOperator = (typeof filterOperators)[number]
export type FilterValue = string | number | boolean | readonly (string | number)[]

export const pageSizes = [5, 10, 25, 50, 100, 250, 1000] as const

export const emptyState: ListState = { search: '', page: 1, filters: [] }

/** Reads the state from a query: `q` search, `p` page, `n` rows a page, `s` sort (`-doc_date,id`), `v` preset, `f.<field>=op:json`. */
export function readState(query: URLSearchParams): ListState {
  const length = Number(query.get('n'))
  const sort = query.get('s')
  const preset = query.get('v')
  return {
    search: query.get('q') ?? '',
    page: Math.max(1, Math.floor(Number(query.get('p'))) || 1),
    filters: [...query].flatMap(([key, value]) => (key.startsWith('f.') ? readFilter(key.slice(2), value) : [])),
    ...(length >= 1 && length <= 1000 ? { length: Math.floor(length) } : {}),
    ...(sort === null ? {} : { sort: readSort(sort) }),
    ...(preset === null ? {} : { preset }),
  }
}

/** Writes only what differs from the screen's defaults; other parameters of the query stay. */
export function writeState(state: ListState, query: URLSearchParams): URLSearchParams {
  const kept = [...query].filter(([key]) => !/^([qpnsv]|f\..*)$/.test(key))
  const next = new URLSearchParams(kept)
  if (state.search !== '') next.set('q', state.search)
  if (state.preset !== undefined) next.set('v', state.preset)
  for (const { field, op, value } of state.filters) next.append(`f.${field}`, `${op}:${JSON.stringify(value)}`)
  if (state.sort !== undefined) next.set('s', state.sort.map(({ field, dir }) => (dir === 'desc' ? `-${field}` : field)).join(','))
  if (state.length !== undefined) next.set('n', String(state.length))
  if (state.page > 1) next.set('p', String(state.page))
  return next
}

/** Everything that narrows the list, as one condition; undefined: all rows. */
export function conditionOf(screen: ListScreen, state: ListState, params: Readonly<Record<string, string>>): Condition | undefined {
  const preset = presetOf(screen, state)
  const parts: Condition[] = [
    ...(screen.where === undefined ? [] : [fillParams(screen.where, params)]),
    ...(preset === undefined ? [] : [preset.where]),
    ...state.filters.map(({ field, op, value }): Condition => ({ [field]: { [op]: value } })),
  ]
  return parts.length > 1 ? { all: parts } : parts[0]
}

/** The preset in effect: the chosen one, else the screen's default. */
export function presetOf(screen: ListScreen, state: ListState): ListScreen['presets'][number] | undefined {
  return state.preset === undefined ? screen.presets.find((preset) => preset.default) : screen.presets.find((preset) => preset.id === state.preset)
}

/** Is anything narrowed by the user's own hand (search or filters)? */
export function isNarrowed(state: ListState): boolean {
  return state.search !== '' || state.filters.length > 0
}

/** A condition with the path parameters in place; numbers stay numbers. */
function fillParams(condition: Condition, params: Readonly<Record<string, string>>): Condition {
  return JSON.parse(JSON.stringify(condition), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('param' in value) || typeof value.param !== 'string') return value
    const found = params[value.param] ?? ''
    return /^\d+$/.test(found) ? Number(found) : found
  }) as Condition
}

function readFilter(field: string, text: string): readonly Filter[] {
  const at = text.indexOf(':')
  const op = filterOperators.find((operator) => operator === text.slice(0, at))
  if (op === undefined) return []
  try {
    const value: unknown = JSON.parse(text.slice(at + 1))
    return isFilterValue(value) ? [{ field, op, value }] : []
  } catch {
    // A query typed or cut by hand: the list opens without this filter.
    return []
  }
}

function isFilterValue(value: unknown): value is FilterValue {
  const isPlain = (part: unknown) => typeof part === 'string' || typeof part === 'number'
  return isPlain(value) || typeof value === 'boolean' || (Array.isArray(value) && value.every(isPlain))
}

function readSort(text: string): readonly Sort[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((part) => (part.startsWith('-') ? { field: part.slice(1), dir: 'desc' } : { field: part, dir: 'asc' }))
}

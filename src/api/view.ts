import { accept, refuse, type Result } from '#base/result.ts'
import { operators, type Operator } from '#meta/condition.ts'
import type { Sort } from '#meta/resolved.ts'

/**
 * What a user sees of a list or a report, as one object: what a saved view holds, what the URL differs from, what an export is made of.
 * Absent members: as the screen says. Fields are named as in schemas (`customer_id`, `customer_id.name`).
 *
 * GET    /api/v1/view            the user's own views and those shared with his role, of all screens
 * POST   /api/v1/view            create (Idempotency-Key)
 * PUT    /api/v1/view/{id}       save, rename, share, make default (If-Match)
 * DELETE /api/v1/view/{id}       delete (If-Match)
 */
export interface ViewDefinition {
  /** Columns shown, in order: all of them. Absent: the screen's own. */
  readonly columns?: readonly ViewColumn[]
  readonly search?: string
  readonly filters?: readonly Filter[]
  /** Whether all filters must hold or one of them; all unless said. */
  readonly match?: Match
  /** Id of a preset of the screen; 'none': its default preset is switched off. */
  readonly preset?: string
  readonly sort?: readonly Sort[]
  /** At most two levels; empty: the screen's own grouping is switched off. */
  readonly groupBy?: readonly Grouping[]
  /** Rows a page. */
  readonly length?: number
  /** Parameters of a report, by name. */
  readonly parameters?: Readonly<Record<string, string>>
  /** How a report draws itself, in its own words. */
  readonly chart?: string
  /** Nothing of its own: the screen as delivered. As the owner's default it goes before what his role sees first. */
  readonly standard?: true
}

export interface ViewColumn {
  readonly name: string
  /** Pixels; absent: as the screen says. */
  readonly width?: number
  /** Absent: scrolls with the rest. */
  readonly pin?: Pin
}

/** Which columns are shown, in what order, how wide and where pinned: all of it. */
export type Layout = readonly ViewColumn[]

/** One chip of the filter bar: an operator and what it compares with. */
export interface Filter {
  readonly field: string
  readonly op: Operator
  readonly value: FilterValue
}

export type FilterValue = string | number | boolean | readonly (string | number)[]

/** Rows with the same value of a field; `by` puts days of one month or year together. */
export interface Grouping {
  readonly field: string
  readonly by?: Span
}

export const pins = ['left', 'right'] as const
export type Pin = (typeof pins)[number]
export const matches = ['all', 'any'] as const
export type Match = (typeof matches)[number]
export const spans = ['month', 'quarter', 'year'] as const
export type Span = (typeof spans)[number]

/** A view as it is kept. */
export interface SavedView {
  readonly ID: number
  readonly Version: number
  /** Id of the screen. */
  readonly Screen: string
  readonly Name: string
  readonly OwnerID: number
  readonly OwnerName: string
  /** Shared with everybody of this role; null: the owner's alone. */
  readonly RoleID: number | null
  readonly RoleName: string | null
  /** Is that the user's own role? Whoever made a view for another one does not open with it. */
  readonly IsOfRole: boolean
  /** Opens first: for the owner, or for the role it is shared with. */
  readonly IsDefault: boolean
  readonly Definition: ViewDefinition
  /** May this user change or delete it? */
  readonly CanEdit: boolean
}

export interface ViewAnswer {
  readonly records: readonly SavedView[]
  /** Roles this user may share a view with: his own, or all of them. */
  readonly roles: readonly ViewRole[]
}

export interface ViewRole {
  readonly ID: number
  readonly Name: string
}

/** Body of POST and PUT; PUT changes what it names. */
export interface ViewBody {
  readonly Screen?: string
  readonly Name?: string
  /** Shares with a role: one's own, or any for those who may edit roles; null: with nobody. */
  readonly RoleID?: number | null
  readonly IsDefault?: boolean
  readonly Definition?: ViewDefinition
}

const most = { columns: 100, filters: 40, values: 2_000, sort: 8, groupBy: 2, parameters: 40, text: 1_000 } as const

/** Reads a definition that came from outside. Refuses with a sentence; what it accepts holds nothing beside the members above. */
export function readView(value: unknown): Result<ViewDefinition, string> {
  if (!isObject(value)) return refuse('A view is an object.')
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(readers, key))
  if (unknown !== undefined) return refuse(`A view has no "${unknown.slice(0, 40)}".`)
  const parts: [string, unknown][] = []
  for (const [key, read] of Object.entries(readers)) {
    if (value[key] === undefined) continue
    const part = read(value[key])
    if (part === undefined) return refuse(`"${key}" of the view cannot be read.`)
    parts.push([key, part])
  }
  return accept(Object.fromEntries(parts) as ViewDefinition)
}

type Readers = { readonly [key in keyof Required<ViewDefinition>]: (value: unknown) => ViewDefinition[key] | undefined }

/** Each answers undefined for what cannot be read. */
const readers: Readers = {
  columns: (value) => listOf(value, most.columns, readColumn),
  search: (value) => textOf(value),
  filters: (value) => listOf(value, most.filters, readFilter),
  match: (value) => matches.find((one) => one === value),
  preset: (value) => textOf(value),
  sort: (value) => listOf(value, most.sort, readSort),
  groupBy: (value) => listOf(value, most.groupBy, readGrouping),
  length: (value) => (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100_000 ? Number(value) : undefined),
  parameters: (value) => readTexts(value),
  chart: (value) => textOf(value),
  standard: (value) => (value === true ? value : undefined),
}

function readColumn(value: unknown): ViewColumn | undefined {
  if (!isObject(value) || !isName(value['name'])) return undefined
  const { name, width } = value
  const pin = pins.find((one) => one === value['pin'])
  const isWidth = typeof width === 'number' && width >= 20 && width <= 2_000
  return { name, ...(isWidth ? { width: Math.round(width) } : {}), ...(pin === undefined ? {} : { pin }) }
}

/** A filter as it came from a view or a URL. */
export function readFilter(value: unknown): Filter | undefined {
  if (!isObject(value) || !isName(value['field'])) return undefined
  const op = operators.find((one) => one === value['op'])
  return op === undefined || !isFilterValue(value['value']) ? undefined : { field: value['field'], op, value: value['value'] }
}

export function isFilterValue(value: unknown): value is FilterValue {
  const isPlain = (part: unknown): part is string | number => (typeof part === 'string' && part.length <= most.text) || (typeof part === 'number' && Number.isFinite(part))
  return isPlain(value) || typeof value === 'boolean' || (Array.isArray(value) && value.length <= most.values && value.every(isPlain))
}

function readSort(value: unknown): Sort | undefined {
  if (!isObject(value) || !isName(value['field'])) return undefined
  const { field, dir } = value
  return dir === 'asc' || dir === 'desc' ? { field, dir } : undefined
}

function readGrouping(value: unknown): Grouping | undefined {
  if (!isObject(value) || !isName(value['field'])) return undefined
  const { field } = value
  if (value['by'] === undefined) return { field }
  const by = spans.find((one) => one === value['by'])
  return by === undefined ? undefined : { field, by }
}

function readTexts(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined
  const entries = Object.entries(value)
  const isFine = entries.length <= most.parameters && entries.every((entry): entry is [string, string] => isName(entry[0]) && textOf(entry[1]) !== undefined)
  return isFine ? Object.fromEntries(entries.map(([name, text]) => [name, text])) : undefined
}

/** Every entry read; undefined when one cannot be, or there are too many. */
function listOf<T>(value: unknown, longest: number, read: (entry: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length > longest) return undefined
  const found = value.map(read)
  const known = found.filter((entry) => entry !== undefined)
  return known.length === found.length ? known : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= most.text ? value : undefined
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z]\w{0,80}(\.\w{1,80})?$/.test(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

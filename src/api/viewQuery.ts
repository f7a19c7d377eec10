import type { Condition } from '#meta/condition.ts'
import type { Column, Field, Sort } from '#meta/resolved.ts'
import { fits, groups, sorts } from './viewFits.ts'
import type { Filter, Grouping, Layout, Pin, Span, ViewColumn, ViewDefinition } from '#api/view.ts'

/** What lists and reports have in common for a view to stand on. */
export interface ViewedScreen {
  readonly columns: readonly Column[]
  readonly filters: readonly Field[]
  readonly sort: readonly Sort[]
  /** Old field name → new: keeps views and bookmarks alive. */
  readonly renamed?: Readonly<Record<string, string>>
  readonly presets?: readonly { readonly id: string; readonly where: Condition; readonly default: boolean }[]
  /** Filter always applied. */
  readonly where?: Condition
}

/** A view that fits the screen of today, and the names of what was left out: no longer there, or compared with what is no value of the field. */
export interface FittedView {
  readonly view: ViewDefinition
  readonly dropped: readonly string[]
}

/** Follows renamed fields and leaves out what the screen no longer has or could not be asked for; `dropped` is for a notice, never for an error. */
export function fitView(screen: ViewedScreen, view: ViewDefinition): FittedView {
  const dropped = new Set<string>()
  const columns = new Map<string, Field>(screen.columns.map((column) => [column.name, column]))
  const fields = new Map([...columns, ...screen.filters.map((field) => [field.name, field] as const)])
  const keep = <T extends { readonly field: string }>(entries: readonly T[], known: ReadonlyMap<string, Pick<Field, 'type'>>, isFit: (field: Pick<Field, 'type'>, entry: T) => boolean): readonly T[] =>
    entries.flatMap((entry) => {
      const name = newName(screen, entry.field)
      const field = known.get(name) ?? (name === 'id' ? { type: 'id' } : undefined)
      if (field !== undefined && isFit(field, entry)) return [name === entry.field ? entry : { ...entry, field: name }]
      dropped.add(entry.field)
      return []
    })
  const shown = view.columns?.flatMap((column) => {
    const name = newName(screen, column.name)
    if (columns.has(name)) return [name === column.name ? column : { ...column, name }]
    dropped.add(column.name)
    return []
  }).filter(isFirst(({ name }) => name))
  const hasPreset = view.preset === undefined || view.preset === 'none' || screen.presets?.some(({ id }) => id === view.preset) === true
  if (!hasPreset && view.preset !== undefined) dropped.add(view.preset)
  const { columns: _columns, preset: _preset, ...rest } = view
  const fitted: ViewDefinition = {
    ...rest,
    // A view of which no column is left shows the screen's own: never an empty screen.
    ...(shown === undefined || shown.length === 0 ? {} : { columns: shown }),
    ...(view.filters === undefined ? {} : { filters: keep(view.filters, fields, fits) }),
    ...(view.sort === undefined ? {} : { sort: keep(view.sort, columns, sorts).filter(isFirst(({ field }) => field)) }),
    ...(view.groupBy === undefined ? {} : { groupBy: keep(view.groupBy, fields, groups).filter(isFirst(({ field, by }) => `${field} ${by}`)) }),
    ...(hasPreset && view.preset !== undefined ? { preset: view.preset } : {}),
  }
  return { view: fitted, dropped: [...dropped] }
}

/** An old field may have gone into one the view names as well. */
function isFirst<T>(nameOf: (entry: T) => string): (entry: T, at: number, all: readonly T[]) => boolean {
  return (entry, at, all) => all.findIndex((one) => nameOf(one) === nameOf(entry)) === at
}

function newName({ renamed }: ViewedScreen, name: string): string {
  if (renamed === undefined) return name
  const [column = name, hop] = name.split('.')
  const whole = Object.hasOwn(renamed, name) ? renamed[name] : undefined
  const first = Object.hasOwn(renamed, column) ? renamed[column] : undefined
  return whole ?? (hop === undefined || first === undefined ? (first ?? name) : `${first}.${hop}`)
}

/** The layout a screen has by itself. `isShown`: what it shows unasked. */
export function ownLayout(columns: readonly Column[], isShown: (column: Column) => boolean = (column) => !column.hidden): Layout {
  return columns.filter(isShown).map(({ name, pin }) => ({ name, ...(pin === undefined ? {} : { pin }) }))
}

/** Columns shown, from left to right: those pinned left, the rest, those pinned right. */
export function viewColumns(screen: Pick<ViewedScreen, 'columns'>, columns: readonly ViewColumn[] | undefined): readonly Column[] {
  const shown =
    columns === undefined
      ? screen.columns.filter((column) => !column.hidden)
      : columns.flatMap(({ name, width, pin }) => {
          const found = screen.columns.find((column) => column.name === name)
          if (found === undefined) return []
          const { pin: _pin, ...column } = found
          return [{ ...column, ...(width === undefined ? {} : { width }), ...(pin === undefined ? {} : { pin }) }]
        })
  const at = (pin: Pin | undefined): readonly Column[] => shown.filter((column) => column.pin === pin)
  return shown.some((column) => column.pin !== undefined) ? [...at('left'), ...at(undefined), ...at('right')] : shown
}

export function viewSort(screen: Pick<ViewedScreen, 'sort'>, view: Pick<ViewDefinition, 'sort'>): readonly Sort[] {
  return view.sort === undefined || view.sort.length === 0 ? screen.sort : view.sort
}

/** The preset in effect: the chosen one, else the screen's default. */
export function viewPreset<P extends { readonly id: string; readonly default: boolean }>(presets: readonly P[], chosen: string | undefined): P | undefined {
  return chosen === undefined ? presets.find((preset) => preset.default) : presets.find((preset) => preset.id === chosen)
}

/** Everything that narrows the rows beside the search, as one condition; undefined: all rows. `params`: path parameters of the page. */
export function viewCondition(
  screen: Pick<ViewedScreen, 'where' | 'presets'>,
  view: Pick<ViewDefinition, 'preset' | 'filters' | 'match'>,
  params: Readonly<Record<string, string>>,
): Condition | undefined {
  const preset = viewPreset(screen.presets ?? [], view.preset)
  const tests = (view.filters ?? []).map(filterCondition)
  return allOf([
    ...(screen.where === undefined ? [] : [fillParams(screen.where, params)]),
    ...(preset === undefined ? [] : [preset.where]),
    ...(view.match === 'any' && tests.length > 1 ? [{ any: tests }] : tests),
  ])
}

/** A row without a value is none of those named: what is kept out is said, everything else is in. */
export function filterCondition({ field, op, value }: Filter): Condition {
  if (op === 'ne' || op === 'nin') return { not: { [field]: { [op === 'ne' ? 'eq' : 'in']: value } } }
  return { [field]: { [op]: value } }
}

/** One condition of several; undefined for none. */
export function allOf(parts: readonly (Condition | undefined)[]): Condition | undefined {
  const given = parts.filter((part) => part !== undefined)
  return given.length > 1 ? { all: given } : given[0]
}

/** The rows of one group: those whose field has its value (`null`: none), or whose day lies in its month, quarter or year. */
export function groupCondition({ field, by }: Grouping, value: unknown): Condition {
  if (value === null || value === undefined || value === '') return { [field]: { empty: true } }
  if (by === undefined) {
    if (typeof value === 'number' || typeof value === 'boolean') return { [field]: { eq: value } }
    // Words are the same whatever their capitals, groups are not.
    return { [field]: { between: [String(value), String(value)] } }
  }
  return { [field]: { between: [...spanOf(String(value), by)] } }
}

const months: Readonly<Record<Span, number>> = { month: 1, quarter: 3, year: 12 }

/** First and last day of the span that begins on this day. */
export function spanOf(first: string, by: Span): readonly [from: string, to: string] {
  const [year = 0, month = 1] = first.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months[by], 0))
  return [first, last.toISOString().slice(0, 10)]
}

/** A condition with the path parameters in place; numbers stay numbers. */
function fillParams(condition: Condition, params: Readonly<Record<string, string>>): Condition {
  return JSON.parse(JSON.stringify(condition), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('param' in value) || typeof value.param !== 'string') return value
    const found = params[value.param] ?? ''
    return /^\d+$/.test(found) ? Number(found) : found
  }) as Condition
}

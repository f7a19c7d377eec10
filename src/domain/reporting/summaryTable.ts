import type { Decimal } from '#base/decimal.ts'
import { difference } from './difference.ts'

type Key = string | number | boolean | null

/** What the measures come to in one place; the same shape as the server answers. */
export interface Cell {
  readonly values: readonly (Decimal | null)[]
  readonly before?: readonly (Decimal | null)[]
}

export interface GroupRow {
  readonly keys: readonly Key[]
  readonly currency: string | null
  readonly about: Readonly<Record<string, unknown>>
  /** Over everything across, then one for each value across. */
  readonly cells: readonly Cell[]
}

export interface Grouped {
  readonly rows: readonly GroupRow[]
  readonly subtotals: readonly GroupRow[]
  readonly totals: readonly GroupRow[]
  readonly across: readonly Key[]
}

/** What one column of figures shows: a measure, at a value across or over all of them, as it is or against the earlier period. */
export interface FigureColumn {
  readonly measure: number
  /** Place in `across`; undefined: over all of them. */
  readonly at?: number
  readonly part: 'value' | 'before' | 'difference' | 'percent'
}

export interface TreeRow {
  /** Tells the rows of one answer apart. */
  readonly id: string
  readonly row: GroupRow
  readonly children: readonly TreeRow[]
}

/** Columns of figures in the order shown: each value across with its measures, then everything across; beside each the earlier period. */
export function figureColumns(across: number, measures: number, isCompared: boolean): readonly FigureColumn[] {
  const places = [...Array.from({ length: across }, (_, at) => ({ at })), {}]
  const parts = isCompared ? (['value', 'before', 'difference', 'percent'] as const) : (['value'] as const)
  return places.flatMap((place) => Array.from({ length: measures }, (_, measure) => parts.map((part): FigureColumn => ({ ...place, measure, part }))).flat())
}

/** Groups in their order within their outer groups, whose rows carry the sub-totals. */
export function summaryTree({ rows, subtotals }: Pick<Grouped, 'rows' | 'subtotals'>): readonly TreeRow[] {
  const depth = rows[0]?.keys.length ?? 0
  const known = new Map(subtotals.map((row) => [idOf(row, row.keys.length), row]))
  const within = (found: readonly GroupRow[], level: number): readonly TreeRow[] => {
    if (level >= depth) return found.map((row) => ({ id: idOf(row, level), row, children: [] }))
    const members = new Map<string, GroupRow[]>()
    for (const row of found) {
      const id = idOf(row, level)
      const few = members.get(id)
      if (few === undefined) members.set(id, [row])
      else few.push(row)
    }
    return [...members].flatMap(([id, few]) => {
      const row = known.get(id)
      const children = within(few, level + 1)
      return row === undefined ? children : [{ id, row, children }]
    })
  }
  return within(rows, 1)
}

/** The figure of a column in a row. */
export function figureOf(row: GroupRow, { measure, at, part }: FigureColumn): Decimal | null {
  const cell = row.cells[at === undefined ? 0 : at + 1]
  const value = cell?.values[measure] ?? null
  if (part === 'value') return value
  const before = cell?.before?.[measure] ?? null
  if (part === 'before') return before
  const found = difference(value, before)
  return (part === 'difference' ? found?.amount : found?.percent) ?? null
}

/** Groups of different currencies stand apart. */
function idOf({ currency, keys }: GroupRow, level: number): string {
  return JSON.stringify([currency, ...keys.slice(0, level)])
}

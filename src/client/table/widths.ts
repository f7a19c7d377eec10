import { unmarkedCurrency } from '#base/currency.ts'
import type { Column, FieldType } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { headWidth } from '../ui/headWidth.ts'
import { cellOf, type AnyRecord } from './cells.tsx'

const figures: ReadonlySet<FieldType> = new Set(['integer', 'quantity', 'money', 'percent', 'rate', 'price', 'cost'])
const growing: ReadonlySet<FieldType> = new Set(['ref', 'text', 'longtext'])

export interface WidthsOf {
  readonly columns: readonly Column[]
  readonly rows: readonly (AnyRecord | undefined)[]
  readonly totals: readonly Readonly<Record<string, string>>[]
  /** Columns whose width the user has set: their headings may be cut. */
  readonly sized: ReadonlySet<string>
  /** Columns that stand sorted: an arrow beside the heading, its place among several too. */
  readonly sorted: ReadonlySet<string>
}

/** Pixels of each column by name. Headings are whole in every language; figures and codes are not cut: a number with its end missing is a wrong number. */
export function columnWidths({ columns, rows, totals, sized, sorted }: WidthsOf): ReadonlyMap<string, number> {
  // Amounts of a foreign currency begin with its name.
  const mark = totals.length > 1 || rows.some((row) => (row?.['Currency'] ?? unmarkedCurrency) !== unmarkedCurrency) ? 4 : 0
  return new Map(
    columns.map((column) => {
      const said = column.width ?? cellOf(column.type).width
      const wanted = sized.has(column.name) ? said : Math.max(said, headWidth(t(column.label)) + padding + (sorted.has(column.name) ? (sorted.size > 1 ? arrow + place : arrow) : 0))
      const longest = (lengthOf: (value: unknown) => number): number => rows.reduce((most, row) => Math.max(most, lengthOf(row?.[column.wire])), 0)
      if (column.type === 'code' && !sized.has(column.name)) return [column.name, Math.max(wanted, Math.min(longestCode, roomFor(longest(signsOf), 9)))]
      if (!figures.has(column.type)) return [column.name, wanted]
      const sums = totals.map((sum) => sum[column.name]).map((sum) => (sum === undefined ? 0 : cellOf(column.type).text(sum, column, {}).length))
      return [column.name, Math.max(wanted, roomFor(longest(lengthOf), 7.4, mark), roomFor(Math.max(0, ...sums), 8, mark))]
    }),
  )
}

/** The column that takes the width left over: the first of words that nobody has set a width for. */
export function growingColumn(columns: readonly Column[], sized: ReadonlySet<string>): string | undefined {
  return columns.find((column) => growing.has(column.type) && column.pin === undefined && !sized.has(column.name))?.name
}

const padding = 26
const arrow = 15
const place = 9

/** What is longer than any number of ours leaves room for the columns beside it. */
const longestCode = 280

/** `each`: pixels of a sign; those of a sum and of a link are bold, and a code has capitals. */
function roomFor(length: number, each: number, mark = 0): number {
  return length === 0 ? 0 : Math.ceil((length + mark) * each) + padding
}

function signsOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0
}

/** How long decimal text stands in its cell: with commas between thousands, without zeros that are not shown. */
function lengthOf(value: unknown): number {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return 0
  const point = text.indexOf('.')
  const whole = point < 0 ? text.length : point
  const fraction = point < 0 ? 0 : Math.max(3, text.replace(/0+$/, '').length - whole)
  return whole + Math.floor((whole - 1) / 3) + fraction
}

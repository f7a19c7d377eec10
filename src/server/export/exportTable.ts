import { compareCurrencies } from '#base/currency.ts'
import type { Decimal } from '#base/decimal.ts'
import { DecimalTotal } from '#base/decimalTotal.ts'
import type { Row } from '#server/context.ts'
import type { Translate } from '#server/texts.ts'
import type { RowKind, TableFile } from './tableFile.ts'

/** Rows to be written, slice by slice. */
export interface RowSource {
  /** How many rows there will be. */
  readonly total: number
  /** Nothing answers what is asked; a line of totals may stand there all the same. */
  readonly isEmpty: boolean
  each(work: (rows: readonly Row[]) => Promise<void>): Promise<void>
}

/** A column of the file. */
export interface FileColumn {
  readonly label: string
  /** Characters. */
  readonly width: number
  readonly isPinned: boolean
  readonly write: (file: TableFile, row: Row) => void
  /** Absent: nothing stands in the totals. */
  readonly total?: {
    /** Wire keys added up for it. */
    readonly of: readonly string[]
    readonly from: (sums: readonly Decimal[]) => Decimal | undefined
    readonly write: (file: TableFile, total: Decimal) => void
  }
}

export interface FileGroup {
  /** The same for all rows of a group. */
  readonly key: (row: Row) => unknown
  readonly heading: (row: Row) => string
  /** A row is a group already: one alone has no sum of its own. */
  readonly isRow?: boolean
}

/** What is to be written, worked out: everything the user may not see is out of it already. */
export interface ExportPlan {
  readonly title: string
  /** The day or days it tells of, where it is not about the moment it is made: `2026-10-31`, `2026-10-01 - 2026-10-31`. */
  readonly of?: string | undefined
  readonly columns: readonly FileColumn[]
  /** Groups, outer first; rows of one group stand together. */
  readonly groups: readonly FileGroup[]
  /** Wire key of the currency of a row's amounts: amounts of two currencies are never added. */
  readonly currency: string | undefined
  /** There are amounts in other currencies than the one that goes without saying: sums name theirs, also where they are alone. */
  readonly isCurrencyTold?: boolean
  readonly hasTotals: boolean
  /** Rows that bring their sums along say what each of them is; nothing is added up here then. */
  readonly kindOf?: (row: Row) => { readonly kind: RowKind; readonly depth: number }
  /** Levels that can be folded; `groups` unless said. */
  readonly levels?: number
  /** What the second sheet says, label and text. */
  readonly about: readonly (readonly [label: string, text: string])[]
  readonly translate: Translate
  /** Opens the rows; whatever holds them is given back when the work ends. */
  readonly rows: <T>(work: (source: RowSource) => Promise<T>) => Promise<T>
}

export interface Watch {
  /** Told after each slice. */
  readonly onRows?: (done: number, total: number) => void
  /** Aborted: the export stops before the next slice. */
  readonly signal: AbortSignal
}

/** Writes the rows with sub-totals and totals, then the sheet that tells what they are. Nothing stays open when it fails. */
export async function writeTable(plan: ExportPlan, source: RowSource, file: TableFile, watch: Watch): Promise<void> {
  try {
    await writeAbout(plan, await writeRows(plan, source, file, watch), file)
    await file.finish()
  } catch (error) {
    file.abandon()
    throw error
  }
}

/** Answers how many rows were written, sums not among them. */
async function writeRows(plan: ExportPlan, source: RowSource, file: TableFile, { onRows, signal }: Watch): Promise<number> {
  const { columns, groups, kindOf } = plan
  await file.openSheet({ name: plan.title, widths: columns.map(({ width }) => width), frozen: pinnedOf(columns), hasHead: true, groups: plan.levels ?? groups.length })
  file.startRow('head')
  for (const column of columns) file.text(column.label)
  file.endRow()
  const totals = new Totals(plan)
  let done = 0
  let written = 0
  await source.each(async (rows) => {
    signal.throwIfAborted()
    for (const row of rows) {
      totals.before(row, file)
      const { kind, depth } = kindOf?.(row) ?? { kind: 'row', depth: groups.length }
      file.startRow(kind, depth)
      for (const column of columns) column.write(file, row)
      file.endRow()
      totals.add(row)
      done++
      if (kind === 'row') written++
    }
    await file.flush()
    signal.throwIfAborted()
    onRows?.(done, source.total)
  })
  totals.end(file)
  await file.closeSheet()
  return written
}

async function writeAbout({ about, translate, title }: ExportPlan, total: number, file: TableFile): Promise<void> {
  await file.openSheet({ name: translate('export.about'), widths: [24, 90], frozen: 0, hasHead: false, groups: 0 })
  for (const [label, text] of [[translate('export.title'), title] as const, ...about, [translate('export.rows'), String(total)] as const]) {
    file.startRow('row')
    file.text(label)
    file.text(text)
    file.endRow()
  }
  await file.closeSheet()
}

/** Columns that stay in view: those pinned, as far as they stand at the left. */
function pinnedOf(columns: readonly FileColumn[]): number {
  const first = columns.findIndex(({ isPinned }) => !isPinned)
  return first < 0 ? 0 : first
}

/** Sums of the groups under way and of everything; each group's stand under its rows. */
class Totals {
  readonly #plan: ExportPlan
  readonly #all: Sums
  readonly #open: { sums: Sums; key: unknown; heading: string }[] = []

  constructor(plan: ExportPlan) {
    this.#plan = plan
    this.#all = new Sums(plan)
  }

  /** Closes the groups this row is not in, and opens its own. */
  before(row: Row, file: TableFile): void {
    const { groups, translate } = this.#plan
    if (groups.length === 0) return
    const keys = groups.map(({ key }) => key(row))
    const changed = keys.findIndex((key, level) => this.#open[level]?.key !== key)
    if (changed < 0 && this.#open.length > 0) return
    this.#close(Math.max(0, changed), file)
    groups.forEach((group, level) => {
      if (level >= this.#open.length) this.#open.push({ sums: new Sums(this.#plan), key: keys[level], heading: group.heading(row) || translate('export.none') })
    })
  }

  add(row: Row): void {
    if (!this.#plan.hasTotals) return
    this.#all.add(row)
    for (const { sums } of this.#open) sums.add(row)
  }

  end(file: TableFile): void {
    const { hasTotals, columns, translate } = this.#plan
    this.#close(0, file)
    if (hasTotals && columns.some(({ total }) => total !== undefined)) this.#all.write(file, 'total', 0, (n) => translate('export.total', { n }))
  }

  #close(level: number, file: TableFile): void {
    while (this.#open.length > level) {
      const group = this.#open.pop()
      const saysRowAgain = group?.sums.count === 1 && this.#plan.groups[this.#open.length]?.isRow === true
      if (group && !saysRowAgain && this.#plan.hasTotals) group.sums.write(file, 'subtotal', this.#open.length, (n) => this.#plan.translate('export.subtotal', { group: group.heading, n }))
    }
  }
}

interface CurrencySums {
  readonly sums: ReadonlyMap<string, DecimalTotal>
  count: number
}

/** Running sums of the summed columns, apart for each currency. */
class Sums {
  readonly #plan: ExportPlan
  readonly #byCurrency = new Map<unknown, CurrencySums>()

  constructor(plan: ExportPlan) {
    this.#plan = plan
  }

  /** Rows of all currencies. */
  get count(): number {
    return [...this.#byCurrency.values()].reduce((rows, { count }) => rows + count, 0)
  }

  add(row: Row): void {
    const { columns, currency } = this.#plan
    const key = currency === undefined ? '' : row[currency]
    let own = this.#byCurrency.get(key)
    if (own === undefined) {
      own = { sums: new Map(columns.flatMap(({ total }) => (total?.of ?? []).map((wire) => [wire, new DecimalTotal()]))), count: 0 }
      this.#byCurrency.set(key, own)
    }
    own.count++
    for (const [wire, sum] of own.sums) sum.add(row[wire])
  }

  /** A row for each currency. The label stands in the first column that has no total. */
  write(file: TableFile, kind: 'subtotal' | 'total', depth: number, label: (n: number) => string): void {
    const { columns, isCurrencyTold = false } = this.#plan
    const place = columns.findIndex(({ total }) => total === undefined)
    const currencies = [...this.#byCurrency].toSorted(([a], [b]) => compareCurrencies(String(a), String(b)))
    for (const [currency, { sums, count }] of currencies.length === 0 ? [['', { sums: new Map<string, DecimalTotal>(), count: 0 }] as const] : currencies) {
      file.startRow(kind, depth)
      columns.forEach(({ total }, i) => {
        // A column that is empty in every row has no total.
        const isEmpty = count > 0 && total?.of.every((wire) => sums.get(wire)?.count === 0) === true
        const value = isEmpty ? undefined : total?.from(total.of.map((wire) => sums.get(wire)?.text() ?? '0'))
        if (i === place) file.text(currencies.length > 1 || isCurrencyTold ? `${label(count)} ${String(currency ?? '')}` : label(count))
        else if (total === undefined || value === undefined) file.empty()
        else total.write(file, value)
      })
      file.endRow()
    }
  }
}

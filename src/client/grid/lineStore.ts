import { withComputed } from '../form/formModel.ts'
import { insertRow, isEmpty, withEmptyLast } from './gridModel.ts'
import { fieldsOf } from '#meta/operands.ts'
import { isNothing, same } from '../form/same.ts'
import type { LineColumn } from '#meta/resolved.ts'
import type { Message } from '../form/message.ts'
import type { GridRow, Range, Rows } from './gridModel.ts'

/** The focused cell and the other corner of the selection. */
export interface Cursor {
  readonly row: number
  readonly col: number
  readonly anchorRow: number
  readonly anchorCol: number
}

/** Editing the focused cell: `start` is the text the editor opens with, undefined for the cell's own. */
export interface Editing {
  readonly start: string | undefined
  /** The calendar of a day comes with it. */
  readonly opens?: boolean
}

type Listener = () => void

/** Label of the first rule of a column that a day in this line would break. */
type Judge = (column: LineColumn, row: GridRow, day: unknown) => string | undefined

/** Under which a draft keeps what could not be read of a line. */
export const typedKey = '#typed'

const historyLimit = 200

/** Takes what the code names into the line, or says there why not. */
export type LookUp = (rowKey: string, column: LineColumn, code: string) => Promise<void>

/**
 * Lines, selection and undo of one grid, outside React: a change tells only the rows it touched, the list when rows came or went, and the
 * selection when it moved. One instance for each mounted form.
 */
export class LineStore {
  #rows: Rows
  #cursor: Cursor = { row: 0, col: 0, anchorRow: 0, anchorCol: 0 }
  #editing: Editing | undefined
  #undo: Rows[] = []
  #redo: Rows[] = []
  #lastKey = 0
  #flush: (() => void) | undefined
  #lookUp: LookUp | undefined
  #index = new Map<string, number>()
  readonly #rowListeners = new Map<string, Set<Listener>>()
  readonly #listListeners = new Set<Listener>()
  readonly #cursorListeners = new Set<Listener>()
  readonly #changeListeners = new Set<Listener>()
  readonly #decorateListeners = new Set<Listener>()
  readonly #jumpListeners = new Set<Listener>()
  readonly columns: readonly LineColumn[]
  readonly max: number
  readonly #hasRules: boolean
  /** Days that rules of the lines bound. */
  readonly #bounded: readonly LineColumn[]
  #judge: Judge | undefined
  readonly #awaited = new Set<Promise<unknown>>()

  constructor(columns: readonly LineColumn[], max: number, records: readonly Readonly<Record<string, unknown>>[] = []) {
    this.columns = columns
    this.max = max
    this.#bounded = columns.filter(({ allows }) => allows !== undefined)
    this.#hasRules = this.#bounded.length > 0 || columns.some((column) => column.compute !== undefined || (column.entry && column.default !== undefined))
    this.#rows = []
    this.load(records)
  }

  readonly newKey = (): string => {
    this.#lastKey += 1
    return `r${this.#lastKey}`
  }

  /** Starts over with the lines of a record or of a draft; nothing to undo. Free and exploded lines become fixed rows. */
  load(records: readonly Readonly<Record<string, unknown>>[]): void {
    const rows = records.map(({ [typedKey]: typed, ...values }): GridRow => {
      const row = { key: this.newKey(), values, problems: {}, fixed: values['IsFree'] === true || (values['ParentLineID'] !== null && values['ParentLineID'] !== undefined) }
      return typeof typed === 'object' && typed !== null ? withTyped(row, typed, this.columns) : row
    })
    this.#undo = []
    this.#redo = []
    this.#show(rows)
    this.#tell(this.#changeListeners)
  }

  /** Takes saved lines under the rows that stand here; what was done before they were sent is not undone any more. */
  takeUnder(rows: Rows): void {
    this.#undo = []
    this.#redo = []
    this.#show(rows)
    this.#tell(this.#changeListeners)
  }

  /** What is on its way into the lines (a code being looked up): somebody who saves waits for it. */
  await(coming: Promise<unknown>): void {
    const over = coming.finally(() => this.#awaited.delete(over))
    this.#awaited.add(over)
  }

  /** Resolves when nothing is on its way into the lines; undefined: nothing is. */
  get settled(): Promise<unknown> | undefined {
    return this.#awaited.size === 0 ? undefined : Promise.all(this.#awaited)
  }

  get rows(): Rows {
    return this.#rows
  }

  get cursor(): Cursor {
    return this.#cursor
  }

  get editing(): Editing | undefined {
    return this.#editing
  }

  get canUndo(): boolean {
    return this.#undo.length > 0
  }

  get canRedo(): boolean {
    return this.#redo.length > 0
  }

  /** The selected rectangle, both corners inside. */
  get range(): Range {
    const { row, col, anchorRow, anchorCol } = this.#cursor
    return { top: Math.min(row, anchorRow), bottom: Math.max(row, anchorRow), left: Math.min(col, anchorCol), right: Math.max(col, anchorCol) }
  }

  /** Are whole lines selected? */
  get hasLines(): boolean {
    const { left, right } = this.range
    return left < right && right - left === this.columns.length - 1
  }

  row(key: string): GridRow | undefined {
    const at = this.#index.get(key)
    return at === undefined ? undefined : this.#rows[at]
  }

  indexOf(key: string): number | undefined {
    return this.#index.get(key)
  }

  /** Is the last line still to be begun? */
  get isLastEmpty(): boolean {
    const last = this.#rows.at(-1)
    return last !== undefined && isEmpty(last, this.columns)
  }

  /** One undo step. The same rows again change nothing. */
  edit(wanted: Rows): void {
    if (wanted === this.#rows) return
    const next = this.#settled(wanted)
    this.#undo.push(this.#rows)
    if (this.#undo.length > historyLimit) this.#undo.shift()
    this.#redo = []
    this.#show(next)
    this.#tell(this.#changeListeners)
  }

  /** A new line at the focus, which goes there: above the whole of a combo when it is in one of its parts. */
  insert(): void {
    const rows = insertRow(this.#rows, this.#cursor.row, this.max, this.newKey)
    const at = rows.findIndex((row) => !this.#index.has(row.key))
    if (at < 0) return
    this.edit(rows)
    this.moveTo(at, this.#cursor.col)
  }

  /** Belongs to the last step (a code looked up after it was typed): undone with it, but computed and kept like an edit. */
  amend(next: Rows): void {
    if (next === this.#rows) return
    this.#show(this.#settled(next))
    this.#tell(this.#changeListeners)
  }

  /** Computed values, problems: shown, but no step to undo and nothing to compute again. */
  decorate(next: Rows): void {
    if (next === this.#rows) return
    this.#show(next)
    this.#tell(this.#decorateListeners)
  }

  /** How many steps can be undone. */
  get steps(): number {
    return this.#undo.length
  }

  undo(): void {
    const before = this.#undo.pop()
    if (before === undefined) return
    this.#redo.push(this.#rows)
    this.#show(before)
    this.#tell(this.#changeListeners)
  }

  redo(): void {
    const after = this.#redo.pop()
    if (after === undefined) return
    this.#undo.push(this.#rows)
    this.#show(after)
    this.#tell(this.#changeListeners)
  }

  /** Moves the focus; with `extend` the selection grows from where it started. Ends editing. */
  moveTo(row: number, col: number, extend = false): void {
    const to = { row: clamp(row, this.#rows.length - 1), col: clamp(col, this.columns.length - 1) }
    const { anchorRow, anchorCol } = extend ? this.#cursor : { anchorRow: to.row, anchorCol: to.col }
    this.#editing = undefined
    this.#cursor = { ...to, anchorRow, anchorCol }
    this.#tell(this.#cursorListeners)
  }

  /** The open editor says how to hand in what is typed. */
  holdBack(flush: () => void): () => void {
    this.#flush = flush
    return () => {
      if (this.#flush === flush) this.#flush = undefined
    }
  }

  /** What a day of a line is held against may stand in the header: the form says how to tell. */
  judgeBy(judge: Judge): void {
    this.#judge = judge
  }

  /** May this day stand there? */
  allows(column: LineColumn, row: GridRow | undefined, day: string): boolean {
    return row === undefined || this.#judge?.(column, row, day) === undefined
  }

  /** Days of a line that break a rule, by wire key. */
  beyond(row: GridRow): Readonly<Record<string, Message>> {
    return Object.fromEntries(
      this.#bounded.flatMap((column) => {
        const rule = row.fixed || isNothing(row.values[column.wire]) ? undefined : this.#judge?.(column, row, row.values[column.wire])
        return rule === undefined ? [] : [[column.wire, { key: rule }]]
      }),
    )
  }

  /** A field of the header has changed that days of the lines are held against. */
  judgeAgain(name: string): void {
    if (!this.#bounded.some(({ allows }) => allows?.some(({ must }) => fieldsOf(must).includes(name)))) return
    const next = this.#rows.map((row) => this.#judged(row))
    if (next.some((row, i) => row !== this.#rows[i])) this.decorate(next)
  }

  /** The line with what is said of its days as they stand; what else is said of them stays. */
  #judged(row: GridRow): GridRow {
    const beyond = this.beyond(row)
    const isRule = (wire: string, said: Message) => 'key' in said && this.#bounded.some((column) => column.wire === wire && column.allows?.some(({ label }) => label === said.key))
    const problems = { ...beyond, ...Object.fromEntries(Object.entries(row.problems).filter(([wire, said]) => !isRule(wire, said))) }
    return same(problems, row.problems) ? row : { ...row, problems }
  }

  /** How a code that stands in a line is looked up. */
  lookUpWith(lookUp: LookUp): void {
    this.#lookUp = lookUp
  }

  /** Codes that came to nothing because nobody answered, here or before they were kept in a draft, are looked up again; those of nothing are not. */
  lookUpAgain(): void {
    for (const row of this.#rows) {
      for (const column of this.columns) {
        const code = row.typed?.[column.wire]
        const problem = row.problems[column.wire]
        const isUnknown = problem !== undefined && 'key' in problem && problem.key === 'ui.paste.unknownCode'
        if (column.type !== 'ref' || code === undefined || isUnknown || this.#lookUp === undefined) continue
        this.await(this.#lookUp(row.key, column, code))
      }
    }
  }

  /** Hands in what the open editor holds and closes it. */
  flush(): void {
    this.#flush?.()
    this.stopEditing()
  }

  startEditing(start?: string, opens = false): void {
    const row = this.#rows[this.#cursor.row]
    const column = this.columns[this.#cursor.col]
    if (row === undefined || row.fixed || column === undefined || !column.entry) return
    this.#editing = opens ? { start, opens } : { start }
    this.#tell(this.#cursorListeners)
  }

  stopEditing(): void {
    if (this.#editing === undefined) return
    this.#editing = undefined
    this.#tell(this.#cursorListeners)
  }

  /** Moves the focus and asks the grid to bring it into view and take the keyboard. */
  jumpTo(rowKey: string, wire: string): void {
    const row = this.#index.get(rowKey)
    if (row === undefined) return
    this.moveTo(
      row,
      Math.max(
        0,
        this.columns.findIndex((column) => column.wire === wire),
      ),
    )
    this.#tell(this.#jumpListeners)
  }

  readonly onJump = (listener: Listener): (() => void) => subscribe(this.#jumpListeners, listener)

  readonly onRow = (key: string, listener: Listener): (() => void) => {
    const listeners = this.#rowListeners.get(key) ?? new Set()
    listeners.add(listener)
    this.#rowListeners.set(key, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#rowListeners.delete(key)
    }
  }

  /** Rows came, went or moved. */
  readonly onList = (listener: Listener): (() => void) => subscribe(this.#listListeners, listener)

  readonly onCursor = (listener: Listener): (() => void) => subscribe(this.#cursorListeners, listener)

  /** Something a user entered changed: time to compute and to keep a draft. */
  readonly onChange = (listener: Listener): (() => void) => subscribe(this.#changeListeners, listener)

  /** Computed values or problems arrived. */
  readonly onDecorate = (listener: Listener): (() => void) => subscribe(this.#decorateListeners, listener)

  /** Rows, what is wrong in them, or the focus changed. */
  readonly onAny = (listener: Listener): (() => void) => {
    const stops = [this.onChange(listener), this.onDecorate(listener), this.onCursor(listener)]
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Changed rows with what follows: defaults of a line that has just begun, computed cells. */
  #settled(next: Rows): Rows {
    if (!this.#hasRules) return next
    return next.map((row) => {
      const old = this.row(row.key)
      if (row === old || row.fixed) return row
      const begun = (old === undefined || isEmpty(old, this.columns)) && !isEmpty(row, this.columns) ? withDefaults(row, this.columns) : row.values
      const values = withComputed(this.columns, old?.values ?? {}, begun)
      return this.#judged(values === row.values ? row : { ...row, values })
    })
  }

  #show(next: Rows): void {
    const before = this.#rows
    const beforeIndex = this.#index
    this.#rows = withEmptyLast(next, this.columns, this.max, this.newKey)
    this.#index = new Map(this.#rows.map((row, at) => [row.key, at]))
    const moved = before.length !== this.#rows.length || this.#rows.some((row, at) => before[at]?.key !== row.key)
    for (const row of this.#rows) {
      const at = beforeIndex.get(row.key)
      if (at !== undefined && before[at] !== row) this.#tell(this.#rowListeners.get(row.key))
    }
    if (moved) this.#followRows(before)
  }

  /** Focus and selection stay on their rows when others come or go above them (a free line under an earlier one). */
  #followRows(before: Rows): void {
    const now = (index: number) => {
      const key = before[index]?.key
      return clamp((key === undefined ? undefined : this.#index.get(key)) ?? index, this.#rows.length - 1)
    }
    const { row, col, anchorRow, anchorCol } = this.#cursor
    this.#cursor = { row: now(row), col, anchorRow: now(anchorRow), anchorCol }
    this.#tell(this.#listListeners)
    this.#tell(this.#cursorListeners)
  }

  #tell(listeners: ReadonlySet<Listener> | undefined): void {
    for (const listener of listeners ?? []) listener()
  }
}

function subscribe(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

function withTyped(row: GridRow, typed: object, columns: readonly LineColumn[]): GridRow {
  const found = columns.flatMap(({ wire }) => {
    const text: unknown = Reflect.get(typed, wire)
    return typeof text === 'string' ? [[wire, text] as const] : []
  })
  return found.length === 0 ? row : { ...row, typed: Object.fromEntries(found), problems: Object.fromEntries(found.map(([wire, text]) => [wire, { key: 'ui.grid.unread', params: { text } }])) }
}

function withDefaults({ values, typed }: GridRow, columns: readonly LineColumn[]): GridRow['values'] {
  const missing = columns.filter((column) => column.entry && column.default !== undefined && values[column.wire] === undefined && typed?.[column.wire] === undefined)
  return missing.length === 0 ? values : { ...Object.fromEntries(missing.map((column) => [column.wire, column.default])), ...values }
}

function clamp(value: number, max: number): number {
  return Math.max(0, Math.min(value, Math.max(max, 0)))
}

import { today } from '#client/app/format.ts'
import { t } from '#client/app/messages.ts'
import { hasNoThousands, places } from '#client/form/entry.ts'
import { resolveOptions, type LookupSource, type Option } from '#client/form/lookupClient.ts'
import { compared, halfWidth, plainText as asKept } from '#base/unseen.ts'
import { dateOrderOf, decimalProofs, withPoint } from '#domain/importing/recognise.ts'
import { dayInDigits } from '#client/form/monthNames.ts'
import { same } from '#client/form/same.ts'
import { chosenValues, emptyRow, labelKeys, plainText, readText, setTyped, setValues } from './gridModel.ts'
import { parseTsv } from './tsv.ts'
import type { DateText } from '#base/date.ts'
import type { Message } from '#client/form/message.ts'
import type { LineColumn } from '#meta/resolved.ts'
import type { GridRow, Range, Rows } from './gridModel.ts'
import type { LineStore } from './lineStore.ts'

/** A cell that was pasted and cannot stay as it is. `row` counts pasted rows from 1. */
export interface Rejected {
  readonly row: number
  /** Key of the row it fell on. */
  readonly rowKey: string
  readonly column: LineColumn
  readonly text: string
  readonly reason: Message
}

/** Text of one cell, and how it reads here: a number with a point, a day with the day first. */
interface PastedCell {
  readonly row: number
  readonly column: LineColumn
  readonly text: string
  readonly reads: string
  /** Is a point in it known to stand before decimals? */
  readonly isProven: boolean
}

export interface PastePlan {
  readonly cells: readonly PastedCell[]
  /** Codes to look up for each reference column (by wire key), each once, in the order they appear. */
  readonly codes: ReadonlyMap<string, readonly string[]>
  /** Rows pasted, header row left out. */
  readonly height: number
  /** Pasted rows beyond the limit of lines. */
  readonly overflow: number
  /** Cells that fell on computed columns, on files, under headings of none or beyond the last one. */
  readonly skipped: number
  /** Headings that name no column here. */
  readonly foreign: readonly string[]
}

/** Record found for a code, with wire keys `ID`, `Code`, `Name` and the columns its `fills` need; null: nothing has that code. */
export type Found = ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<string, unknown>> | null>>

/** Where a paste goes: how many selected cells it may be repeated over, and what the grid it was copied from says of its rows: `+` entered, `-` made; empty: it comes from elsewhere. */
export interface PasteTarget {
  readonly rows: number
  readonly columns: number
  readonly own: string
}

/**
 * Lays pasted text over the visible columns from the focused one. A first row of headings, of which most are columns here, says which column each
 * cell belongs to instead. What fits the selection several times is repeated over it. `room` is how many rows fit from the focused row on.
 */
export function planPaste(
  textPasted: string,
  columns: readonly LineColumn[],
  left: number,
  room: number,
  label: (key: string) => string,
  over: PasteTarget = { rows: 1, columns: 1, own: '' },
): PastePlan {
  const pasted = entered(parseTsv(textPasted), over.own)
  const heading = pasted[0]?.map((text) => columnByHeading(columns, text, label)) ?? []
  const known = heading.filter((column) => column !== undefined).length
  const unknown = pasted[0]?.filter((text, i) => heading[i] === undefined && text.trim() !== '').map((text) => text.trim()) ?? []
  const hasHeading = pasted.length > 1 && known >= Math.max(unknown.length, unknown.length === 0 ? 1 : 2)
  const target = (i: number): LineColumn | undefined => (hasHeading ? heading[i] : columns[left + i])
  const body = hasHeading ? pasted.slice(1) : repeated(pasted, over)
  const cells: { row: number; column: LineColumn; text: string }[] = []
  const codes = new Map<string, string[]>()
  let skipped = 0
  for (const [row, texts] of body.slice(0, room).entries()) {
    for (const [i, text] of texts.entries()) {
      const column = target(i)
      if (column === undefined || !column.entry || column.file !== undefined) {
        if (text.trim() !== '') skipped++
        continue
      }
      cells.push({ row, column, text: column.type === 'ref' ? asKept(text) : text.trim() })
      const code = asKept(text)
      if (column.type !== 'ref' || code === '') continue
      const known = codes.get(column.wire) ?? []
      if (!known.includes(code)) known.push(code)
      codes.set(column.wire, known)
    }
  }
  return { cells: asRead(cells, over.own !== ''), codes, height: Math.min(body.length, room), overflow: Math.max(body.length - room, 0), skipped, foreign: hasHeading ? unknown : [] }
}

/** Parts of combos and free goods come of the lines pasted beside them: pasted as well they would be ordered, and billed, on top. Copied alone they are meant. */
function entered(rows: readonly (readonly string[])[], own: string): readonly (readonly string[])[] {
  return own.includes('+') ? rows.filter((_, i) => own[i] !== '-') : rows
}

/** As a spreadsheet does: the copied cells again and again over a selection they fit a whole number of times. */
function repeated(rows: readonly (readonly string[])[], over: PasteTarget): readonly (readonly string[])[] {
  const width = rows[0]?.length ?? 0
  if (width === 0 || over.rows % rows.length !== 0 || over.columns % width !== 0 || rows.some((row) => row.length !== width)) return rows
  return Array.from({ length: over.rows }, (_, i) => Array.from({ length: over.columns }, (_column, j) => rows[i % rows.length]?.[j % width] ?? ''))
}

/** Spreadsheets write numbers and days as their owner's country does. What all pasted numbers together prove is taken. */
function asRead(cells: readonly Omit<PastedCell, 'reads' | 'isProven'>[], isOwn: boolean): readonly PastedCell[] {
  const { comma, point } = decimalProofs(cells.filter(({ column }) => places(column.type) !== undefined).map(({ text }) => bareNumber(text)))
  const isComma = !isOwn && comma > 0 && point === 0
  const isProven = isOwn || comma + point > 0
  const isMonthFirst = !isOwn && dateOrderOf(cells.filter(({ column }) => column.type === 'date').map(({ text }) => halfWidth(text))) === 'MDY'
  return cells.map((pasted) => {
    const { column, text } = pasted
    const cell = { ...pasted, isProven: isProven || hasNoThousands(column.type) }
    if (column.type === 'date' && isMonthFirst) return { ...cell, reads: halfWidth(text).replace(/^(\d{1,2})([/.-])(\d{1,2})(?=[/.-])/, '$3$2$1') }
    if (column.type === 'date') return { ...cell, reads: dayInDigits(halfWidth(text).trim()) }
    if (places(column.type) === undefined) return { ...cell, reads: text }
    const bare = bareNumber(text)
    return { ...cell, reads: isComma ? withPoint(bare) : bare }
  })
}

/** Without currency, blanks and the sign of percent. */
export function bareNumber(text: string): string {
  return halfWidth(text).replace(/^Rp\.?\s*/i, '').replace(/\s|%$/g, '')
}

/** The column of this label or name, however it is spaced; of a reference also by the name of its code. */
function columnByHeading(columns: readonly LineColumn[], heading: string, label: (key: string) => string): LineColumn | undefined {
  const bare = (text: string): string => compared(text).replace(/[\s_]/g, '')
  const wanted = bare(heading)
  return wanted === '' ? undefined : columns.find((column) => [label(column.label), column.wire, column.type === 'ref' ? labelKeys(column).code : ''].some((name) => bare(name) === wanted))
}

/** The rows after the paste, in one step, every cell that could not be read with its text and reason, and the keys of the rows pasted into. */
export function applyPaste(
  rows: Rows,
  top: number,
  plan: PastePlan,
  found: Found,
  options: { readonly today: DateText; readonly label: (key: string) => string; readonly newKey: () => string },
): { readonly rows: Rows; readonly keys: readonly string[] } {
  const targets = entryTargets(rows, top, plan.height, options.newKey)
  let next: Rows = targets.rows
  const filled = new Set<string>()
  // References first: what they fill gives way to what was pasted beside them, but not to an empty cell.
  for (const cell of [...plan.cells].sort((a, b) => Number(b.column.type === 'ref') - Number(a.column.type === 'ref'))) {
    const { row, column, text } = cell
    const index = targets.at[row]
    if (index === undefined || (text === '' && filled.has(`${row} ${column.name}`))) continue
    const read = column.type === 'ref' ? readReference(column, text, found) : readText(column, cell.reads, options.today, options.label, cell.isProven)
    if (!read.ok) {
      next = setTyped(next, index, column, text, read.problem)
      continue
    }
    next = setValues(next, index, 'values' in read ? read.values : { [column.wire]: read.value })
    if (column.type === 'ref' && text !== '') for (const name of Object.keys(column.fills ?? {})) filled.add(`${row} ${name}`)
  }
  return { rows: next, keys: targets.at.map((index) => targets.rows[index]?.key ?? '') }
}

/** What a paste has to tell for as long as it stands. */
export interface Pasted {
  /** Rows pasted into, in order, and wire keys of the columns. */
  readonly keys: readonly string[]
  readonly wires: ReadonlySet<string>
  /** The rows right after the paste, by key. */
  readonly rows: ReadonlyMap<string, GridRow>
}

export interface PasteReport extends Pasted {
  readonly total: number
  readonly overflow: number
  readonly skipped: number
  readonly foreign: readonly string[]
  /** Undone, the paste has nothing to tell any more. */
  readonly steps: number
}

/** What is pasted, and the selection it was pasted over as it stood then. */
interface Paste {
  readonly text: string
  readonly own: string
  readonly target: Range
  /** Key of the first row of the selection. */
  readonly topKey: string
}

/** Puts the cells into the lines in one step, once their codes are looked up. Undefined: they could not be, and nothing was taken. */
export async function paste(store: LineStore, sourceOf: (column: LineColumn) => LookupSource, { text, own, target, topKey }: Paste): Promise<PasteReport | undefined> {
  const room = store.max - store.rows.slice(0, target.top).filter((one) => !one.fixed).length
  const plan = planPaste(text, store.columns, target.left, room, t, { rows: target.bottom - target.top + 1, columns: target.right - target.left + 1, own })
  const found = new Map<string, ReadonlyMap<string, Option | null>>()
  const answers = await Promise.all(
    [...plan.codes].map(async ([wire, codes]) => {
      const column = store.columns.find((one) => one.wire === wire)
      const records = column === undefined ? [] : await resolveOptions(sourceOf(column), codes)
      found.set(wire, new Map(codes.map((code, i) => [code, records?.[i] ?? null])))
      return records
    }),
  )
  if (answers.includes(undefined)) return undefined
  // Lines may have come above it meanwhile.
  const result = applyPaste(store.rows, store.indexOf(topKey) ?? target.top, plan, found, { today: today(), label: t, newKey: store.newKey })
  store.edit(result.rows)
  return {
    total: plan.cells.length,
    keys: result.keys,
    wires: new Set(plan.cells.map(({ column }) => column.wire)),
    rows: new Map(store.rows.map((row) => [row.key, row])),
    overflow: plan.overflow,
    skipped: plan.skipped,
    foreign: plan.foreign,
    steps: store.steps,
  }
}

/** Pasted cells that nobody has put right since: what could not be read, and what the server refused later (a unit the item does not have). */
export function refusedOf(rows: Rows, columns: readonly LineColumn[], { keys, wires, rows: pasted }: Pasted): readonly Rejected[] {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return keys.flatMap((rowKey, i) => {
    const [row, before] = [byKey.get(rowKey), pasted.get(rowKey)]
    if (row === undefined || before === undefined) return []
    return columns.flatMap((column): readonly Rejected[] => {
      const reason = row.problems[column.wire]
      if (reason === undefined || !wires.has(column.wire)) return []
      const text = plainText(column, row)
      const isUntouched = text === plainText(column, before) && same(row.values[column.wire], before.values[column.wire])
      return text === '' || !isUntouched ? [] : [{ row: i + 1, rowKey, column, text, reason }]
    })
  })
}

/** Indexes of the entered rows the paste goes to: lines the server made are stepped over, missing rows are added. */
function entryTargets(rows: Rows, top: number, height: number, newKey: () => string): { readonly rows: Rows; readonly at: readonly number[] } {
  const next: GridRow[] = [...rows]
  const at: number[] = []
  for (let index = top; at.length < height; index++) {
    if (index >= next.length) next.push(emptyRow(newKey()))
    if (next[index]?.fixed !== true) at.push(index)
  }
  return { rows: next, at }
}

function readReference(
  column: LineColumn,
  code: string,
  found: Found,
): { readonly ok: true; readonly values: Readonly<Record<string, unknown>> } | { readonly ok: false; readonly problem: Message } {
  const keys = labelKeys(column)
  if (code === '') return { ok: true, values: { [column.wire]: null, [keys.code]: null, [keys.name]: null } }
  const record = found.get(column.wire)?.get(code)
  if (record === undefined || record === null) return { ok: false, problem: { key: 'ui.paste.unknownCode', params: { code } } }
  return { ok: true, values: chosenValues(column, record) }
}

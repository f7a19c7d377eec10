import { exact, sum } from '#base/decimal.ts'
import { compared, halfWidth } from '#base/unseen.ts'
import { referenceNames } from '#base/wireName.ts'
import { checkValue, isRange } from '#client/form/check.ts'
import { fillValues } from '#client/form/fills.ts'
import { groupedNumber, hasNoThousands, isSigned, numberKeys, numberMessage, parseDay, parseNumber, parseRanged, places, shownDay, shownPlaces } from '#client/form/entry.ts'
import { isNothing, same } from '#client/form/same.ts'
import type { DateText } from '#base/date.ts'
import type { Message } from '#client/form/message.ts'
import type { LineColumn } from '#meta/resolved.ts'

/**
 * Lines of a document as the grid edits them. Pure: every function takes rows and gives rows, untouched rows stay identical, so that a row
 * on the screen is drawn again only when it changed.
 */
export interface GridRow {
  /** Stays with the row through every edit; never travels. */
  readonly key: string
  /** Wire keys, with code and name beside a reference (`ItemID`, `ItemCode`, `ItemName`). */
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: Readonly<Record<string, Message>>
  /** What stands in cells instead of a value, as it was typed or pasted: it could not be read, or its code names nothing (yet). */
  readonly typed?: Readonly<Record<string, string>> | undefined
  /** Values the server offers in a cell of text, by wire key (the units of the line's item). */
  readonly offers?: Offers | undefined
  /** What cells say when they are pointed at, by wire key (the same quantity in base units). */
  readonly beside?: Beside | undefined
  /** Made by the server (free goods, parts of a bundle): shown under the entered line before it, never edited, never sent. */
  readonly fixed: boolean
}

export type Rows = readonly GridRow[]

export type Offers = Readonly<Record<string, readonly string[]>>

export type Beside = Readonly<Record<string, string>>

export interface Range {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** Wire keys under which code and name of a reference column travel. */
export function labelKeys(column: LineColumn): { readonly code: string; readonly name: string } {
  return referenceNames(column.name)
}

/** A new line with nothing entered. */
export function emptyRow(key: string, values: Readonly<Record<string, unknown>> = {}): GridRow {
  return { key, values, problems: {}, fixed: false }
}

/** Nothing entered in any entry column, readable or not. */
export function isEmpty(row: GridRow, columns: readonly LineColumn[]): boolean {
  return !row.fixed && row.typed === undefined && columns.every((column) => !column.entry || isNothing(row.values[column.wire]) || isDefault(column, row.values[column.wire]))
}

export function isDefault(column: LineColumn, value: unknown): boolean {
  return value === false || (column.default !== undefined && same(column.default, value))
}

/** The rows with exactly one empty row at their end, unless the limit of lines is reached. */
export function withEmptyLast(rows: Rows, columns: readonly LineColumn[], max: number, newKey: () => string): Rows {
  const last = rows.at(-1)
  if (last !== undefined && isEmpty(last, columns)) return rows
  return rows.length >= max ? rows : [...rows, emptyRow(newKey())]
}

/** Text of a cell at rest. A choice shows its label by `label`. */
export function shownText(column: LineColumn, row: GridRow, label: (key: string) => string): string {
  const typed = row.typed?.[column.wire]
  if (typed !== undefined) return typed
  const value = row.values[column.wire]
  if (isNothing(value)) return ''
  switch (column.type) {
    case 'ref': {
      const keys = labelKeys(column)
      const code = text(row.values[keys.code])
      const name = text(row.values[keys.name])
      if (column.file !== undefined) return name
      return code === name || name === '' ? code : `${code}  ${name}`
    }
    case 'enum':
    case 'status':
      return label(column.choices?.find((choice) => choice.value === value)?.label ?? text(value))
    case 'boolean':
      return value === true ? '✓' : ''
    case 'date':
      return shownDay(text(value))
    default:
      return places(column.type) === undefined ? text(value) : groupedNumber(text(value), shownPlaces(column.type))
  }
}

/** Text of a cell for a spreadsheet and for its editor: bare numbers, codes, days as DD/MM/YYYY. */
export function plainText(column: LineColumn, row: GridRow): string {
  const typed = row.typed?.[column.wire]
  if (typed !== undefined) return typed
  const value = row.values[column.wire]
  if (isNothing(value)) return ''
  if (column.type === 'ref') return text(row.values[column.file === undefined ? labelKeys(column).code : labelKeys(column).name])
  if (column.type === 'date') return shownDay(text(value))
  if (column.type === 'boolean') return value === true ? '1' : '0'
  return places(column.type) === undefined ? text(value) : groupedNumber(text(value), 0).replaceAll(',', '')
}

/** Is this number right-aligned? */
export function isNumeric(column: LineColumn): boolean {
  return places(column.type) !== undefined
}

/** What may be typed into a number of this column. */
export function keysOf(column: LineColumn): (key: string) => boolean {
  return isSigned(column) ? numberKeys.signed : numberKeys.unsigned
}

/** Does a cell of this column begin with this text when it is typed? */
export function opensWith(column: LineColumn, text: string): boolean {
  return column.file === undefined && (!isNumeric(column) || keysOf(column)(halfWidth(text).slice(0, 1)))
}

export type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: Message }

/** Value of typed or pasted text, for every type but a reference. `isProven`: the dot of a number is known to stand before decimals. */
export function readText(column: LineColumn, typed: string, today: DateText, label: (key: string) => string, isProven = hasNoThousands(column.type)): Read {
  const bare = typed.trim()
  const decimals = places(column.type)
  if (decimals !== undefined) {
    const parsed = (isRange(column) ? parseRanged : parseNumber)(column.type === 'percent' ? bare.replace(/%$/, '') : bare, decimals, isProven)
    if (!parsed.ok) return { ok: false, problem: numberMessage(parsed.problem, bare, decimals) }
    return { ok: true, value: column.type === 'integer' && parsed.value !== null ? Number(parsed.value) : parsed.value }
  }
  if (column.type === 'date') {
    const parsed = parseDay(bare, today)
    return parsed.ok ? parsed : { ok: false, problem: { key: parsed.problem } }
  }
  if (column.type === 'boolean') {
    if (/^(1|x|y|yes|ya|true|✓)$/i.test(bare)) return { ok: true, value: true }
    if (/^(0|n|no|tidak|false|)$/i.test(bare)) return { ok: true, value: false }
    return { ok: false, problem: { key: 'ui.entry.boolean' } }
  }
  if (column.choices !== undefined) {
    if (bare === '') return { ok: true, value: null }
    const lower = compared(bare)
    const choice = column.choices.find((one) => compared(String(one.value)) === lower || compared(label(one.label)) === lower)
    return choice === undefined ? { ok: false, problem: { key: 'ui.entry.choice' } } : { ok: true, value: choice.value }
  }
  return { ok: true, value: bare === '' ? null : bare }
}

/** New values into one row; problems of the changed cells are forgotten. Fixed rows stay as they are. */
export function setValues(rows: Rows, index: number, values: Readonly<Record<string, unknown>>): Rows {
  const row = rows[index]
  if (row === undefined || row.fixed || Object.entries(values).every(([wire, value]) => row.typed?.[wire] === undefined && same(row.values[wire], value))) return rows
  const others = <T>(of: Readonly<Record<string, T>>): Readonly<Record<string, T>> => Object.fromEntries(Object.entries(of).filter(([wire]) => !(wire in values)))
  const typed = others(row.typed ?? {})
  return rows.with(index, { ...row, values: { ...row.values, ...values }, problems: others(row.problems), typed: Object.keys(typed).length === 0 ? undefined : typed })
}

/** Text that is no value (yet) into one cell, where it stays until it is typed over. */
export function setTyped(rows: Rows, index: number, column: LineColumn, text: string, problem?: Message): Rows {
  const cleared = setValues(rows, index, clearedValues(column))
  const row = cleared[index]
  if (row === undefined || row.fixed) return rows
  const next = cleared.with(index, { ...row, typed: { ...row.typed, [column.wire]: text } })
  return problem === undefined ? next : withProblem(next, index, column, problem)
}

/** What clearing one column sets: the reference with its code and name, a tick to no. */
export function clearedValues(column: LineColumn): Readonly<Record<string, unknown>> {
  if (column.type === 'boolean') return { [column.wire]: false }
  if (column.type !== 'ref') return { [column.wire]: null }
  const keys = labelKeys(column)
  return { [column.wire]: null, [keys.code]: null, [keys.name]: null }
}

/** What choosing a record sets in the row: the reference, its code and name, and the columns it fills. */
export function chosenValues(column: LineColumn, record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const keys = labelKeys(column)
  return { [column.wire]: record['ID'] ?? null, [keys.code]: record['Code'] ?? null, [keys.name]: record['Name'] ?? null, ...fillValues(column.fills ?? {}, record) }
}

/** Empties the entry cells of the range. */
export function clearRange(rows: Rows, columns: readonly LineColumn[], range: Range): Rows {
  let next = rows
  const values = Object.assign({}, ...entryColumns(columns, range).map(clearedValues)) as Record<string, unknown>
  for (let index = range.top; index <= range.bottom; index++) next = setValues(next, index, values)
  return next
}

/**
 * Copies the first row of the range downwards; a range of one row takes the row above it. What a reference fills comes with it where nothing stands yet. A file
 * belongs to one line and is not copied.
 */
export function fillDown(rows: Rows, columns: readonly LineColumn[], range: Range): Rows {
  const from = rows[range.top === range.bottom ? previousEntered(rows, range.top) : range.top]
  if (from === undefined) return rows
  const values: Record<string, unknown> = {}
  for (const column of entryColumns(columns, range)) {
    if (column.file !== undefined) continue
    for (const wire of Object.keys(clearedValues(column))) values[wire] = from.values[wire] ?? null
  }
  const unread = entryColumns(columns, range).filter(({ wire }) => from.typed?.[wire] !== undefined)
  const names = new Set(entryColumns(columns, range).flatMap(({ wire, fills }) => (from.typed?.[wire] === undefined ? Object.keys(fills ?? {}) : [])))
  const filled = columns.filter((column) => names.has(column.name) && column.entry && !(column.wire in values))
  let next = rows
  for (let index = range.top; index <= range.bottom; index++) {
    if (rows[index] === from) continue
    const open = filled.filter(({ wire }) => isNothing(rows[index]?.values[wire]) && rows[index]?.typed?.[wire] === undefined).flatMap((column) => Object.keys(clearedValues(column)))
    next = setValues(next, index, { ...values, ...Object.fromEntries(open.map((key) => [key, from.values[key] ?? null])) })
    for (const column of unread) next = setTyped(next, index, column, from.typed?.[column.wire] ?? '', from.problems[column.wire])
  }
  return next
}

function previousEntered(rows: Rows, index: number): number {
  let at = index - 1
  while (rows[at]?.fixed === true) at--
  return at
}

function entryColumns(columns: readonly LineColumn[], range: Range): readonly LineColumn[] {
  return columns.slice(range.left, range.right + 1).filter((column) => column.entry)
}

/** A new empty row before `index`, never between an entered line and what the server put under it. */
export function insertRow(rows: Rows, index: number, max: number, newKey: () => string): Rows {
  let at = index
  while (rows[at]?.fixed === true) at--
  return rows.length >= max ? rows : rows.toSpliced(Math.max(at, 0), 0, emptyRow(newKey()))
}

/** Without the entered rows of the range and what stands under them. */
export function deleteRows(rows: Rows, range: Range): Rows {
  let doomed = false
  return rows.filter((row, index) => {
    if (!row.fixed) doomed = index >= range.top && index <= range.bottom
    return !doomed
  })
}

/** Cells of the range as plain text, for the clipboard. */
export function copyRange(rows: Rows, columns: readonly LineColumn[], range: Range): readonly (readonly string[])[] {
  return rows.slice(range.top, range.bottom + 1).map((row) => columns.slice(range.left, range.right + 1).map((column) => plainText(column, row)))
}

/** What is wrong with each entry cell of a row; an empty row has no problems. */
export function checkRow(row: GridRow, columns: readonly LineColumn[]): Readonly<Record<string, Message>> {
  const problems: Record<string, Message> = {}
  if (row.fixed || isEmpty(row, columns)) return problems
  for (const column of columns) {
    const problem = column.entry ? checkValue(column, row.values[column.wire], column.required) : undefined
    if (problem !== undefined) problems[column.wire] = problem
  }
  return problems
}

/** Exact sums of the columns that have a total, decimal text by wire key; what is no number counts as nothing. A line that became several counts as these. */
export function totalsOf(rows: Rows, columns: readonly LineColumn[]): Readonly<Record<string, string>> {
  const totals: Record<string, string> = {}
  const counted = rows.filter((row, i) => row.fixed || rows[i + 1]?.fixed !== true || rows[i + 1]?.values['IsFree'] === true)
  for (const column of columns) {
    if (column.total !== 'sum') continue
    const numbers = counted.map((row) => text(row.values[column.wire])).filter((value) => /^-?\d+(\.\d+)?$/.test(value))
    totals[column.wire] = sum(numbers.map((value) => exact(value))).toFixed()
  }
  return totals
}

/** Entered rows with anything in them: what is validated, computed and saved, in order. */
export function enteredRows(rows: Rows, columns: readonly LineColumn[]): Rows {
  return rows.filter((row) => !row.fixed && !isEmpty(row, columns))
}

/**
 * Puts the answer of a computation into the rows. `sent` are the keys of the entered rows as they were sent, in order; a row that was
 * edited again meanwhile (its values are not those sent) keeps what it shows. Answer lines carry the `LineNo` they were sent with; the
 * others (free goods, parts of a combo) become fixed rows under the line before them; `Offers` of a line are what its cells may hold, `Beside` what they say when pointed at. `more`:
 * wire keys taken over beside those of the columns.
 */
export function takeComputed(rows: Rows, columns: readonly LineColumn[], sent: Rows, answer: readonly Readonly<Record<string, unknown>>[], more: readonly string[] = []): Rows {
  const computed = new Map<string, Readonly<Record<string, unknown>>>()
  const under = new Map<string, GridRow[]>()
  let owner: string | undefined
  for (const [n, line] of answer.entries()) {
    const made = line['IsFree'] === true || !isNothing(line['ParentLineNo'])
    if (made) {
      const parent = typeof line['ParentLineNo'] === 'number' ? sent[line['ParentLineNo'] - 1]?.key : owner
      if (parent === undefined) continue
      const rest = under.get(parent) ?? []
      rest.push({ key: `${parent}/${rest.length}`, values: line, problems: {}, beside: line['Beside'] as Beside | undefined, fixed: true })
      under.set(parent, rest)
    } else {
      owner = sent[typeof line['LineNo'] === 'number' ? line['LineNo'] - 1 : n]?.key
      if (owner !== undefined) computed.set(owner, line)
    }
  }
  const wires = [...columns.filter((column) => !column.entry).flatMap((column) => Object.keys(clearedValues(column))), ...more]
  const sentRow = new Map(sent.map((row) => [row.key, row]))
  const next: GridRow[] = []
  for (const row of rows) {
    if (row.fixed) continue
    const line = computed.get(row.key)
    next.push(line !== undefined && sentRow.get(row.key)?.values === row.values ? withComputed(row, wires, line) : row)
    for (const made of under.get(row.key) ?? []) next.push(keepSame(rows, made))
  }
  return next.length === rows.length && next.every((row, i) => row === rows[i]) ? rows : next
}

/** Of a line for which nothing can be computed: what is worked out from the form or filled in by a reference stays. */
export function withoutComputed(columns: readonly LineColumn[]): Readonly<Record<string, unknown>> {
  const filled = new Set(columns.flatMap(({ fills = {} }) => Object.keys(fills)))
  return Object.assign({}, ...columns.filter(({ entry, compute, name }) => !entry && compute === undefined && !filled.has(name)).map(clearedValues)) as Record<string, unknown>
}

function withComputed(row: GridRow, wires: readonly string[], line: Readonly<Record<string, unknown>>): GridRow {
  const offers = offersOf(line)
  const beside = line['Beside'] as Beside | undefined
  if (wires.every((wire) => !(wire in line) || same(row.values[wire], line[wire]))) return same(offers, row.offers) && same(beside, row.beside) ? row : { ...row, offers, beside }
  const values: Record<string, unknown> = { ...row.values }
  for (const wire of wires) if (wire in line) values[wire] = line[wire]
  return { ...row, values, offers, beside }
}

function offersOf({ Offers: offers }: Readonly<Record<string, unknown>>): Offers | undefined {
  if (typeof offers !== 'object' || offers === null) return undefined
  return Object.fromEntries(Object.entries(offers).map(([wire, texts]): [string, readonly string[]] => [wire, Array.isArray(texts) ? texts.map(String) : []]))
}

function keepSame(rows: Rows, made: GridRow): GridRow {
  const old = rows.find((row) => row.key === made.key)
  return old !== undefined && same(old.values, made.values) ? old : made
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The rows with something said of one cell. */
export function withProblem(rows: Rows, index: number, column: LineColumn, problem: Message): Rows {
  const row = rows[index]
  return row === undefined ? rows : rows.with(index, { ...row, problems: { ...row.problems, [column.wire]: problem } })
}

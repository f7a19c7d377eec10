import { gridsOf } from '#meta/formGrids.ts'
import { enteredRows, type GridRow, type Rows } from '../grid/gridModel.ts'
import { typedKey } from '../grid/lineStore.ts'
import type { Values } from './formModel.ts'
import { placeOf } from './problems.ts'
import { isNothing, same } from './same.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { FormScreen, LineOrigin } from '#meta/resolved.ts'
import type { LineStore } from '../grid/lineStore.ts'
import type { Message } from './message.ts'

/** What pricing found wrong with a line, at its cell; problems of another origin stay, earlier ones of pricing go. */
export function withServerProblems(rows: Rows, sent: Rows, errors: readonly FieldProblem[], firstWire: string): Rows {
  const byRow = new Map<string, Record<string, Message>>()
  for (const error of errors) {
    const place = placeOf(error)
    const row = place.kind === 'line' ? sent[place.index] : undefined
    if (place.kind !== 'line' || row === undefined) continue
    byRow.set(row.key, { ...byRow.get(row.key), [place.wire === '' ? firstWire : place.wire]: { text: error.text, priced: true } })
  }
  const next = rows.map((row) => {
    if (row.fixed) return row
    const own = Object.entries(row.problems).filter(([, message]) => !isSaid(message) || message.priced !== true)
    // What is said of text that is no value says more than that a value is missing.
    const problems = { ...Object.fromEntries(own), ...byRow.get(row.key), ...Object.fromEntries(own.filter(([wire]) => row.typed?.[wire] !== undefined)) }
    return same(problems, row.problems) ? row : { ...row, problems }
  })
  return next.every((row, i) => row === rows[i]) ? rows : next
}

function isSaid(message: Message): message is Extract<Message, { readonly text: string }> {
  return 'text' in message
}

/** What the server said of cells that hold what they held then; changing a cell forgets it. */
export function saidOf({ problems }: GridRow): Readonly<Record<string, Message>> {
  return Object.fromEntries(Object.entries(problems).filter(([, message]) => isSaid(message)))
}

export function originKeys({ by, from }: LineOrigin): readonly string[] {
  return [by, ...Object.values(from)]
}

/** Lines of every grid, by wire key. */
export type Lines = Readonly<Record<string, readonly Values[]>>

export function linesOf(record: WireRecord, screen: FormScreen): Lines {
  return Object.fromEntries(
    gridsOf(screen).map(({ wire }) => {
      const lines = record[wire]
      return [wire, Array.isArray(lines) ? lines.filter((line): line is Values => typeof line === 'object' && line !== null) : []]
    }),
  )
}

/** Lines as they are sent; an owned record says at which version it was read. */
export function lineBodies({ columns }: LineStore, rows: Rows): readonly Values[] {
  const entered = columns.filter((column) => column.entry)
  return rows.map((row, i) => ({
    ...(typeof row.values['ID'] === 'number' ? { ID: row.values['ID'] } : {}),
    ...(typeof row.values['Version'] === 'number' ? { Version: row.values['Version'] } : {}),
    LineNo: i + 1,
    ...Object.fromEntries(entered.map((column) => [column.wire, isNothing(row.values[column.wire]) ? null : row.values[column.wire]])),
  }))
}

/** Lines as two readings of the same record can be compared. */
export function stripVersion(line: Values): Values {
  return Object.fromEntries(Object.entries(line).filter(([key]) => key !== 'Version' && key !== 'UpdatedAt' && key !== 'Actions'))
}

/** Was a line entered, changed or removed since these were read? */
export function areLinesDirty(lines: LineStore, base: readonly Values[]): boolean {
  const columns = lines.columns.filter((column) => column.entry)
  const now = enteredRows(lines.rows, lines.columns)
  const before = enteredOf(base)
  if (now.length !== before.length) return true
  return now.some((row, i) => row.typed !== undefined || (row.values !== before[i] && columns.some((column) => !same(row.values[column.wire], before[i]?.[column.wire]))))
}

/** A line as a draft keeps it: with what was typed into it and is no value yet. */
export function asKept({ values, typed }: GridRow): Values {
  return typed === undefined ? values : { ...values, [typedKey]: typed }
}

/** Lines as they can be saved in the place of those that stand there now: at their versions, and what others removed as new ones. */
export function inPlaceOf(now: readonly Values[], mine: readonly Values[]): readonly Values[] {
  const byId = new Map(now.map((line) => [line['ID'], line]))
  return mine.map((line) => {
    const { ID: id, Version: _, ...entered } = line
    if (isNothing(id)) return line
    const there = byId.get(id)
    return there === undefined ? entered : { ...line, ...('Version' in there ? { Version: there['Version'] } : {}) }
  })
}

/** What is entered in lines, as text: the same text is the same lines. */
export function enteredText({ columns }: LineStore, lines: readonly Values[]): string {
  const entered = columns.filter((column) => column.entry)
  return JSON.stringify(enteredOf(lines).map((line) => [line['ID'], ...entered.map(({ wire }) => line[wire] ?? null)]))
}

/** What the server made (free goods, parts of a bundle) it makes again. */
export function enteredOf(lines: readonly Values[]): readonly Values[] {
  return lines.filter((line) => line['IsFree'] !== true && isNothing(line['ParentLineID']))
}

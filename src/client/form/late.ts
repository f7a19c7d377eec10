import { enteredRows, type Rows } from '../grid/gridModel.ts'
import { asKept, enteredOf, inPlaceOf } from './formLines.ts'
import { allFields, keysOf, type Values } from './formModel.ts'
import { same } from './same.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { FormField } from '#meta/resolved.ts'
import type { LineStore } from '../grid/lineStore.ts'
import type { FormSession } from './formSession.ts'
import type { SlotPart } from './formState.ts'
import type { Typed } from './formStore.ts'

/** What stood in a form when it was sent. */
export interface Sent {
  /** What was entered, as text: the same text is the same. */
  readonly text: string
  readonly values: Values
  readonly typed: Typed
  readonly rows: ReadonlyMap<LineStore, Rows>
  readonly parts: ReadonlyMap<SlotPart, Values>
}

/** Lays the saved record under what was typed since it was sent, which stays where it stands, inputs and all. The session knows its lines already. */
export function takeUnder(session: FormSession, saved: WireRecord, sent: Sent): void {
  const { screen, store } = session
  store.takeUnder(saved, lateValues(allFields(screen), sent.values, store.values, saved), sent.typed)
  for (const [wire, grid] of session.grids) {
    const read = session.linesRead(wire)
    const before = sent.rows.get(grid) ?? []
    const rows = lateRows(grid, before, enteredOf(read))
    if (grid.rows === before && grid.editing === undefined) grid.load(read)
    else if (rows === undefined) grid.load(inPlaceOf(read, enteredRows(grid.rows, grid.columns).map(asKept)))
    else grid.takeUnder(rows)
  }
  for (const part of session.parts.values()) {
    const draft = same(sent.parts.get(part), part.payload()) ? undefined : part.draft()
    part.load(saved)
    if (draft !== undefined) part.restore(draft)
  }
}

/** What was changed while a record was being saved, over the record that came back. Keys of a reference stay together. */
function lateValues(fields: readonly FormField[], sent: Values, now: Values, saved: Values): Values {
  const late = new Set(Object.keys(now).filter((key) => !same(sent[key], now[key])))
  for (const field of fields) if (keysOf(field).some((key) => late.has(key))) for (const key of keysOf(field)) late.add(key)
  return { ...saved, ...Object.fromEntries([...late].map((key) => [key, now[key]])) }
}

/**
 * Rows that stand in a grid after `sent` of them were saved as `saved`, in that order: each keeps its place and the cells changed meanwhile, the rest is the saved
 * line's. Undefined: they were not saved one by one (a combo became its parts), and nobody can say which is which.
 */
function lateRows({ rows, columns }: LineStore, sent: Rows, saved: readonly Values[]): Rows | undefined {
  const entered = enteredRows(sent, columns)
  if (entered.length !== saved.length) return undefined
  const was = new Map(entered.map((row, i) => [row.key, { row, line: saved[i] ?? {} }]))
  return rows.map((row) => {
    const before = was.get(row.key)
    if (before === undefined) return row
    return { ...row, values: { ...before.line, ...Object.fromEntries(Object.entries(row.values).filter(([key, value]) => !same(before.row.values[key], value))) } }
  })
}

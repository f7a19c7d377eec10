import { enteredRows, type Rows } from '../grid/gridModel.ts'
import { keysOf, type Values } from './formModel.ts'
import { same } from './same.ts'
import type { FormField } from '#meta/resolved.ts'
import type { LineStore } from '../grid/lineStore.ts'

/** What was changed while a record was being saved, over the record that came back. Keys of a reference stay together. */
export function lateValues(fields: readonly FormField[], sent: Values, now: Values, saved: Values): Values {
  const late = new Set(Object.keys(now).filter((key) => !same(sent[key], now[key])))
  for (const field of fields) if (keysOf(field).some((key) => late.has(key))) for (const key of keysOf(field)) late.add(key)
  return { ...saved, ...Object.fromEntries([...late].map((key) => [key, now[key]])) }
}

/**
 * Rows that stand in a grid after `sent` of them were saved as `saved`, in that order: each keeps its place and the cells changed meanwhile, the rest is the saved
 * line's. Undefined: they were not saved one by one (a combo became its parts), and nobody can say which is which.
 */
export function lateRows({ rows, columns }: LineStore, sent: Rows, saved: readonly Values[]): Rows | undefined {
  const entered = enteredRows(sent, columns)
  if (entered.length !== saved.length) return undefined
  const was = new Map(entered.map((row, i) => [row.key, { row, line: saved[i] ?? {} }]))
  return rows.map((row) => {
    const before = was.get(row.key)
    if (before === undefined) return row
    return { ...row, values: { ...before.line, ...Object.fromEntries(Object.entries(row.values).filter(([key, value]) => !same(before.row.values[key], value))) } }
  })
}

import type { GridRow, Rows } from '../grid/gridModel.ts'
import type { LineStore } from '../grid/lineStore.ts'

/** The lines of a document exchanged for others, as one step that can be undone. */
export function replacedLines(store: LineStore, lines: readonly Readonly<Record<string, unknown>>[]): Rows {
  return lines.map((values): GridRow => ({ key: store.newKey(), values: { ...Object.fromEntries(store.columns.flatMap(({ wire, default: initial }) => (initial === undefined ? [] : [[wire, initial]]))), ...values }, problems: {}, fixed: false }))
}

import { isDefault, labelKeys, setValues, type GridRow, type Rows } from '../grid/gridModel.ts'
import { isNothing, same } from './same.ts'
import type { FormLines, LineColumn } from '#meta/resolved.ts'
import type { LineStore } from '../grid/lineStore.ts'
import type { FormStore } from './formStore.ts'

type Values = Readonly<Record<string, unknown>>
export type Computed = Values & { readonly Lines: readonly Values[] }

/**
 * What the server suggested for the cells and fields of one form, so that what somebody takes away again is not filled in a second time. Of the
 * header under '', of a line under the key of its row.
 */
export class Suggestions {
  readonly #suggests: NonNullable<FormLines['suggests']>
  readonly #offered = new Map<string, unknown>()

  constructor(suggests: NonNullable<FormLines['suggests']>) {
    this.#suggests = suggests
  }

  /** The next answer fills in again what was suggested before. */
  forget(): void {
    this.#offered.clear()
  }

  /** Fills in what the answer says of the header and of the lines sent; `isKept`: it only remembers what was said. */
  fillIn(store: FormStore, lines: LineStore, sent: Rows, answer: Computed, isKept: boolean): void {
    const header = this.ofHeader(store.values, answer)
    const rows = this.ofLines(lines.rows, lines.columns, sent, answer.Lines)
    if (isKept) return
    if (Object.keys(header).length > 0) store.prefill(header)
    lines.amend(rows)
  }

  /** Header values to fill in. */
  ofHeader(values: Values, answer: Values): Values {
    return Object.fromEntries(this.#suggests.fields.flatMap((wire) => (this.#isNew('', wire, answer[wire]) && isNothing(values[wire]) ? [[wire, answer[wire]]] : [])))
  }

  /** Rows with what the answer says of the lines sent; a row somebody has changed meanwhile stays for the next answer. */
  ofLines(rows: Rows, columns: readonly LineColumn[], sent: Rows, answer: readonly Values[]): Rows {
    const asked = new Map(sent.map((row, i) => [row.key, { row, line: answer[i] ?? {} }]))
    let next = rows
    for (const [index, row] of rows.entries()) {
      const { row: old, line = {} } = asked.get(row.key) ?? {}
      if (row.fixed || old?.values !== row.values) continue
      const filled = this.#ofLine(row, columns, line)
      if (Object.keys(filled).length > 0) next = setValues(next, index, filled)
    }
    return next
  }

  #ofLine(row: GridRow, columns: readonly LineColumn[], line: Values): Values {
    const filled: Record<string, unknown> = {}
    for (const wire of this.#suggests.columns) {
      const column = columns.find((one) => one.wire === wire)
      const offered = this.#offered.get(`${row.key} ${wire}`)
      const isEmpty = column !== undefined && row.typed?.[wire] === undefined && (isNothing(row.values[wire]) || isDefault(column, row.values[wire]))
      // An amount that was suggested and left as it was follows what it was reckoned from.
      const isOffered = column?.type === 'money' && offered !== undefined && row.typed?.[wire] === undefined && same(row.values[wire], offered)
      if (!this.#isNew(row.key, wire, line[wire]) || column === undefined || !(isEmpty || isOffered) || same(row.values[wire], line[wire])) continue
      filled[wire] = line[wire]
      if (column.type !== 'ref') continue
      for (const key of Object.values(labelKeys(column))) filled[key] = line[key]
    }
    return filled
  }

  #isNew(row: string, wire: string, value: unknown): boolean {
    const place = `${row} ${wire}`
    if (isNothing(value) || same(this.#offered.get(place), value)) return false
    this.#offered.set(place, value)
    return true
  }
}

import { loadChunk } from '../app/chunks.ts'
import { today } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { fillColumns } from '../form/fills.ts'
import { findOption, type LookupSource, type Option } from '../form/lookupClient.ts'
import { chosenValues, clearedValues, labelKeys, readText, setTyped, setValues, withProblem, type GridRow } from './gridModel.ts'
import type { Condition } from '#meta/condition.ts'
import type { LineColumn } from '#meta/resolved.ts'
import type { LineStore } from './lineStore.ts'
import type { PasteReport } from './paste.ts'

/** Restriction of a column's lookup with the values of the form filled in. */
export type FilterOf = (column: LineColumn, row: GridRow | undefined) => Condition | undefined

/** Takes what is typed, chosen or pasted into the lines of a document. Codes are looked up; what cannot be read stays where it was typed, with its reason. */
export class LineEntry {
  readonly #store: LineStore
  readonly #filterOf: FilterOf
  /** Codes on their way, by line and column. */
  readonly #asked = new Set<string>()

  constructor(store: LineStore, filterOf: FilterOf) {
    this.#store = store
    this.#filterOf = filterOf
    store.lookUpWith((rowKey, column, code) => this.#lookUp(rowKey, column, code))
  }

  sourceOf(column: LineColumn, row: GridRow | undefined): LookupSource {
    return { entity: column.entity ?? '', filter: this.#filterOf(column, row), columns: fillColumns(column.fills) }
  }

  takeText(rowKey: string, column: LineColumn, text: string): void {
    const store = this.#store
    const index = store.indexOf(rowKey)
    if (index === undefined) return
    if (column.type === 'ref') return store.await(this.#takeCode(index, column, text.trim()))
    const read = readText(column, text, today(), t)
    store.edit(read.ok ? setValues(store.rows, index, { [column.wire]: read.value }) : setTyped(store.rows, index, column, text.trim(), read.problem))
  }

  /** A typed code stands in the cell at once; what it names follows when the server has answered. */
  async #takeCode(index: number, column: LineColumn, code: string): Promise<void> {
    const store = this.#store
    const row = store.rows[index]
    const names = labelKeys(column)
    if (row === undefined) return
    // The same code again is looked up again where that came to nothing.
    if (code === String(row.values[names.code] ?? '') && (code === '' || typeof row.values[column.wire] === 'number')) return
    if (code === '') return store.edit(setValues(store.rows, index, clearedValues(column)))
    store.edit(setTyped(store.rows, index, column, code))
    await this.#lookUp(row.key, column, code)
  }

  async #lookUp(rowKey: string, column: LineColumn, code: string): Promise<void> {
    const store = this.#store
    const place = JSON.stringify([rowKey, column.wire, code])
    if (this.#asked.has(place)) return
    this.#asked.add(place)
    const option = await findOption(this.sourceOf(column, store.row(rowKey)), code)
    this.#asked.delete(place)
    const at = store.indexOf(rowKey)
    if (at === undefined || store.rows[at]?.typed?.[column.wire] !== code) return
    if (option === undefined) store.decorate(withProblem(store.rows, at, column, { key: 'ui.lookup.failed', params: { text: code } }))
    else if (option === null) store.decorate(withProblem(store.rows, at, column, { key: 'ui.paste.unknownCode', params: { code } }))
    else store.amend(setValues(store.rows, at, withoutFilled(chosenValues(column, option), column, store.rows[at])))
  }

  takeOption(rowKey: string, column: LineColumn, option: Option | null): void {
    const index = this.#store.indexOf(rowKey)
    if (index !== undefined) this.#store.edit(setValues(this.#store.rows, index, option === null ? clearedValues(column) : chosenValues(column, option)))
  }

  /**
   * Takes cells from the selection on, as one step to undo. `own`: empty, or what the grid they were copied from says of each row.
   * Undefined: the codes could not be looked up, and nothing was taken.
   */
  takePaste(text: string, own: string): Promise<PasteReport | undefined> {
    const taken = this.#takePaste(text, own)
    this.#store.await(taken)
    return taken
  }

  async #takePaste(text: string, own: string): Promise<PasteReport | undefined> {
    const store = this.#store
    const target = store.range
    const topKey = store.rows[target.top]?.key ?? ''
    const loaded = await loadChunk(() => import('./paste.ts')).catch(() => undefined)
    if (loaded === undefined) return undefined
    return loaded.paste(store, (column) => this.sourceOf(column, undefined), { text, own, target, topKey })
  }
}

/** A code looked up late must not overwrite what was typed into the filled cells meanwhile. */
function withoutFilled(values: Readonly<Record<string, unknown>>, column: LineColumn, row: GridRow | undefined): Readonly<Record<string, unknown>> {
  const names = labelKeys(column)
  const own = new Set([column.wire, names.code, names.name])
  return Object.fromEntries(Object.entries(values).filter(([key]) => own.has(key) || row?.values[key] === undefined || row.values[key] === null))
}

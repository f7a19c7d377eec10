import type { KeyboardEvent } from 'react'
import { halfWidth } from '#base/unseen.ts'
import { clearRange, fillDown, isNumeric, opensWith, setValues } from './gridModel.ts'
import type { LineStore } from './lineStore.ts'

/** What keys do to a grid. */
export interface GridActions {
  readonly readOnly: boolean
  /** Rows in view at once. */
  readonly page: () => number
  readonly move: (row: number, col: number, extend?: boolean) => void
  /** The next cell one can type into, or the one before. */
  readonly nextEntry: (step: 1 | -1) => { readonly row: number; readonly col: number } | undefined
  readonly startEditing: () => void
  /** The whole of the selected lines, down or up to this one. */
  readonly selectLines: (row: number, extend: boolean) => void
  readonly addLine: () => void
  readonly removeLines: () => void
}

/** The keys of a spreadsheet, in a grid of which no cell is being edited. */
export class GridKeys {
  readonly #store: LineStore
  /** Escape was the key before: Tab leaves the grid. */
  #isLeaving = false
  #home = 0

  constructor(store: LineStore) {
    this.#store = store
  }

  /** The column Enter comes back to. */
  get home(): number {
    return this.#home
  }

  startFrom(col: number): void {
    this.#home = col
  }

  press(event: KeyboardEvent, actions: GridActions): void {
    // Shift alone is the beginning of Shift+Tab, which leaves backwards.
    if (event.key === 'Shift') return
    const mayLeave = this.#isLeaving
    this.#isLeaving = event.key === 'Escape'
    const isCommand = event.ctrlKey || event.metaKey
    const isTaken =
      this.#walk(event, isCommand, mayLeave, actions) || (!actions.readOnly && (isCommand ? this.#command(event, actions) : this.#change(event, actions)))
    if (isTaken) event.preventDefault()
  }

  #walk(event: KeyboardEvent, isCommand: boolean, mayLeave: boolean, { move, nextEntry, page, startEditing }: GridActions): boolean {
    const { rows, columns, cursor } = this.#store
    const { row, col } = cursor
    if (event.key.startsWith('Arrow') && !event.altKey) {
      const down = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      const right = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      const toRow = isCommand && down !== 0 ? (down > 0 ? rows.length - 1 : 0) : row + down
      const toCol = isCommand && right !== 0 ? (right > 0 ? columns.length - 1 : 0) : col + right
      move(toRow, toCol, event.shiftKey)
      this.#home = this.#store.cursor.col
      return true
    }
    switch (event.key) {
      case 'Tab': {
        const target = mayLeave ? undefined : nextEntry(event.shiftKey ? -1 : 1)
        const isOnEmptyLast = !event.shiftKey && row === rows.length - 1 && this.#store.isLastEmpty
        if (target === undefined || isOnEmptyLast) return false
        move(target.row, target.col)
        return true
      }
      case 'Enter':
        if (isCommand) return false
        move(row + (event.shiftKey ? -1 : 1), this.#home)
        return true
      case 'Escape':
        this.#store.moveTo(row, col)
        return false
      case 'Home':
        move(isCommand ? 0 : row, 0, event.shiftKey)
        return true
      case 'End':
        move(isCommand ? rows.length - 1 : row, columns.length - 1, event.shiftKey)
        return true
      case 'PageDown':
      case 'PageUp':
        move(row + (event.key === 'PageDown' ? page() : -page()), col, event.shiftKey)
        return true
      case 'F2':
        startEditing()
        return true
      default:
        return false
    }
  }

  /** Keys pressed with Ctrl or Cmd. */
  #command({ key, shiftKey }: KeyboardEvent, { removeLines }: GridActions): boolean {
    const store = this.#store
    switch (key.toLowerCase()) {
      case 'z':
        if (shiftKey) store.redo()
        else store.undo()
        return true
      case 'y':
        store.redo()
        return true
      case 'd':
        store.edit(fillDown(store.rows, store.columns, store.range))
        return true
      case 'a':
        store.moveTo(0, 0)
        store.moveTo(store.rows.length - 1, store.columns.length - 1, true)
        return true
      case 'delete':
      case 'backspace':
        removeLines()
        return true
      default:
        return false
    }
  }

  #change({ key, altKey, shiftKey }: KeyboardEvent, { addLine, selectLines }: GridActions): boolean {
    const store = this.#store
    const { row, col } = store.cursor
    const column = store.columns[col]
    if (key === 'Delete' || key === 'Backspace') store.edit(clearRange(store.rows, store.columns, store.range))
    else if (key === 'Insert') addLine()
    else if (key === 'ArrowDown' && altKey && column?.type === 'date') store.startEditing(undefined, true)
    else if (key === ' ') {
      // A blank begins no value: it would stand in the place of what is there.
      if (shiftKey) selectLines(row, true)
      else if (column?.type === 'boolean' && column.entry) store.edit(setValues(store.rows, row, { [column.wire]: store.rows[row]?.values[column.wire] !== true }))
    } else {
      if (key.length !== 1 || altKey || column === undefined || !opensWith(column, key)) return false
      store.startEditing(isNumeric(column) ? halfWidth(key) : key)
    }
    return true
  }
}

import { useEffect, useSyncExternalStore, type ClipboardEvent } from 'react'
import { t } from '../app/messages.ts'
import { say } from '../form/message.ts'
import { classes } from '../ui/classes.ts'
import css from './LineGrid.module.css'
import { cellId } from './gridCells.ts'
import type { LineColumn } from '#meta/resolved.ts'
import type { GridRow } from './gridModel.ts'
import type { Editing, LineStore } from './lineStore.ts'
import type { PlacedColumn } from './useGridColumns.ts'

/** Tells screen readers which cell has the focus without drawing the grid again. */
export function ActiveCell({ id, grid, store }: { readonly id: string; readonly grid: React.RefObject<HTMLDivElement | null>; readonly store: LineStore }) {
  useEffect(() => {
    const show = () => grid.current?.setAttribute('aria-activedescendant', cellId(id, store.cursor.row, store.cursor.col))
    show()
    return store.onCursor(show)
  }, [id, grid, store])
  return null
}

interface CursorLayerProps {
  readonly store: LineStore
  readonly placed: readonly PlacedColumn[]
  readonly lineHeight: number
  /** The first column stays where it is while the others pass under it. */
  readonly isWide: boolean
  readonly focused: boolean
  readonly onPaste: (event: ClipboardEvent) => void
  /** Has the keyboard while nothing is edited. */
  readonly keyBox: React.ReactNode
  readonly editor: (row: GridRow, column: LineColumn, editing: Editing) => React.ReactNode
}

/** Focus ring, selection and the live editor, laid over the rows: moving them draws no row. */
export function CursorLayer({ store, placed, lineHeight, isWide, focused, onPaste, keyBox, editor }: CursorLayerProps) {
  const cursor = useSyncExternalStore(store.onCursor, () => store.cursor)
  const editing = useSyncExternalStore(store.onCursor, () => store.editing)
  useSyncExternalStore(store.onList, () => store.rows)
  const { range } = store
  const at = placed[cursor.col]
  const row = store.rows[cursor.row]
  if (at === undefined || row === undefined) return null
  const isRange = range.top !== range.bottom || range.left !== range.right
  /** What lies over the first column stays with it, what lies over the others passes under it. */
  const layer = (col: number) => (isWide ? css[col === 0 ? 'fixing' : 'passing'] : undefined)
  const leftOf = (col: number, left: number) => (isWide && col === 0 ? 0 : left)
  const parts = isWide && range.left === 0 ? [[0, 1] as const, [1, range.right + 1] as const] : [[range.left, range.right + 1] as const]
  return (
    <div className={css['overlay']} style={isWide ? { width: placed.reduce((sum, { width }) => sum + width, placed[0]?.left ?? 0) } : undefined}>
      {isRange &&
        parts.map(([from, to]) => (
          <div key={from} className={layer(from)}>
            {bandsOf(placed.slice(from, to)).map(({ left, top, width, height }) => (
              <div
                key={top}
                className={css['range']}
                style={{ left: leftOf(from, left), top: range.top * lineHeight + top, width, height: (range.bottom - range.top) * lineHeight + height, '--band': `${height}px` } as React.CSSProperties}
              />
            ))}
          </div>
        ))}
      <div className={editing === undefined || cursor.col === 0 ? layer(cursor.col) : undefined}>
        <div
          className={classes(css['cursor'], (focused || editing !== undefined) && css['active'], editing !== undefined && css['editing'])}
          style={{ left: leftOf(cursor.col, at.left), top: cursor.row * lineHeight + at.top, width: at.width, height: at.height }}
          onPaste={onPaste}
        >
          {keyBox}
          {editing !== undefined && editor(row, at.column, editing)}
        </div>
      </div>
    </div>
  )
}

/** The cells of a line, those beside one another together: one band in a table, several where they stand under one another. */
export function bandsOf(cells: readonly PlacedColumn[]): readonly Pick<PlacedColumn, 'left' | 'top' | 'width' | 'height'>[] {
  return [...new Set(cells.map(({ top }) => top))].map((top) => {
    const band = cells.filter((cell) => cell.top === top)
    const left = Math.min(...band.map((cell) => cell.left))
    return { left, top, width: Math.max(...band.map((cell) => cell.left + cell.width)) - left, height: Math.max(...band.map((cell) => cell.height)) }
  })
}

/** What is wrong in the focused cell: who walks by keys sees no hint of the mouse. */
export function CellProblem({ store }: { readonly store: LineStore }) {
  const problem = useSyncExternalStore(store.onAny, () => store.rows[store.cursor.row]?.problems[store.columns[store.cursor.col]?.wire ?? ''])
  return (
    <p role="status" className={css['problem']}>
      {problem !== undefined && say(problem, t)}
    </p>
  )
}

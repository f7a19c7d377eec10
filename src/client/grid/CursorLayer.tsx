import { useEffect, useSyncExternalStore, type ClipboardEvent } from 'react'
import { t } from '../app/messages.ts'
import { say } from '../form/message.ts'
import { classes } from '../ui/classes.ts'
import css from './LineGrid.module.css'
import { cellId } from './gridCells.ts'
import type { LineColumn } from '#meta/resolved.ts'
import type { GridRow } from './gridModel.ts'
import type { LineStore } from './lineStore.ts'
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
  readonly focused: boolean
  readonly onPaste: (event: ClipboardEvent) => void
  readonly editor: (row: GridRow, column: LineColumn, start: string | undefined) => React.ReactNode
}

/** Focus ring, selection and the live editor, laid over the rows: moving them draws no row. */
export function CursorLayer({ store, placed, lineHeight, focused, onPaste, editor }: CursorLayerProps) {
  const cursor = useSyncExternalStore(store.onCursor, () => store.cursor)
  const editing = useSyncExternalStore(store.onCursor, () => store.editing)
  useSyncExternalStore(store.onList, () => store.rows)
  const { range } = store
  const at = placed[cursor.col]
  const first = placed[range.left]
  const last = placed[range.right]
  const row = store.rows[cursor.row]
  if (at === undefined || first === undefined || last === undefined || row === undefined) return null
  // Cells that stand under one another are marked with their whole lines.
  const [left, right] = at.height === lineHeight ? [first.left, last.left + last.width] : [0, Math.max(...placed.map((one) => one.left + one.width))]
  const isRange = range.top !== range.bottom || range.left !== range.right
  return (
    <div className={css['overlay']}>
      {isRange && (
        <div
          className={css['range']}
          style={{ left, top: range.top * lineHeight, width: right - left, height: (range.bottom - range.top + 1) * lineHeight }}
        />
      )}
      <div
        className={classes(css['cursor'], (focused || editing !== undefined) && css['active'], editing !== undefined && css['editing'])}
        style={{ left: at.left, top: cursor.row * lineHeight + at.top, width: at.width, height: at.height }}
        onPaste={onPaste}
      >
        {editing !== undefined && editor(row, at.column, editing.start)}
      </div>
    </div>
  )
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

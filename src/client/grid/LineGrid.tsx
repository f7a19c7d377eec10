import { memo, Suspense, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore, type ClipboardEvent, type KeyboardEvent, type MouseEvent } from 'react'
import { formatNumber, today } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { say } from '../form/message.ts'
import { fillColumns } from '../form/fills.ts'
import { resolveOptions, type LookupSource, type Option } from '../form/lookupClient.ts'
import { CellEditor } from './CellEditor.tsx'
import css from './LineGrid.module.css'
import {
  clearedValues,
  clearRange,
  copyRange,
  deleteRows,
  fillDown,
  insertRow,
  isEmpty,
  isNumeric,
  labelKeys,
  readText,
  setValues,
  shownText,
  totalsOf,
  type GridRow,
} from './gridModel.ts'
import { groupedNumber, shownPlaces } from '../form/entry.ts'
import { applyPaste, chosenValues, planPaste, refusedOf, type Pasted, type Rejected } from './paste.ts'
import { formatTsv } from './tsv.ts'
import { useWindow } from './useWindow.ts'
import { numberWidth, useGridColumns, type PlacedColumn } from './useGridColumns.ts'
import type { Condition } from '#meta/condition.ts'
import type { LineColumn, LineOrigin } from '#meta/resolved.ts'
import type { LineStore } from './lineStore.ts'

const CellFile = lazy(() => import('./CellFile.tsx').then((module) => ({ default: module.CellFile })))

const rowHeight = 34
/** Says of copied cells that their numbers are written our way. */
const ownCells = 'application/x-arus-cells'

interface LineGridProps {
  readonly store: LineStore
  /** Names the grid for screen readers and remembers its column widths. */
  readonly name: string
  readonly label: string
  readonly userId: number
  readonly readOnly: boolean
  readonly paste: boolean
  /** Resource of the lines, where they hold files. */
  readonly files: string | undefined
  readonly computing: boolean
  /** What lines that came of one are marked with. */
  readonly mark: LineOrigin['mark'] | undefined
  /** Restriction of a column's lookup with the values of the form filled in. */
  readonly filterOf: (column: LineColumn, row: GridRow | undefined) => Condition | undefined
  readonly onLeaveRow: (rowKey: string) => void
}

/**
 * Lines of a document as a spreadsheet: one cell has the focus, one editor is alive, a row is drawn again only when it changed. Arrows,
 * Tab, Enter, F2, Escape, Delete, Insert, Ctrl+D, Ctrl+Z, Ctrl+Y, copy and paste as in a spreadsheet; Ctrl+Delete removes lines; Escape
 * lets the next Tab leave the grid.
 */
export function LineGrid(props: LineGridProps) {
  const { store, name, label, userId, readOnly, paste, filterOf, onLeaveRow } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const available = useWidth(scroller)
  const { placed, startResize, makeRoom, width } = useGridColumns(store.columns, name, available)
  const keys = useSyncExternalStore(store.onList, () => store.rows)
  const { first, last } = useWindow(scroller, keys.length, rowHeight)
  const [report, setReport] = useState<PasteReport | undefined>()
  const [busy, setBusy] = useState(false)
  const home = useRef(0)
  const [cellFile, setCellFile] = useState<{ readonly rowKey: string; readonly column: LineColumn; readonly start?: File | undefined }>()
  const isLeaving = useRef(false)
  const dragging = useRef(false)
  const [focused, setFocused] = useState(false)
  const hasTotals = store.columns.some((column) => column.total !== undefined)

  useEffect(() => {
    let last = store.rows[store.cursor.row]?.key
    return store.onCursor(() => {
      const current = store.rows[store.cursor.row]?.key
      if (last !== undefined && last !== current) onLeaveRow(last)
      last = current
    })
  }, [store, onLeaveRow])

  /** Scrolls only when the focused cell is not in view: most moves then touch nothing but the ring. */
  const reveal = () => {
    const at = placed[store.cursor.col]
    const box = scroller.current
    if (at === undefined || box === null) return
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = box
    const top = store.cursor.row * rowHeight
    const room = clientHeight - rowHeight * (hasTotals ? 3 : 2)
    if (top < scrollTop) box.scrollTop = top
    else if (top > scrollTop + room) box.scrollTop = top - room
    if (at.left - numberWidth < scrollLeft) box.scrollLeft = at.left - numberWidth
    else if (at.left + at.width > scrollLeft + clientWidth) box.scrollLeft = at.left + at.width - clientWidth
  }
  const latestReveal = useRef(reveal)
  useEffect(() => {
    latestReveal.current = reveal
  })
  useEffect(
    () =>
      store.onJump(() => {
        scroller.current?.scrollIntoView({ block: 'nearest' })
        latestReveal.current()
        grid.current?.focus({ preventScroll: true })
      }),
    [store],
  )
  const move = (row: number, col: number, extend = false) => {
    store.moveTo(row, col, extend)
    reveal()
  }
  const focusGrid = () => grid.current?.focus({ preventScroll: true })

  const nextEntry = (step: 1 | -1): { readonly row: number; readonly col: number } | undefined => {
    const { row, col } = store.cursor
    const count = store.columns.length
    for (let at = row * count + col + step; at >= 0 && at < store.rows.length * count; at += step) {
      const to = { row: Math.floor(at / count), col: at % count }
      if (store.columns[to.col]?.entry === true && store.rows[to.row]?.fixed === false) return to
    }
    return undefined
  }

  /** The focused cell holds a file: it is looked at, chosen or taken over from what was dropped. False for any other cell. */
  const openFile = (start?: File): boolean => {
    const { row: at, col } = store.cursor
    const [row, column] = [store.rows[at], store.columns[col]]
    if (row === undefined || column?.file === undefined) return false
    const isClosed = readOnly || row.fixed || !column.entry
    if (!isClosed || (start === undefined && typeof row.values[column.wire] === 'number')) setCellFile({ rowKey: row.key, column, start: isClosed ? undefined : start })
    return true
  }
  const startEditing = (start?: string) => {
    if (!openFile() && !readOnly) store.startEditing(start)
  }

  const leave = (to: 'stay' | 'down' | 'up' | 'next' | 'previous') => {
    store.stopEditing()
    focusGrid()
    const { row, col } = store.cursor
    if (to === 'down' || to === 'up') move(row + (to === 'down' ? 1 : -1), home.current)
    else if (to !== 'stay') {
      const target = nextEntry(to === 'next' ? 1 : -1)
      if (target !== undefined) move(target.row, target.col)
    } else store.moveTo(row, col)
  }

  const sourceOf = (column: LineColumn, row: GridRow | undefined): LookupSource => ({
    entity: column.entity ?? '',
    filter: filterOf(column, row),
    columns: fillColumns(column.fills),
  })

  const takeText = (rowKey: string, column: LineColumn, text: string) => {
    const index = store.rows.findIndex((row) => row.key === rowKey)
    if (index < 0) return
    if (column.type === 'ref') return void takeCode(index, column, text.trim())
    const read = readText(column, text, today(), t)
    if (read.ok) store.edit(setValues(store.rows, index, { [column.wire]: read.value }))
    else store.edit(withProblem(store, index, column, read.problem))
  }

  /** A typed code stands in the cell at once; what it names follows when the server has answered. */
  const takeCode = async (index: number, column: LineColumn, code: string) => {
    const row = store.rows[index]
    const names = labelKeys(column)
    if (row === undefined || code === String(row.values[names.code] ?? '')) return
    if (code === '') return store.edit(setValues(store.rows, index, clearedValues(column)))
    store.edit(setValues(store.rows, index, { [column.wire]: null, [names.code]: code, [names.name]: null }))
    const found = await resolveOptions(sourceOf(column, row), [code])
    const at = store.rows.findIndex((one) => one.key === row.key)
    if (at < 0 || store.rows[at]?.values[names.code] !== code) return
    const option = found?.[0]
    if (option === undefined || option === null) store.decorate(withProblem(store, at, column, { key: 'ui.paste.unknownCode', params: { code } }))
    else store.amend(setValues(store.rows, at, withoutFilled(chosenValues(column, option), column, store.rows[at])))
  }

  const takeOption = (rowKey: string, column: LineColumn, option: Option | null) => {
    const index = store.rows.findIndex((row) => row.key === rowKey)
    if (index >= 0) store.edit(setValues(store.rows, index, option === null ? clearedValues(column) : chosenValues(column, option)))
  }

  const takePaste = async (text: string, isOwn: boolean) => {
    const target = store.range
    const room = store.max - store.rows.slice(0, target.top).filter((one) => !one.fixed).length
    const plan = planPaste(text, store.columns, target.left, room, t, { rows: target.bottom - target.top + 1, columns: target.right - target.left + 1, isOwn })
    setBusy(true)
    const found = new Map<string, ReadonlyMap<string, Option | null>>()
    await Promise.all(
      [...plan.codes].map(async ([wire, codes]) => {
        const column = store.columns.find((one) => one.wire === wire)
        const records = column === undefined ? undefined : await resolveOptions(sourceOf(column, undefined), codes)
        found.set(wire, new Map(codes.map((code, i) => [code, records?.[i] ?? null])))
      }),
    )
    setBusy(false)
    const result = applyPaste(store.rows, target.top, plan, found, { today: today(), label: t, newKey: store.newKey })
    store.edit(result.rows)
    const values = new Map(result.keys.map((key) => [key, store.row(key)?.values ?? {}]))
    setReport({ total: plan.cells.length, cells: result.rejected, keys: result.keys, wires: new Set(plan.cells.map(({ column }) => column.wire)), values, overflow: plan.overflow, skipped: plan.skipped, steps: store.steps })
    move(Math.min(target.top + Math.max(plan.height - 1, 0), store.rows.length - 1), target.left)
    store.moveTo(target.top, target.left)
    focusGrid()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const { row, col } = store.cursor
    const command = event.ctrlKey || event.metaKey
    const done = () => event.preventDefault()
    const left = isLeaving.current
    isLeaving.current = false
    if (event.key.startsWith('Arrow') && !event.altKey) {
      done()
      const down = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      const right = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      const toRow = command && down !== 0 ? (down > 0 ? store.rows.length - 1 : 0) : row + down
      const toCol = command && right !== 0 ? (right > 0 ? store.columns.length - 1 : 0) : col + right
      move(toRow, toCol, event.shiftKey)
      home.current = store.cursor.col
      return
    }
    switch (event.key) {
      case 'Tab': {
        const target = left ? undefined : nextEntry(event.shiftKey ? -1 : 1)
        const onEmptyLast = !event.shiftKey && row === store.rows.length - 1 && isLastEmpty(store)
        if (target === undefined || onEmptyLast) return
        done()
        return move(target.row, target.col)
      }
      case 'Enter':
        if (command) return
        done()
        return move(row + (event.shiftKey ? -1 : 1), home.current)
      case 'Escape':
        isLeaving.current = true
        return store.moveTo(row, col)
      case 'Home':
        done()
        return move(command ? 0 : row, 0, event.shiftKey)
      case 'End':
        done()
        return move(command ? store.rows.length - 1 : row, store.columns.length - 1, event.shiftKey)
      case 'PageDown':
      case 'PageUp': {
        done()
        const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 340) / rowHeight) - 2)
        return move(row + (event.key === 'PageDown' ? page : -page), col, event.shiftKey)
      }
      case 'F2':
        done()
        return startEditing()
      default:
    }
    if (readOnly) return
    if (command && event.key.toLowerCase() === 'z') {
      done()
      if (event.shiftKey) store.redo()
      else store.undo()
    } else if (command && event.key.toLowerCase() === 'y') {
      done()
      store.redo()
    } else if (command && event.key.toLowerCase() === 'd') {
      done()
      store.edit(fillDown(store.rows, store.columns, store.range))
    } else if (command && event.key.toLowerCase() === 'a') {
      done()
      store.moveTo(0, 0)
      store.moveTo(store.rows.length - 1, store.columns.length - 1, true)
    } else if (command && (event.key === 'Delete' || event.key === 'Backspace')) {
      done()
      removeLines()
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      done()
      store.edit(clearRange(store.rows, store.columns, store.range))
    } else if (event.key === 'Insert') {
      done()
      addLine()
    } else if (event.key === ' ' && store.columns[col]?.type === 'boolean') {
      done()
      const column = store.columns[col]
      if (column?.entry === true) store.edit(setValues(store.rows, row, { [column.wire]: store.rows[row]?.values[column.wire] !== true }))
    } else if (event.key.length === 1 && !command && !event.altKey) {
      const column = store.columns[col]
      if (column === undefined || column.file !== undefined || (isNumeric(column) && !/[\d.,-]/.test(event.key))) return
      done()
      store.startEditing(event.key)
    }
  }

  const addLine = () => {
    store.edit(insertRow(store.rows, store.cursor.row, store.max, store.newKey))
    focusGrid()
  }
  const removeLines = () => {
    store.edit(deleteRows(store.rows, store.range))
    store.moveTo(store.range.top, store.cursor.col)
    focusGrid()
  }

  const onCopy = (event: ClipboardEvent, cut: boolean) => {
    if (store.editing !== undefined) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', formatTsv(copyRange(store.rows, store.columns, store.range)))
    event.clipboardData.setData(ownCells, '1')
    if (cut && !readOnly) store.edit(clearRange(store.rows, store.columns, store.range))
  }

  /** Several cells pasted while one is being edited go into the grid, from that cell on: a box for one line would run them together. */
  const pasteOverEditor = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (!paste || busy || store.editing === undefined || !/[\t\r\n]/.test(text.replace(/[\r\n]+$/, ''))) return
    event.preventDefault()
    focusGrid()
    void takePaste(text, event.clipboardData.types.includes(ownCells))
  }

  const cellAt = (event: MouseEvent): { readonly row: number; readonly col: number } | undefined => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
    return cell === null ? undefined : { row: Number(cell.dataset['row']), col: Number(cell.dataset['col']) }
  }
  const onMouseDown = (event: MouseEvent) => {
    const at = cellAt(event)
    if (at === undefined || event.button !== 0) return
    event.preventDefault()
    store.flush()
    const again = focused && at.row === store.cursor.row && at.col === store.cursor.col
    focusGrid()
    if (at.col < 0) {
      store.moveTo(at.row, 0)
      store.moveTo(at.row, store.columns.length - 1, true)
      return
    }
    store.moveTo(at.row, at.col, event.shiftKey)
    home.current = at.col
    dragging.current = true
    if (again && event.detail <= 1) startEditing()
  }

  return (
    <div className={css['frame']}>
      <div className={css['bar']}>
        <LineCount store={store} computing={props.computing} />
        {!readOnly && (
          <div className={css['tools']}>
            <Button look="plain" icon="plus" onClick={addLine}>
              {t('ui.grid.insert')}
            </Button>
            <Button look="plain" onClick={removeLines}>
              {t('ui.grid.delete')}
            </Button>
            <UndoButtons store={store} />
          </div>
        )}
      </div>
      {report !== undefined && (
        <PasteResult
          report={report}
          store={store}
          onClose={() => setReport(undefined)}
          onJump={({ rowKey, column }) => {
            const row = store.rows.findIndex(({ key }) => key === rowKey)
            if (row < 0) return
            move(row, store.columns.indexOf(column))
            focusGrid()
          }}
        />
      )}
      <div ref={scroller} className={css['scroller']} style={{ '--columns': `${numberWidth}px ${placed.map((at) => `${at.width}px`).join(' ')}` } as React.CSSProperties}>
        <div
          ref={grid}
          role="grid"
          tabIndex={0}
          aria-label={label}
          aria-rowcount={keys.length + 1}
          aria-colcount={store.columns.length + 1}
          aria-multiselectable="true"
          data-keys={readOnly ? 'cells' : 'lines'}
          aria-busy={busy || undefined}
          aria-readonly={readOnly || undefined}
          aria-describedby={`${id}-keys`}
          className={css['grid']}
          style={{ width }}
          onFocus={(event) => {
            if (event.target === event.currentTarget) setFocused(true)
          }}
          onBlur={() => setFocused(false)}
          onKeyDown={onKeyDown}
          onCopy={(event) => onCopy(event, false)}
          onCut={(event) => onCopy(event, true)}
          onPaste={(event) => {
            if (readOnly || !paste || busy) return
            event.preventDefault()
            const [file] = event.clipboardData.files
            if (file !== undefined) return void openFile(file)
            void takePaste(event.clipboardData.getData('text/plain'), event.clipboardData.types.includes(ownCells))
          }}
          onDragOver={(event) => {
            if (props.files !== undefined && event.dataTransfer.types.includes('Files')) event.preventDefault()
          }}
          onDrop={(event) => {
            const at = cellAt(event)
            const [file] = event.dataTransfer.files
            if (props.files === undefined || file === undefined) return
            event.preventDefault()
            if (at === undefined || at.col < 0) return
            move(at.row, at.col)
            openFile(file)
          }}
          onMouseDown={onMouseDown}
          onMouseMove={(event) => {
            if (!dragging.current || event.buttons !== 1) return
            const at = cellAt(event)
            if (at !== undefined && at.col >= 0) store.moveTo(at.row, at.col, true)
          }}
          onMouseUp={() => {
            dragging.current = false
          }}
          onDoubleClick={(event) => {
            if (cellAt(event) !== undefined) startEditing()
          }}
        >
          <ActiveCell id={id} grid={grid} store={store} />
          <div role="row" aria-rowindex={1} className={css['head']}>
            <div role="columnheader" className={css['corner']}>
              <span className="visually-hidden">{t('ui.grid.line')}</span>
            </div>
            {store.columns.map((column, i) => (
              <div key={column.wire} role="columnheader" aria-colindex={i + 2} className={classes(css['heading'], isNumeric(column) && css['number'])}>
                <span title={t(column.label)}>{t(column.label)}</span>
                {column.entry && column.required && (
                  <span className={css['required']} aria-hidden="true">
                    *
                  </span>
                )}
                <span
                  className={css['grip']}
                  aria-hidden="true"
                  onPointerDown={(event) => {
                    event.preventDefault()
                    const at = placed[i]
                    if (at !== undefined) startResize(at, event.clientX)
                  }}
                />
              </div>
            ))}
          </div>
          <div role="rowgroup" className={css['body']} style={{ height: keys.length * rowHeight }}>
            {keys.slice(first, last + 1).map((row, i) => (
              <LineRow key={row.key} id={id} store={store} rowKey={row.key} index={first + i} top={(first + i) * rowHeight} mark={props.mark} />
            ))}
          </div>
          {hasTotals && <TotalsRow store={store} makeRoom={makeRoom} />}
        </div>
        <CursorLayer
          store={store}
          placed={placed}
          focused={focused}
          onPaste={pasteOverEditor}
          editor={(row, column, start) => (
            <CellEditor
              key={`${row.key} ${column.wire}`}
              store={store}
              row={row}
              column={column}
              start={start}
              label={`${t(column.label)}, ${t('ui.grid.lineNumber', { number: store.cursor.row + 1 })}`}
              userId={userId}
              source={sourceOf(column, row)}
              onText={(text) => takeText(row.key, column, text)}
              onOption={(option) => takeOption(row.key, column, option)}
              onValue={(value) => store.edit(setValues(store.rows, store.cursor.row, { [column.wire]: value }))}
              onLeave={leave}
            />
          )}
        />
      </div>
      {cellFile !== undefined && (
        <Suspense>
          <FileOfCell store={store} label={t(cellFile.column.label)} resource={props.files ?? ''} readOnly={readOnly} {...cellFile} onClose={() => setCellFile(undefined)} />
        </Suspense>
      )}
      <CellProblem store={store} />
      <p id={`${id}-keys`} className={css['keys']}>
        {t('ui.grid.keys')}
      </p>
    </div>
  )
}

/** What is wrong in the focused cell: who walks by keys sees no hint of the mouse. */
function CellProblem({ store }: { readonly store: LineStore }) {
  const problem = useSyncExternalStore(store.onAny, () => store.rows[store.cursor.row]?.problems[store.columns[store.cursor.col]?.wire ?? ''])
  return (
    <p role="status" className={css['problem']}>
      {problem !== undefined && say(problem, t)}
    </p>
  )
}

interface FileOfCellProps {
  readonly store: LineStore
  readonly rowKey: string
  readonly column: LineColumn
  readonly label: string
  readonly resource: string
  readonly readOnly: boolean
  readonly start?: File | undefined
  readonly onClose: () => void
}

/** Follows its row: lines above it may come and go while a file is sent. */
function FileOfCell({ store, rowKey, column, label, resource, readOnly, start, onClose }: FileOfCellProps) {
  const row = useSyncExternalStore(
    (listener) => store.onRow(rowKey, listener),
    () => store.row(rowKey),
  )
  const { file } = column
  if (row === undefined || file === undefined) return null
  return (
    <CellFile
      row={row}
      column={{ ...column, file }}
      label={`${label}, ${t('ui.grid.lineNumber', { number: store.rows.indexOf(row) + 1 })}`}
      resource={resource}
      readOnly={readOnly || row.fixed || !column.entry}
      start={start}
      onValues={(values) => store.edit(setValues(store.rows, store.rows.findIndex(({ key }) => key === rowKey), values))}
      onClose={onClose}
    />
  )
}

interface PasteReport extends Pasted {
  readonly total: number
  readonly overflow: number
  readonly skipped: number
  /** Undone, the paste has nothing to tell any more. */
  readonly steps: number
}

interface LineRowProps {
  readonly id: string
  readonly store: LineStore
  readonly rowKey: string
  readonly index: number
  readonly top: number
  readonly mark: LineOrigin['mark'] | undefined
}

/** One line. Hears only of its own changes. */
const LineRow = memo(function LineRow({ id, store, rowKey, index, top, mark }: LineRowProps) {
  const row = useSyncExternalStore(
    (listener) => store.onRow(rowKey, listener),
    () => store.row(rowKey),
  )
  if (row === undefined) return null
  const from = mark === undefined ? undefined : row.values[mark.code]
  return (
    <div role="row" aria-rowindex={index + 2} className={classes(css['row'], row.fixed && css['fixed'])} style={{ top }}>
      <div role="rowheader" data-row={index} data-col={-1} className={css['rowNumber']}>
        {index + 1}
      </div>
      {store.columns.map((column, i) => {
        const problem = row.problems[column.wire]
        const text = shownText(column, row, t)
        return (
          <div
            key={column.wire}
            id={cellId(id, index, i)}
            role="gridcell"
            aria-colindex={i + 2}
            aria-invalid={problem !== undefined || undefined}
            aria-readonly={!column.entry || row.fixed || undefined}
            data-row={index}
            data-col={i}
            title={problem === undefined ? (text.length > 14 ? text : undefined) : say(problem, t)}
            className={classes(css['cell'], isNumeric(column) && css['number'], !column.entry && css['computed'], problem !== undefined && css['wrong'])}
          >
            {row.values['IsFree'] === true && i === 0 && <span className={css['free']}>{t('ui.grid.free')}</span>}
            {typeof from === 'string' && mark !== undefined && i === 0 && (
              <span className={css['part']} title={`${t(mark.label)}: ${String(row.values[mark.name])}`}>
                {from}
              </span>
            )}
            {text}
          </div>
        )
      })}
    </div>
  )
})

function cellId(id: string, row: number, col: number): string {
  return `${id}-r${row}-c${col}`
}

/** Tells screen readers which cell has the focus without drawing the grid again. */
function ActiveCell({ id, grid, store }: { readonly id: string; readonly grid: React.RefObject<HTMLDivElement | null>; readonly store: LineStore }) {
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
  readonly focused: boolean
  readonly onPaste: (event: ClipboardEvent) => void
  readonly editor: (row: GridRow, column: LineColumn, start: string | undefined) => React.ReactNode
}

/** Focus ring, selection and the live editor, laid over the rows: moving them draws no row. */
function CursorLayer({ store, placed, focused, onPaste, editor }: CursorLayerProps) {
  const cursor = useSyncExternalStore(store.onCursor, () => store.cursor)
  const editing = useSyncExternalStore(store.onCursor, () => store.editing)
  useSyncExternalStore(store.onList, () => store.rows)
  const { range } = store
  const at = placed[cursor.col]
  const first = placed[range.left]
  const last = placed[range.right]
  const row = store.rows[cursor.row]
  if (at === undefined || first === undefined || last === undefined || row === undefined) return null
  const isRange = range.top !== range.bottom || range.left !== range.right
  return (
    <div className={css['overlay']}>
      {isRange && (
        <div
          className={css['range']}
          style={{ left: first.left, top: range.top * rowHeight, width: last.left + last.width - first.left, height: (range.bottom - range.top + 1) * rowHeight }}
        />
      )}
      <div
        className={classes(css['cursor'], (focused || editing !== undefined) && css['active'], editing !== undefined && css['editing'])}
        style={{ left: at.left, top: cursor.row * rowHeight, width: at.width, height: rowHeight }}
        onPaste={onPaste}
      >
        {editing !== undefined && editor(row, at.column, editing.start)}
      </div>
    </div>
  )
}

function TotalsRow({ store, makeRoom }: { readonly store: LineStore; readonly makeRoom: (figures: Readonly<Record<string, string>>) => void }) {
  const [totals, setTotals] = useState<Readonly<Record<string, string>>>(() => totalsOf(store.rows, store.columns))
  useEffect(() => {
    let timer: number | undefined
    // Adding up waits until the key is on the screen.
    const later = () => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => setTotals(totalsOf(store.rows, store.columns)), 60)
    }
    later()
    const stops = [store.onChange(later), store.onDecorate(later)]
    return () => {
      window.clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [store])
  const figures = useMemo(
    () =>
      Object.fromEntries(
        store.columns.flatMap((column) => (column.total === undefined ? [] : [[column.wire, groupedNumber(totals[column.wire] ?? '0', shownPlaces(column.type))]])),
      ) as Readonly<Record<string, string>>,
    [store, totals],
  )
  useEffect(() => makeRoom(figures), [makeRoom, figures])
  return (
    <div role="row" className={css['foot']}>
      <div role="rowheader" className={css['rowNumber']} title={t('ui.grid.total')}>
        Σ
      </div>
      {store.columns.map((column) => (
        <div key={column.wire} role="gridcell" className={classes(css['cell'], css['number'])}>
          {figures[column.wire] ?? ''}
        </div>
      ))}
    </div>
  )
}

function LineCount({ store, computing }: { readonly store: LineStore; readonly computing: boolean }) {
  // Those entered: what the server puts under them (free goods) comes and goes by itself.
  const count = useSyncExternalStore(store.onList, () => store.rows.reduce((sum, row) => sum + (row.fixed ? 0 : 1), isLastEmpty(store) ? -1 : 0))
  return (
    <p className={css['count']} role="status">
      {t('ui.grid.lines', { count: formatNumber(count) })}
      {computing && <span className={css['computing']}> · {t('ui.grid.computing')}</span>}
    </p>
  )
}

function UndoButtons({ store }: { readonly store: LineStore }) {
  const state = useSyncExternalStore(store.onChange, () => `${store.canUndo} ${store.canRedo}`)
  const [undo, redo] = state.split(' ')
  return (
    <>
      <IconButton icon="undo" label={t('ui.grid.undo')} disabled={undo !== 'true'} onClick={() => store.undo()} />
      <IconButton icon="redo" label={t('ui.grid.redo')} disabled={redo !== 'true'} onClick={() => store.redo()} />
    </>
  )
}

interface PasteResultProps {
  readonly report: PasteReport
  readonly store: LineStore
  readonly onClose: () => void
  readonly onJump: (cell: Rejected) => void
}

/** What became of a paste: every refused cell with its row, column and reason, until it is put right. Where all went well the cells themselves say so. */
function PasteResult({ report, store, onClose, onJump }: PasteResultProps) {
  const rows = useSyncExternalStore(store.onAny, () => store.rows)
  const cells = useMemo(() => refusedOf(rows, store.columns, report), [rows, store, report])
  if (store.steps < report.steps || cells.length + report.skipped + report.overflow === 0) return null
  const notes = [
    t('ui.paste.taken', { count: formatNumber(report.total - cells.length) }),
    report.skipped > 0 && t('ui.paste.skipped', { count: formatNumber(report.skipped) }),
    report.overflow > 0 && t('ui.paste.overflow', { count: formatNumber(report.overflow) }),
    cells.length > 0 && t('ui.paste.rejected', { count: formatNumber(cells.length) }),
  ].filter((note) => note !== false)
  return (
    <div className={classes(css['report'], cells.length > 0 && css['hasRejected'])} role="status">
      <p>
        {notes.join(' ')}
        <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
      </p>
      {cells.length > 0 && (
        <ul>
          {cells.map((cell) => (
            <li key={`${cell.row} ${cell.column.wire}`}>
              <button type="button" onClick={() => onJump(cell)}>
                {t('ui.paste.cell', { row: cell.row, column: t(cell.column.label), text: cell.text, reason: say(cell.reason, t) })}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function isLastEmpty(store: LineStore): boolean {
  const last = store.rows.at(-1)
  return last !== undefined && isEmpty(last, store.columns)
}

function withProblem(store: LineStore, index: number, column: LineColumn, problem: GridRow['problems'][string]) {
  const row = store.rows[index]
  return row === undefined ? store.rows : store.rows.with(index, { ...row, problems: { ...row.problems, [column.wire]: problem } })
}

/** A code looked up late must not overwrite what was typed into the filled cells meanwhile. */
function withoutFilled(values: Readonly<Record<string, unknown>>, column: LineColumn, row: GridRow | undefined): Readonly<Record<string, unknown>> {
  const names = labelKeys(column)
  const own = new Set([column.wire, names.code, names.name])
  return Object.fromEntries(Object.entries(values).filter(([key]) => own.has(key) || row?.values[key] === undefined || row.values[key] === null))
}

function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const box = element.current
    if (box === null) return undefined
    setWidth(box.clientWidth)
    const observer = new ResizeObserver(() => setWidth(box.clientWidth))
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])
  return width
}

import { Suspense, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore, type ClipboardEvent, type MouseEvent } from 'react'
import { useAtomValue } from 'jotai'
import { loadChunk } from '../app/chunks.ts'
import { lazy } from '../app/lazy.tsx'
import { densityAtom } from '../app/preferences.ts'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import { CellEditor } from './CellEditor.tsx'
import { ActiveCell, CellProblem, CursorLayer } from './CursorLayer.tsx'
import { GridBar } from './GridBar.tsx'
import { cellAt, rowHeights } from './gridCells.ts'
import { GridHead } from './GridHead.tsx'
import { GridKeys } from './gridKeys.ts'
import { LineEntry, type FilterOf } from './lineEntry.ts'
import css from './LineGrid.module.css'
import { LineRow } from './LineRow.tsx'
import { TotalsRow } from './TotalsRow.tsx'
import { clearRange, copyRange, deleteRows, setValues } from './gridModel.ts'
import { formatTsv } from './tsv.ts'
import { useWindow } from './useWindow.ts'
import { useGridColumns } from './useGridColumns.ts'
import type { LineColumn, LineOrigin } from '#meta/resolved.ts'
import type { Computing } from '../form/formState.ts'
import type { Leaving } from './cellEditing.ts'
import type { Focusable, GridKeyboard, KeyBox as KeyBoxPart } from './KeyBox.tsx'
import type { LineStore } from './lineStore.ts'
import type { PasteReport } from './paste.ts'

const FileOfCell = lazy(() => import('./CellFile.tsx').then((module) => ({ default: module.FileOfCell })))
const PasteResult = lazy(() => import('./PasteResult.tsx').then((module) => ({ default: module.PasteResult })))

/** Says of copied cells that their numbers are written our way, and of each row whether it was entered (`+`) or came of another (`-`). */
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
  readonly computing: Computing
  readonly onSuggest?: (() => void) | undefined
  /** What lines that came of one are marked with. */
  readonly mark: LineOrigin['mark'] | undefined
  readonly filterOf: FilterOf
  readonly onLeaveRow: (rowKey: string) => void
}

/**
 * Lines of a document as a spreadsheet: one cell has the focus, one editor is alive, a row is drawn again only when it changed. Arrows,
 * Tab, Enter, F2, Escape, Delete, Insert, Ctrl+D, Ctrl+Z, Ctrl+Y, copy and paste as in a spreadsheet; Ctrl+Delete removes lines; Escape
 * lets the next Tab leave the grid.
 */
export function LineGrid(props: LineGridProps) {
  const { store, name, label, userId, readOnly, paste, filterOf, onLeaveRow } = props
  const keys = useMemo(() => new GridKeys(store), [store])
  const entry = useMemo(() => new LineEntry(store, filterOf), [store, filterOf])
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const keyBox = useRef<Focusable>(null)
  const [KeyBox, setKeyBox] = useState<typeof KeyBoxPart>()
  const available = useWidth(scroller)
  const rowHeight = rowHeights[useAtomValue(densityAtom)]
  const { placed, isStacked, isWide, startResize, makeRoom, edge, width, lineHeight } = useGridColumns(store.columns, name, available, rowHeight)
  const rows = useSyncExternalStore(store.onList, () => store.rows)
  const { first, last } = useWindow(scroller, rows.length, lineHeight)
  const [report, setReport] = useState<PasteReport | 'failed' | undefined>()
  const [busy, setBusy] = useState(false)
  const [cellFile, setCellFile] = useState<{ readonly rowKey: string; readonly column: LineColumn; readonly start?: File | undefined }>()
  const dragging = useRef<'cells' | 'lines'>(undefined)
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

  const focusGrid = useCallback(() => (keyBox.current === null ? grid.current?.focus({ preventScroll: true }) : keyBox.current.focus()), [])

  /** Once the ring is drawn around it, the focused cell comes into view: in the box of the lines, and in the page between its edge and the bar of buttons. */
  const reveal = useCallback(() => requestAnimationFrame(() => scroller.current?.querySelector(`.${css['cursor']}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })), [])
  useEffect(
    () =>
      store.onJump(() => {
        reveal()
        focusGrid()
      }),
    [store, focusGrid, reveal],
  )
  const move = (row: number, col: number, extend = false) => {
    store.moveTo(row, col, extend)
    reveal()
  }
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

  const leave = (to: 'stay' | Leaving) => {
    store.stopEditing()
    focusGrid()
    const { row, col } = store.cursor
    if (to === 'down' || to === 'up') move(row + (to === 'down' ? 1 : -1), keys.home)
    else if (to === 'left' || to === 'right') {
      move(row, col + (to === 'right' ? 1 : -1))
      keys.startFrom(store.cursor.col)
    } else if (to !== 'stay') {
      const target = nextEntry(to === 'next' ? 1 : -1)
      if (target !== undefined) move(target.row, target.col)
    } else store.moveTo(row, col)
  }

  const takePaste = async (text: string, own: string) => {
    const { left } = store.range
    setBusy(true)
    const taken = await entry.takePaste(text, own)
    setBusy(false)
    setReport(taken ?? 'failed')
    focusGrid()
    if (taken === undefined) return
    // Its end comes into view, its beginning has the focus.
    const [first = 0, last = 0] = [taken.keys[0], taken.keys.at(-1)].map((key) => store.indexOf(key ?? '') ?? store.cursor.row)
    const box = scroller.current
    // Headings and totals stay in view over the lines.
    if (box !== null) box.scrollTop = Math.max(box.scrollTop, (last + 3) * lineHeight - box.clientHeight)
    store.moveTo(first, left)
  }

  const page = () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 340) / lineHeight) - 2)
  const addLine = () => {
    store.insert()
    reveal()
    focusGrid()
  }
  const removeLines = () => {
    const { top, left } = store.range
    store.edit(deleteRows(store.rows, store.range))
    store.moveTo(top, left)
    focusGrid()
  }

  const onCopy = (event: ClipboardEvent, cut: boolean) => {
    if (store.editing !== undefined) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', formatTsv(copyRange(store.rows, store.columns, store.range)))
    const { top, bottom } = store.range
    event.clipboardData.setData(ownCells, store.rows.slice(top, bottom + 1).map(({ fixed }) => (fixed ? '-' : '+')).join(''))
    if (cut && !readOnly) store.edit(clearRange(store.rows, store.columns, store.range))
  }

  /** Several cells pasted while one is being edited go into the grid, from that cell on: a box for one line would run them together. */
  const pasteOverEditor = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (!paste || busy || store.editing === undefined || !/[\t\r\n]/.test(text.replace(/[\r\n]+$/, ''))) return
    event.preventDefault()
    focusGrid()
    void takePaste(text, event.clipboardData.getData(ownCells))
  }

  /** Whole lines, by their numbers; `extend`: from where the selection began to this one. */
  const selectLines = (row: number, extend: boolean) => {
    store.moveTo(extend ? store.cursor.anchorRow : row, 0)
    store.moveTo(row, store.columns.length - 1, true)
  }

  const onMouseDown = (event: MouseEvent) => {
    const at = cellAt(event)
    if (at === undefined || event.button !== 0) return
    event.preventDefault()
    store.flush()
    // A finger has no keys to open a cell with, none to select more lines with.
    const isFinger = matchMedia('(pointer: coarse)').matches
    const again = isFinger || (focused && at.row === store.cursor.row && at.col === store.cursor.col)
    focusGrid()
    dragging.current = at.col < 0 ? 'lines' : 'cells'
    if (at.col < 0) return selectLines(at.row, event.shiftKey || (isFinger && store.hasLines && (at.row < store.range.top || at.row > store.range.bottom)))
    store.moveTo(at.row, at.col, event.shiftKey)
    keys.startFrom(at.col)
    if (again && event.detail <= 1) startEditing()
  }

  const keyboard: GridKeyboard = {
    onFocus: (event) => {
      if (event.target !== event.currentTarget) return
      setFocused(true)
      if (readOnly) return
      // There before it is wanted: the network may be away by then.
      if (paste) void PasteResult.preload()
      if (event.target === grid.current && keyBox.current !== null) return focusGrid()
      if (KeyBox === undefined) void loadChunk(() => import('./KeyBox.tsx')).then((part) => setKeyBox(() => part.KeyBox), () => undefined)
    },
    onBlur: () => setFocused(false),
    onKeyDown: (event) => keys.press(event, { readOnly, page, move, nextEntry, startEditing, selectLines, addLine, removeLines }),
    onCopy: (event) => onCopy(event, false),
    onCut: (event) => onCopy(event, true),
    onPaste: (event) => {
      if (readOnly || !paste || busy) return
      event.preventDefault()
      const [file] = event.clipboardData.files
      if (file !== undefined) return void openFile(file)
      void takePaste(event.clipboardData.getData('text/plain'), event.clipboardData.getData(ownCells))
    },
  }

  return (
    <div className={css['frame']}>
      <GridBar store={store} readOnly={readOnly} computing={props.computing} onSuggest={props.onSuggest} onAdd={addLine} onRemove={removeLines} />
      {report !== undefined && (
        <Suspense>
          <PasteResult
            report={report}
            store={store}
            onClose={() => setReport(undefined)}
            onJump={({ rowKey, column }) => {
              const row = store.indexOf(rowKey)
              if (row === undefined) return
              move(row, store.columns.indexOf(column))
              focusGrid()
            }}
          />
        </Suspense>
      )}
      <div
        ref={scroller}
        onScroll={isWide ? ({ currentTarget }) => currentTarget.style.setProperty('--scrolled', `${currentTarget.scrollLeft}px`) : undefined}
        className={classes(css['scroller'], isStacked && css['stacked'], isWide && css['wide'])}
        style={{ '--edge': `${edge}px`, '--fixed': `${isWide ? (placed[1]?.left ?? edge) : edge}px`, '--columns': `${edge}px ${placed.map((at) => `${at.width}px`).join(' ')}`, '--grid-row': `${rowHeight}px`, '--line': `${lineHeight}px` } as React.CSSProperties}
      >
        <div
          ref={grid}
          role="grid"
          id={`${id}-grid`}
          // From the box back to what stands before the grid.
          tabIndex={focused && KeyBox !== undefined ? -1 : 0}
          aria-label={label}
          aria-rowcount={rows.length + 1}
          aria-colcount={store.columns.length + 1}
          aria-multiselectable="true"
          data-keys={readOnly ? 'cells' : 'lines'}
          aria-busy={busy || undefined}
          aria-readonly={readOnly || undefined}
          aria-describedby={`${id}-keys`}
          className={css['grid']}
          style={{ width }}
          {...keyboard}
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
            if (dragging.current === undefined || event.buttons !== 1) return
            const at = cellAt(event)
            if (at === undefined) return
            if (dragging.current === 'lines') selectLines(at.row, true)
            else if (at.col >= 0) store.moveTo(at.row, at.col, true)
          }}
          onMouseUp={() => {
            dragging.current = undefined
          }}
          onDoubleClick={(event) => {
            if (cellAt(event) !== undefined) startEditing()
          }}
        >
          <ActiveCell id={id} grid={grid} store={store} />
          <GridHead columns={store.columns} placed={placed} startResize={startResize} />
          <div role="rowgroup" className={css['body']} style={{ height: rows.length * lineHeight }}>
            {rows.slice(first, last + 1).map((row, i) => (
              <LineRow key={row.key} id={id} store={store} rowKey={row.key} index={first + i} top={(first + i) * lineHeight} stacked={isStacked ? placed : undefined} mark={props.mark} />
            ))}
          </div>
          {hasTotals && <TotalsRow store={store} makeRoom={makeRoom} />}
        </div>
        <CursorLayer
          store={store}
          placed={placed}
          lineHeight={lineHeight}
          isWide={isWide}
          focused={focused}
          onPaste={pasteOverEditor}
          keyBox={
            KeyBox !== undefined && !readOnly && <KeyBox id={id} store={store} label={label} isStop={focused} handle={keyBox} keyboard={keyboard} onText={(...typed) => entry.takeText(...typed)} onLeave={leave} />
          }
          editor={(row, column, { start, opens = false }) => (
            <CellEditor
              key={`${row.key} ${column.wire}`}
              store={store}
              row={row}
              column={column}
              start={start}
              opens={opens}
              label={`${t(column.label)}, ${t('ui.grid.lineNumber', { number: store.cursor.row + 1 })}`}
              userId={userId}
              source={entry.sourceOf(column, row)}
              onText={(text) => entry.takeText(row.key, column, text)}
              onOption={(option) => entry.takeOption(row.key, column, option)}
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
      {!readOnly && rows.length > 2 && <p className={css['touch']}>{t('ui.grid.touch')}</p>}
    </div>
  )
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

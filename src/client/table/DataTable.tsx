import { startTransition, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject, type UIEvent } from 'react'
import type { CurrencyTotals } from '#api/data.ts'
import type { Column, Sort, Tone } from '#meta/resolved.ts'
import { loadChunk, loadSpokenChunk } from '../app/chunks.ts'
import { lazy } from '../app/lazy.tsx'
import { afterPaint } from '../data/afterPaint.ts'
import { classes } from '../ui/classes.ts'
import type { CellRange } from './cellRange.ts'
import type { AnyRecord } from './cells.tsx'
import type { HeadDeeds } from './HeadCell.tsx'
import { columnsWithin, pinOffsets, rowLook, type RowLook } from './rowLook.ts'
import { nextSort } from './sorting.ts'
import css from './DataTable.module.css'
import { TableColumns, TableHead } from './TableHead.tsx'
import { TableRow, WaitingRow } from './TableRow.tsx'
import { totalsLines, TotalsRow } from './TotalsRow.tsx'
import { useRowEvents } from './useRowEvents.ts'
import type { RowSelection } from './useSelection.ts'
import { columnWidths, growingColumn } from './widths.ts'

const VirtualBody = lazy(() => import('./VirtualBody.tsx').then((module) => ({ default: module.VirtualBody })), loadSpokenChunk)

/** Up to this many rows are drawn as they are; more are drawn as they scroll by. */
const virtualFrom = 100

/** Rows the window shows without scrolling, at most: 36 px high, those of a compact list 28, and the page's head takes 150. */
const rowsInView = (): number => Math.max(1, Math.ceil((innerHeight - 150) / (document.documentElement.dataset['density'] === 'compact' ? 28 : 36)))

/** Draws the row at a place of `rows`; `index` is that place. */
export type DrawRow<R> = (row: R | undefined, index: number) => ReactNode

export interface DataTableProps<R extends AnyRecord> {
  readonly label: string
  /** Columns shown, from left to right. */
  readonly columns: readonly Column[]
  /** Rows of the page; undefined: still on its way. */
  readonly rows: readonly (R | undefined)[]
  readonly rowId: (row: R) => string
  readonly sort: readonly Sort[]
  readonly onSort: (sort: readonly Sort[]) => void
  /** The order last asked for, where `sort` is still that of the rows shown: the next heading adds to it. */
  readonly asked?: readonly Sort[]
  /** What else can be done with columns; absent: they stay as they are. */
  readonly deeds?: Omit<HeadDeeds, 'onSort'>
  /** Columns whose width the user has set. */
  readonly sized?: ReadonlySet<string>
  /** Ids selected; absent: rows cannot be selected. */
  readonly selection?: RowSelection
  readonly onSelection?: (selection: RowSelection) => void
  /** All rows of the page, where some are still on their way; nothing where they are refused. */
  readonly all?: (() => Promise<readonly R[] | undefined>) | undefined
  /** Selects rows, or no longer: those that are not there yet too. */
  readonly onMark?: (rows: readonly R[], isOn: boolean) => void
  /** The rows selected, those of other pages too: what Ctrl+C copies. Absent: none are. */
  readonly chosen?: (() => Promise<readonly R[] | undefined>) | undefined
  readonly toneOf?: (row: R) => Tone | undefined
  /** Where a click or Enter leads; a function for anything but a path. */
  readonly pathOf?: (row: R) => string | undefined
  readonly onOpen?: (row: R) => void
  /** Opens the menu of a row's actions; absent: rows have none. */
  readonly onMenu?: (row: R, button: HTMLElement) => void
  readonly onRow?: (row: R) => void
  /** Shows the row beside the list, or what is shown no more; undefined: nothing any more. */
  readonly onPreview?: (row: R) => void
  /** Id of the row shown beside the list; undefined: there is no preview open. */
  readonly current?: string | undefined
  readonly totals?: Readonly<Record<string, string>>
  readonly currencies?: readonly CurrencyTotals[] | undefined
  readonly totalsLabel?: string
  /** Rows of a group's sums, after its last row. */
  readonly after?: (row: R, index: number) => ReactNode
  /** Draws the body itself (groups) out of the rows there are. */
  readonly body?: (draw: DrawRow<R>, look: RowLook) => ReactNode
  readonly isLoading?: boolean
  /** Rows of all pages together, and how many stand on pages before this one. */
  readonly total?: number
  readonly first?: number
  /** Every row at once: for print. */
  readonly isWhole?: boolean
  readonly onSeen?: ((first: number, last: number) => void) | undefined
  readonly frame?: RefObject<HTMLDivElement | null>
}

/** Head, rows and totals of a list. Data comes sorted and paged; this shows it, selects and walks it by keyboard. */
export function DataTable<R extends AnyRecord>(props: DataTableProps<R>) {
  const { columns, rows, rowId, sort, onSort, selection = none, onSelection, onMenu, after, body, totals, currencies, first = 0 } = props
  const own = useRef<HTMLDivElement>(null)
  const wrapper = props.frame ?? own
  const lines = useMemo(() => (totals === undefined ? [] : totalsLines(totals, currencies)), [totals, currencies])
  const canSelect = onSelection !== undefined
  const hasMenu = onMenu !== undefined
  const look = useMemo<RowLook>(() => {
    const sized = props.sized ?? noNames
    const widths = columnWidths({ columns, rows, totals: lines.map((line) => line.totals), sized, sorted: new Set(sort.map(({ field }) => field)) })
    return rowLook({ columns, widths, growing: growingColumn(columns, sized), canSelect, hasMenu, first })
  }, [columns, rows, lines, sort, props.sized, canSelect, hasMenu, first])
  // The look is made anew with every page; rows are drawn anew only when something of it differs.
  const steady = useSteady(look)

  const isVirtual = rows.length > virtualFrom && after === undefined && body === undefined && props.isWhole !== true
  const [firstRows] = useState(rowsInView)
  // Those below the fold follow in their own time, when rows change and when a list opens; those in view are there at once.
  const isDue = useSeen() || props.isWhole === true
  const late = useDeferredValue(isDue ? rows : noRows)
  // So do the columns beyond the window's edge; a table begins at that edge at the earliest.
  const cells = isDue ? columns.length : columnsWithin(steady, innerWidth)
  const current = useCallback((index: number) => (index < firstRows || isVirtual || body !== undefined ? rows : late)[index], [rows, late, isVirtual, body, firstRows])
  const ids = useMemo(() => (canSelect ? rows.flatMap((row) => (row === undefined ? [] : rowId(row))) : []), [rows, rowId, canSelect])
  const anchor = useRef(0)
  const { all, onMark } = props
  const markAll = (from: number, to: number, isOn: boolean): void => void all?.().then((whole) => whole && onMark?.(whole.slice(from, to), isOn))
  const toggle = (index: number, isRange: boolean) => {
    const row = current(index)
    if (row === undefined && all === undefined) return
    const isOn = row === undefined || selection[rowId(row)] !== true
    const [from, to] = isRange ? [Math.min(anchor.current, index), Math.max(anchor.current, index)] : [index, index]
    anchor.current = index
    if (rows.slice(from, to + 1).includes(undefined) && all !== undefined) return markAll(from, to + 1, isOn)
    mark(rows.slice(from, to + 1).flatMap((one) => (one === undefined ? [] : rowId(one))), isOn)
  }
  /** Rows of other pages stay as they are. */
  const mark = (meant: readonly string[], isOn: boolean) => {
    const named = new Set(meant)
    const others = Object.entries(selection).filter(([id]) => !named.has(id))
    onSelection?.(Object.fromEntries(isOn ? [...others, ...meant.map((id) => [id, true])] : others))
  }
  const selectedHere = ids.filter((id) => selection[id] === true).length
  const isPart = ids.length < rows.length && all !== undefined
  const isAll = selectedHere === ids.length && (!isPart || Object.keys(selection).length >= rows.length)
  const selectAll = () => {
    if (!isPart) mark(ids, !isAll)
    else if (isAll) onSelection?.(none)
    else markAll(0, rows.length, true)
  }
  const events = useRowEvents<R>(wrapper, {
    rowAt: current,
    count: rows.length,
    generation: useGeneration(rows),
    pathOf: props.pathOf,
    onOpen: props.onOpen,
    onMenu,
    onRow: props.onRow,
    onPreview: props.onPreview,
    isPreviewing: props.current !== undefined,
    ...(canSelect ? { onToggle: toggle, onSelectAll: selectAll } : {}),
    onCopy: (range: CellRange | undefined, index: number) => void copy(range, index),
  })
  const copy = async (range: CellRange | undefined, index: number) => {
    const { copyFrom } = await loadChunk(() => import('./copyCells.ts'))
    await copyFrom({ columns, rows, toolCells: steady.toolWidth > 0 ? 1 : 0, area: range?.area, index, chosen: props.chosen, all })
  }
  const asked = useRef(sort)
  asked.current = props.asked ?? sort
  const deeds = useMemo<HeadDeeds>(() => ({ ...props.deeds, onSort: (name, isAdding) => onSort(nextSort(asked.current, name, isAdding)) }), [props.deeds, onSort])

  // A column with a link of its own (a document number) speaks for the row.
  const linksFirst = !columns.some((column) => column.link !== undefined)
  const { toneOf, pathOf, current: shownId } = props
  // Keyed by place: another page or order changes the text of the rows there are, which is cheaper than making new ones.
  const drawRow = useCallback<DrawRow<R>>(
    (row, index) =>
      row === undefined ? (
        <WaitingRow key={index} index={index} look={steady} />
      ) : (
        <TableRow key={index} record={row} index={index} look={steady} isSelected={selection[rowId(row)] === true} isCurrent={shownId === rowId(row)} tone={toneOf?.(row)} cells={cells} path={linksFirst ? pathOf?.(row) : undefined} />
      ),
    [steady, cells, selection, rowId, toneOf, pathOf, linksFirst, shownId],
  )
  const draw = useCallback<DrawRow<R>>((row, index) => (after === undefined || row === undefined ? drawRow(row, index) : [drawRow(row, index), after(row, index)]), [drawRow, after])
  const isOwn = isVirtual || body !== undefined
  const inView = useMemo(() => (isOwn ? null : rows.slice(0, firstRows).map(draw)), [rows, draw, isOwn, firstRows])
  // Where there are fewer rows now, those of before go at once.
  const below = useMemo(() => (isOwn ? null : late.slice(firstRows, rows.length).map((row, index) => draw(row, index + firstRows))), [late, rows.length, draw, isOwn, firstRows])
  const width = steady.widths.reduce((sum, one) => sum + one, steady.toolWidth)
  return (
    <div ref={wrapper} className={classes(css['wrapper'], props.isLoading && css['loading'])} tabIndex={-1} onScroll={markScrolled} style={pinOffsets(steady)}>
      <table
        role="grid"
        className={css['table']}
        style={{ minWidth: width }}
        aria-label={props.label}
        aria-rowcount={(props.total ?? rows.length) + 1}
        aria-multiselectable={canSelect || undefined}
        aria-busy={props.isLoading}
      >
        <TableColumns look={steady} />
        <TableHead look={steady} sort={sort} deeds={deeds} selected={!canSelect ? undefined : selectedHere === 0 ? 'none' : isAll ? 'all' : 'some'} onSelectAll={selectAll} />
        {/* Rows carry no handlers of their own: a thousand of them cost nothing. */}
        <tbody
          {...events}
          onChange={(event) => {
            const row = event.target instanceof Element ? event.target.closest<HTMLElement>('tr[data-row]') : null
            if (row !== null) toggle(Number(row.dataset['row']), isShift(event.nativeEvent))
          }}
        >
          {body !== undefined ? (
            body(drawRow, steady)
          ) : isVirtual ? (
            <Suspense fallback={rows.slice(0, 40).map(drawRow)}>
              <VirtualBody count={rows.length} wrapper={wrapper} columns={columns.length + 1} draw={(index) => drawRow(rows[index], index)} onSeen={props.onSeen} />
            </Suspense>
          ) : (
            <>
              {inView}
              {below}
            </>
          )}
        </tbody>
        {lines.length > 0 && rows.length + (body === undefined ? 0 : 1) > 0 && <TotalsRow look={steady} lines={lines} label={props.totalsLabel ?? ''} />}
      </table>
    </div>
  )
}

/** Whether what was drawn first has been painted: what comes next must not hold up the first key or click. */
function useSeen(): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => afterPaint(() => startTransition(() => setSeen(true))), [])
  return isSeen
}

const none: RowSelection = {}
const noNames: ReadonlySet<string> = new Set()
const noRows: readonly undefined[] = []

/** The same look as before as long as it says the same. */
function useSteady(look: RowLook): RowLook {
  const kept = useRef(look)
  const before = kept.current
  const isSame =
    before === look ||
    (before.columns === look.columns && before.growing === look.growing && before.toolWidth === look.toolWidth && before.first === look.first && before.canSelect === look.canSelect && before.widths.every((width, i) => width === look.widths[i]))
  if (!isSame) kept.current = look
  return kept.current
}

/** Counts how often other rows have taken the place of those there were; a row that comes to its place is no other. */
function useGeneration(rows: readonly unknown[]): number {
  const kept = useRef({ rows, generation: 0 })
  const before = kept.current
  if (before.rows !== rows) {
    const isSame = before.rows.length === rows.length && before.rows.every((row, i) => row === undefined || row === rows[i])
    kept.current = { rows, generation: before.generation + (isSame ? 0 : 1) }
  }
  return kept.current.generation
}

/** Pinned cells stick only while there is something to stick over: two hundred sticky cells make every repaint slow. */
function markScrolled(event: UIEvent<HTMLDivElement>): void {
  event.currentTarget.toggleAttribute('data-scrolled', event.currentTarget.scrollLeft > 0)
}

function isShift(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'shiftKey' in event && event.shiftKey === true
}

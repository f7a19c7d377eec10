import {
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type RowSelectionState,
  type SortingState,
  type Updater,
} from '@tanstack/react-table'
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useRef, type KeyboardEvent, type MouseEvent, type ReactNode, type UIEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Column, Sort, Tone } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { preload } from '../app/preload.ts'
import { classes } from '../ui/classes.ts'
import { cellOf, type AnyRecord } from './cells.tsx'
import { HeadCell } from './HeadCell.tsx'
import css from './Table.module.css'
import { TableRow, toolsWidth, type RowLook } from './TableRow.tsx'
import { TotalsRow } from './TotalsRow.tsx'

const VirtualBody = lazy(() => import('./VirtualBody.tsx').then((module) => ({ default: module.VirtualBody })))

/** Up to this many rows are drawn as they are; more are drawn as they scroll by. */
const virtualFrom = 100

/** Rows a tall screen shows without scrolling. */
const firstRows = 36

export interface TableProps<R extends AnyRecord> {
  readonly label: string
  /** All columns of the screen; `visible` says which are shown. */
  readonly columns: readonly Column[]
  readonly visible: readonly Column[]
  readonly rows: readonly R[]
  readonly rowId: (row: R) => string
  readonly sort: readonly Sort[]
  readonly onSort: (sort: readonly Sort[]) => void
  /** Ids selected; absent: rows cannot be selected. */
  readonly selection?: RowSelectionState
  readonly onSelection?: (selection: RowSelectionState) => void
  readonly toneOf?: (row: R) => Tone | undefined
  /** Where a click or Enter leads; a function for anything but a path. */
  readonly pathOf?: (row: R) => string | undefined
  readonly onOpen?: (row: R) => void
  /** Opens the menu of a row's actions; absent: rows have none. */
  readonly onMenu?: (row: R, button: HTMLElement) => void
  readonly totals?: Readonly<Record<string, string>>
  readonly totalsLabel?: string
  /** Rows of a group's sums, after its last row. */
  readonly after?: (row: R, index: number) => ReactNode
  readonly isLoading?: boolean
}

const features = tableFeatures({ rowSortingFeature, rowSelectionFeature, columnVisibilityFeature })
type Features = typeof features

/** Head, rows and totals of a list. Data comes sorted and paged; this shows it, selects and walks it by keyboard. */
export function Table<R extends AnyRecord>(props: TableProps<R>) {
  const { columns, visible, rows, rowId, sort, onSort, selection = none, onSelection, onOpen, onMenu, after } = props
  const navigate = useNavigate()
  const wrapper = useRef<HTMLDivElement>(null)
  const definitions = useMemo(
    () => columns.map((column): ColumnDef<Features, R, unknown> => ({ id: column.name, accessorFn: (row) => row[column.wire], enableSorting: column.sortable })),
    [columns],
  )
  const sorting = useMemo<SortingState>(() => sort.map(({ field, dir }) => ({ id: field, desc: dir === 'desc' })), [sort])
  const visibility = useMemo(() => Object.fromEntries(columns.map((column) => [column.name, visible.includes(column)])), [columns, visible])
  const table = useTable(
    {
      features,
      data: rows,
      columns: definitions,
      getRowId: rowId,
      manualSorting: true,
      enableMultiSort: true,
      sortDescFirst: false,
      enableSortingRemoval: false,
      isMultiSortEvent: (event) => isShift(event),
      enableRowSelection: onSelection !== undefined,
      state: { sorting, rowSelection: selection, columnVisibility: visibility },
      onSortingChange: (updater: Updater<SortingState>) => {
        const next = typeof updater === 'function' ? updater(sorting) : updater
        onSort(next.map(({ id, desc }) => ({ field: id, dir: desc ? 'desc' : 'asc' })))
      },
      onRowSelectionChange: (updater: Updater<RowSelectionState>) => onSelection?.(typeof updater === 'function' ? updater(selection) : updater),
    },
    (state) => state,
  )
  const byName = useMemo(() => new Map(columns.map((column) => [column.name, column])), [columns])
  const shownIds = table.getVisibleLeafColumns().map((column) => column.id).join(' ')
  const shown = useMemo(() => shownIds.split(' ').flatMap((id) => byName.get(id) ?? []), [byName, shownIds])
  // The tie-breakers behind the scenes (id) are not counted for the user.
  const shownSort = sort.filter(({ field }) => shown.some((column) => column.name === field))
  const hasPinned = shown.some((column) => column.pin === 'left')
  const canSelect = onSelection !== undefined
  const hasMenu = onMenu !== undefined
  const look = useMemo<RowLook>(() => ({ columns: shown, canSelect, hasMenu }), [shown, canSelect, hasMenu])
  const toolWidth = toolsWidth(look)
  const width = shown.reduce((sum, column) => sum + widthOf(column), toolWidth)

  const isVirtual = rows.length > virtualFrom && after === undefined
  // When rows change, those below the fold follow in their own time; those in view are there at once.
  const late = useDeferredValue(rows)
  const rowAt = useCallback((target: EventTarget | null) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null
    const index = Number(element?.dataset['row'])
    const row = element === null ? undefined : (index < firstRows || isVirtual ? rows : late)[index]
    return row === undefined || element === null ? undefined : { row, index, element }
  }, [rows, late, isVirtual])

  const open = (row: R, isNewTab: boolean) => {
    const path = props.pathOf?.(row)
    if (path !== undefined && isNewTab) window.open(path, '_blank', 'noopener')
    else if (path !== undefined) void navigate(path)
    else onOpen?.(row)
  }
  const toggle = (index: number, isRange: boolean) => {
    const row = table.getRowModel().rows[index]
    row?.getToggleSelectedHandler()({ target: { checked: !row.getIsSelected() }, shiftKey: isRange })
  }
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const at = rowAt(event.target)
    const target = event.target
    if (at === undefined || !(target instanceof Element)) return
    const button = target.closest<HTMLElement>('button')
    if (button !== null) return onMenu?.(at.row, button)
    if (target.closest('input, label') !== null) return
    const link = target.closest('a')
    const isNewTab = event.ctrlKey || event.metaKey
    if (link !== null) {
      const path = link.getAttribute('href')
      if (isNewTab || path === null) return
      event.preventDefault()
      return void navigate(path)
    }
    if (window.getSelection()?.isCollapsed === false) return
    open(at.row, isNewTab)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = rowAt(event.target)
    if (at === undefined || (event.target instanceof Element && event.target.closest('a, button, input') !== null && event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      focusRow(wrapper.current, at.index + step)
    } else if (event.key === 'Enter') open(at.row, event.ctrlKey || event.metaKey)
    else if (event.key === ' ' && onSelection !== undefined) {
      event.preventDefault()
      toggle(at.index, event.shiftKey)
    }
  }
  const onPointerDown = (event: { readonly target: EventTarget }) => {
    const at = rowAt(event.target)
    const path = at === undefined ? undefined : props.pathOf?.(at.row)
    if (path !== undefined) preload(path)
  }
  // A column with a link of its own (a document number) speaks for the row.
  const linksFirst = !shown.some((column) => column.link !== undefined)
  const { toneOf, pathOf } = props
  // Keyed by place: another page or order changes the text of the rows there are, which is cheaper than making new ones.
  const drawRow = useCallback(
    (row: R, index: number) => (
      <TableRow key={index} record={row} index={index} look={look} isSelected={selection[rowId(row)] === true} tone={toneOf?.(row)} path={linksFirst ? pathOf?.(row) : undefined} />
    ),
    [look, selection, rowId, toneOf, pathOf, linksFirst],
  )
  const draw = useCallback((row: R, index: number) => (after === undefined ? drawRow(row, index) : [drawRow(row, index), after(row, index)]), [drawRow, after])
  const inView = useMemo(() => (isVirtual ? null : rows.slice(0, firstRows).map(draw)), [rows, draw, isVirtual])
  const below = useMemo(() => (isVirtual ? null : late.slice(firstRows).map((row, index) => draw(row, index + firstRows))), [late, draw, isVirtual])
  return (
    <div ref={wrapper} className={classes(css['wrapper'], props.isLoading && css['loading'])} tabIndex={-1} onScroll={markScrolled}>
      <table
        className={classes(css['table'], hasPinned && css['pinned'])}
        style={{ minWidth: width }}
        aria-label={props.label}
        aria-rowcount={rows.length}
        aria-busy={props.isLoading}
      >
        <colgroup>
          {toolWidth > 0 && <col style={{ width: toolWidth }} />}
          {shown.map((column) => (
            <col key={column.name} style={{ width: widthOf(column) }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {toolWidth > 0 && (
              <th scope="col" className={css['tools']}>
                {look.canSelect ? (
                  <input
                    type="checkbox"
                    aria-label={t('ui.select-all')}
                    checked={rows.length > 0 && table.getIsAllRowsSelected()}
                    ref={(box) => {
                      if (box) box.indeterminate = table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()
                    }}
                    onChange={table.getToggleAllRowsSelectedHandler()}
                  />
                ) : (
                  <span className="visually-hidden">{t('ui.actions')}</span>
                )}
              </th>
            )}
            {shown.map((column) => (
              <HeadCell key={column.name} column={column} sort={shownSort} onSort={(isAdding) => table.getColumn(column.name)?.toggleSorting(undefined, isAdding)} />
            ))}
          </tr>
        </thead>
        {/* Rows carry no handlers of their own: a thousand of them cost nothing. */}
        <tbody
          onClick={onClick}
          onKeyDown={onKeyDown}
          onPointerDown={onPointerDown}
          onChange={(event) => {
            const at = rowAt(event.target)
            if (at !== undefined) toggle(at.index, isShift(event.nativeEvent))
          }}
        >
          {isVirtual ? (
            <Suspense fallback={rows.slice(0, 40).map(drawRow)}>
              <VirtualBody count={rows.length} wrapper={wrapper} columns={shown.length + 1} draw={(index) => drawAt(rows, index, drawRow)} />
            </Suspense>
          ) : (
            <>
              {inView}
              {below}
            </>
          )}
        </tbody>
        {props.totals !== undefined && rows.length > 0 && <TotalsRow look={look} totals={props.totals} label={props.totalsLabel ?? ''} />}
      </table>
    </div>
  )
}

const none: RowSelectionState = {}

export function widthOf(column: Column): number {
  return column.width ?? cellOf(column.type).width
}

/** Pinned cells stick only while there is something to stick over: two hundred sticky cells make every repaint slow. */
function markScrolled(event: UIEvent<HTMLDivElement>): void {
  event.currentTarget.toggleAttribute('data-scrolled', event.currentTarget.scrollLeft > 0)
}

function drawAt<R>(rows: readonly R[], index: number, draw: (row: R, index: number) => ReactNode): ReactNode {
  const row = rows[index]
  return row === undefined ? null : draw(row, index)
}

function focusRow(wrapper: HTMLElement | null, index: number): void {
  const row = wrapper?.querySelector<HTMLElement>(`tr[data-row="${index}"]`)
  row?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}

function isShift(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'shiftKey' in event && event.shiftKey === true
}

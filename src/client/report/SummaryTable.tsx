import { useTable, type ExpandedState, type SortingState, type Updater } from '@tanstack/react-table'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { SummaryAnswer } from '#api/report.ts'
import { summaryTree, type TreeRow } from '#domain/reporting/summaryTable.ts'
import type { ReportMeasure, Sort } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import type { ReportLayout } from '../pages/reportState.ts'
import { useScrollMemory } from '../table/useScrollMemory.ts'
import { Icon } from '../ui/Icon.tsx'
import { classes } from '../ui/classes.ts'
import { features, groupColumn, summaryColumns } from './summaryColumns.ts'
import { FigureCells, GroupHead, type PlaceOf } from './SummaryCells.tsx'
import css from './SummaryTable.module.css'

export interface SummaryTableProps {
  readonly label: string
  readonly layout: ReportLayout
  readonly answer: SummaryAnswer
  /** All measures in the order of the columns, and the names of those shown. */
  readonly measures: readonly ReportMeasure[]
  readonly shown: ReadonlySet<string>
  readonly sort: readonly Sort[]
  readonly onSort: (sort: readonly Sort[]) => void
  /** The single rows behind a figure. */
  readonly placeOf: PlaceOf
  readonly isLoading: boolean
}

/** A4 on its side less its margins and those of the page, in pixels of CSS. */
const paperWidth = 1028
/** Letters half their size can just be read. */
const smallest = 0.5

const none: Readonly<Record<string, boolean>> = {}
const pinning = { start: [groupColumn], end: [] }

/** Groups that open and close under heads over heads. The server has grouped, ordered and paged them. */
export function SummaryTable({ label, layout, answer, measures, shown, sort, onSort, placeOf, isLoading }: SummaryTableProps) {
  const tree = useMemo(() => summaryTree(answer), [answer])
  const outer = useMemo(() => outerIds(tree), [tree])
  const { definitions, figures } = useMemo(() => summaryColumns(answer, layout, measures), [answer, layout, measures])
  const [closed, setClosed] = useState(none)
  const expanded = useMemo<Record<string, boolean>>(() => Object.fromEntries(outer.flatMap((id) => (closed[id] === true ? [] : [[id, true]]))), [outer, closed])
  const first = layout.rows[0]?.key ?? ''
  const sorting = useMemo<SortingState>(() => sort.map(({ field, dir }) => ({ id: field === first ? groupColumn : field, desc: dir === 'desc' })), [sort, first])
  const visibility = useMemo(() => Object.fromEntries([...figures].map(([id, { field }]) => [id, shown.has(field.name)])), [figures, shown])
  const table = useTable(
    {
      features,
      data: tree,
      columns: definitions,
      getRowId: (row: TreeRow) => row.id,
      getSubRows: (row: TreeRow) => row.children,
      manualSorting: true,
      autoResetExpanded: false,
      enableMultiSort: true,
      isMultiSortEvent: (event) => typeof event === 'object' && event !== null && 'shiftKey' in event && event.shiftKey === true,
      state: { sorting, expanded, columnVisibility: visibility, columnPinning: pinning },
      onSortingChange: (updater: Updater<SortingState>) => {
        const next = typeof updater === 'function' ? updater(sorting) : updater
        onSort(next.map(({ id, desc }) => ({ field: id === groupColumn ? first : id, dir: desc ? 'desc' : 'asc' })))
      },
      onExpandedChange: (updater: Updater<ExpandedState>) => {
        const next = typeof updater === 'function' ? updater(expanded) : updater
        setClosed(next === true ? none : Object.fromEntries(outer.flatMap((id) => (next[id] === true ? [] : [[id, true]]))))
      },
    },
    (state) => state,
  )
  const leaves = table.getVisibleLeafColumns().flatMap((column) => {
    const figure = figures.get(column.id)
    return figure === undefined ? [] : [figure]
  })
  const drawn = useRef<HTMLTableElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  // A figure leads to its rows; Back finds the place it stood at.
  useScrollMemory(frame, `summary ${label}`, !isLoading)
  useEffect(() => {
    // What is wider than the paper comes out smaller; what could not be read then is cut off at its edge, and says so.
    const fit = () => {
      const { current } = drawn
      if (current === null) return
      const share = Math.floor((paperWidth / current.scrollWidth) * 100) / 100
      current.style.setProperty('--fit', String(Math.max(smallest, Math.min(1, share))))
      current.parentElement?.toggleAttribute('data-cut', share < smallest)
    }
    window.addEventListener('beforeprint', fit)
    return () => window.removeEventListener('beforeprint', fit)
  }, [])
  return (
    <div ref={frame} className={classes(css['frame'], isLoading && css['loading'])} aria-busy={isLoading}>
      <p className={css['cut']}>{t('ui.report.cut')}</p>
      <table ref={drawn} className={css['table']} aria-label={label} data-keys="table" onKeyDown={walk}>
        <thead>
          {table.getHeaderGroups().map((group, level) => (
            <tr key={group.id}>
              {group.headers.map((header) => {
                const { column } = header
                if (header.rowSpan === 0) return null
                const dir = column.getIsSorted()
                const isFigure = column.id !== groupColumn
                const text = String(column.columnDef.header)
                return (
                  <th
                    key={header.id}
                    scope={header.colSpan > 1 ? 'colgroup' : 'col'}
                    colSpan={header.colSpan}
                    rowSpan={header.rowSpan}
                    className={classes(column.getIsPinned() === 'start' && css['pinned'], isFigure && (figures.has(column.id) ? css['number'] : css['over']), level > 0 && css['under'])}
                    aria-sort={dir === false ? undefined : dir === 'asc' ? 'ascending' : 'descending'}
                  >
                    <span className={css['head']}>
                      {!isFigure && outer.length > 0 && (
                        <button type="button" className={css['toggle']} aria-expanded={table.getIsAllRowsExpanded()} aria-label={t(table.getIsAllRowsExpanded() ? 'ui.group.close-all' : 'ui.group.open-all')} onClick={table.getToggleAllRowsExpandedHandler()}>
                          <Icon name={table.getIsAllRowsExpanded() ? 'chevron' : 'right'} size={14} />
                        </button>
                      )}
                      {column.getCanSort() && column.columns.length === 0 ? (
                        <button type="button" className={css['sort']} onClick={column.getToggleSortingHandler()}>
                          {text}
                          {dir !== false && <Icon name={dir === 'asc' ? 'up' : 'down'} size={13} />}
                        </button>
                      ) : (
                        text
                      )}
                    </span>
                  </th>
                )
              })}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} className={classes(row.getCanExpand() && css['outer'])}>
              <GroupHead layout={layout} row={row.original.row} isOpen={row.getCanExpand() ? row.getIsExpanded() : undefined} onToggle={row.getToggleExpandedHandler()} hasCurrencies={answer.totals.length > 1} placeOf={placeOf} />
              <FigureCells row={row.original.row} figures={leaves} placeOf={placeOf} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          {answer.totals.map((total) => (
            <tr key={total.currency ?? ''}>
              <th scope="row" className={css['pinned']}>
                {[t('ui.totals', { n: formatNumber(total.cells[0]?.count ?? 0) }), answer.totals.length > 1 ? total.currency : null].filter(Boolean).join(' · ')}
              </th>
              <FigureCells row={total} figures={leaves} placeOf={placeOf} />
            </tr>
          ))}
        </tfoot>
      </table>
    </div>
  )
}

function outerIds(tree: readonly TreeRow[]): readonly string[] {
  return tree.flatMap(({ id, children }) => (children.length === 0 ? [] : [id, ...outerIds(children)]))
}

const steps: Readonly<Record<string, readonly [down: number, right: number]>> = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }

/** Arrow keys walk from figure to figure; empty places are passed over. */
function walk(event: KeyboardEvent<HTMLTableElement>): void {
  const step = steps[event.key]
  const cell = event.target instanceof Element ? event.target.closest<HTMLTableCellElement>('tbody td, tbody th, tfoot td, tfoot th') : null
  if (step === undefined || cell === null || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  const rows = [...event.currentTarget.querySelectorAll<HTMLTableRowElement>('tbody tr, tfoot tr')]
  let [row, place] = [rows.findIndex((one) => one.contains(cell)), cell.cellIndex]
  for (;;) {
    row += step[0]
    place += step[1]
    const next = rows[row]?.cells[place]
    if (next === undefined) return
    const link = next.querySelector<HTMLElement>('a') ?? next.querySelector<HTMLElement>('button')
    if (link !== null) return link.focus()
  }
}

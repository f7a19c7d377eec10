import { Suspense, useMemo, type ReactNode, type RefObject } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { ListState } from '#api/listState.ts'
import type { Layout } from '#api/view.ts'
import type { Column, Field, ListScreen, ScreenAction, Sort, Tone } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { loadSpokenChunk } from '../app/chunks.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import type { HeadDeeds } from '../table/HeadCell.tsx'
import { DataTable } from '../table/DataTable.tsx'
import { TableSkeleton } from '../table/TableSkeleton.tsx'
import type { Groups } from '../table/useGroups.ts'
import type { List } from '../table/useList.ts'
import type { Selection } from '../table/useSelection.ts'
import { classes } from '../ui/classes.ts'
import { ErrorState } from '../ui/States.tsx'
import css from './ListView.module.css'

const CardList = lazy(() => import('../table/CardList.tsx').then((module) => ({ default: module.CardList })), loadSpokenChunk)
const CardSort = lazy(() => import('../table/CardList.tsx').then((module) => ({ default: module.CardSort })), loadSpokenChunk)
const CardTotals = lazy(() => import('../table/CardTotals.tsx').then((module) => ({ default: module.CardTotals })), loadSpokenChunk)
const NoRows = lazy(() => import('./NoRows.tsx').then((module) => ({ default: module.NoRows })), loadSpokenChunk)
const GroupedTable = lazy(() => import('../table/GroupedTable.tsx').then((module) => ({ default: module.GroupedTable })), loadSpokenChunk)

export interface ListBodyProps {
  readonly screen: ListScreen
  readonly state: ListState
  readonly params: Readonly<Record<string, string>>
  readonly columns: readonly Column[]
  readonly layout: Layout
  readonly list: List
  /** How the groups stand; undefined: there are none, or they are on their way. */
  readonly groups: Groups | undefined
  readonly fields: readonly Field[]
  readonly isNarrow: boolean
  readonly isPrinting: boolean
  /** Rows printed in the place of those shown. */
  readonly paper: readonly WireRecord[] | undefined
  readonly frame: RefObject<HTMLDivElement | null>
  readonly selection: Selection
  readonly hasSelection: boolean
  /** As `DataTable` takes them. */
  readonly all: (() => Promise<readonly WireRecord[] | undefined>) | undefined
  readonly chosen: (() => Promise<readonly WireRecord[] | undefined>) | undefined
  readonly deeds: Omit<HeadDeeds, 'onSort'>
  readonly toneOf: (row: WireRecord) => Tone | undefined
  readonly pathOf: ((row: WireRecord) => string | undefined) | undefined
  readonly onOpen: ((row: WireRecord) => void) | undefined
  readonly onMenu: ((row: WireRecord, anchor: HTMLElement) => void) | undefined
  /** Row shown beside the list. */
  readonly preview: WireRecord | undefined
  readonly onPreview: (row: WireRecord | undefined) => void
  readonly onSort: (sort: readonly Sort[]) => void
  /** Shows another preset. */
  readonly onPreset: (id: string) => void
  /** Something is chosen above the list. */
  readonly isScoped: boolean
  readonly onClear: () => void
  readonly pageActions: readonly ScreenAction[]
  readonly onAction: (action: ScreenAction) => void
  readonly onReload: () => void
  readonly pager: ReactNode
}

/** The rows of a list as table, groups or cards; or why there are none. */
export function ListBody(props: ListBodyProps) {
  const { screen, columns, list, groups, layout, isNarrow, selection, hasSelection, onPreview, preview } = props
  const { rows } = list
  const sized = useMemo(() => new Set(layout.filter((column) => column.width !== undefined).map((column) => column.name)), [layout])
  const hasTotals = columns.some((column) => column.total === 'sum')
  const isGrouped = (props.state.group ?? []).length > 0
  const problem = list.problem ?? groups?.problem
  const shared = {
    toneOf: props.toneOf,
    selection: selection.ids,
    ...(hasSelection ? { onSelection: selection.set } : {}),
    ...(props.onMenu === undefined ? {} : { onMenu: props.onMenu }),
    ...(props.onOpen === undefined ? {} : { onOpen: props.onOpen }),
    ...(props.pathOf === undefined ? {} : { pathOf: props.pathOf }),
  }
  const table = {
    ...shared,
    label: t(screen.title),
    columns,
    chosen: props.chosen,
    rowId: idOf,
    sort: list.sort,
    asked: list.asked,
    onSort: props.onSort,
    deeds: props.deeds,
    sized,
    isLoading: list.isLoading,
    total: list.total,
    current: preview === undefined ? undefined : idOf(preview),
    onPreview: (row: WireRecord) => onPreview(preview?.ID === row.ID ? undefined : row),
    onRow: (row: WireRecord) => {
      if (preview !== undefined && preview.ID !== row.ID) onPreview(row)
    },
    isWhole: props.isPrinting,
    frame: props.frame,
    ...(hasTotals ? { totals: list.totals, currencies: list.currencies, totalsLabel: t('ui.totals', { n: formatNumber(list.total) }) } : {}),
  }
  const content = () => {
    if (problem !== undefined && problem.code !== 'ABORTED') return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={props.onReload} />
    if (list.isFirstLoad || (isGrouped && groups?.isFirstLoad !== false)) return <TableSkeleton columns={columns} rows={Math.min(list.length, 20)} />
    if (list.total === 0) return <NoRows {...props} />
    if (groups !== undefined) return <GroupedTable {...table} list={screen.id} entity={screen.entity} resource={screen.resource} query={list.query} picked={selection} onReload={props.onReload} groups={groups} groupings={props.state.group ?? []} fields={props.fields} isNarrow={isNarrow} />
    if (isNarrow && !props.isPrinting) return <CardList {...shared} list={screen.id} entity={screen.entity} rows={rows} columns={columns} />
    return <DataTable {...table} rows={rows} all={props.all} onMark={selection.mark} first={(props.state.page - 1) * list.length} onSeen={list.onSeen} />
  }
  return (
    <div className={classes(css['card'], isNarrow && css['narrow'], props.paper && css['printed'])}>
      <Suspense fallback={<TableSkeleton columns={columns} rows={Math.min(list.length, 20)} />}>
        {isNarrow && !props.isPrinting && list.total > 0 && <CardSort columns={columns} sort={list.asked} onSort={props.onSort} />}
        {content()}
      </Suspense>
      <Suspense>{isNarrow && hasTotals && list.total > 0 && <CardTotals columns={columns} label={t('ui.totals', { n: formatNumber(list.total) })} totals={list.totals} currencies={list.currencies} />}</Suspense>
      {props.paper && (
        <div className={css['paper']}>
          <DataTable {...table} rows={props.paper} isWhole frame={noFrame} />
        </div>
      )}
      {props.pager}
    </div>
  )
}

const noFrame = { current: null }

function idOf(row: WireRecord): string {
  return String(row.ID)
}

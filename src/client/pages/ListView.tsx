import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import type { WireRecord } from '#api/envelope.ts'
import { conditionOf } from '#api/listQuery.ts'
import { definitionOf, isChanged, presetOf, writeState, type ListState } from '#api/listState.ts'
import type { Layout } from '#api/view.ts'
import type { Column, Field, ListScreen, ScreenAction, Tone } from '#meta/resolved.ts'
import { loadChunk } from '../app/chunks.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { isKeyHelpOpenAtom, layoutsAtom, pageSizeAtom } from '../app/preferences.ts'
import { around, fillPath, holdsFor } from '../data/around.ts'
import { sessionAtom } from '../data/session.ts'
import { keepTrail } from '../data/trail.ts'
import type { Scope } from '../scope/useScope.tsx'
import { ExportButton } from '../export/ExportButton.tsx'
import { FilterBar } from '../table/FilterBar.tsx'
import { filterFields } from '../table/filters.ts'
import type { HeadDeeds } from '../table/HeadCell.tsx'
import { moveColumn, nudgeColumn, resizeColumn } from '../table/layout.ts'
import { ListTools } from '../table/ListTools.tsx'
import { Pager } from '../table/Pager.tsx'
import { isCommonSize, type TableRole } from '../table/pageSize.ts'
import { usePresetCounts } from '../table/presetCounts.ts'
import { Presets } from '../table/Presets.tsx'
import { offers } from '../table/runAction.ts'
import { rowName } from '../table/rowName.ts'
import { SearchBox } from '../table/SearchBox.tsx'
import { useActions } from '../table/useActions.tsx'
import type { Groups } from '../table/useGroups.ts'
import { useList } from '../table/useList.ts'
import { useListSetup, viewQuery, type ListPlace } from '../table/useListState.ts'
import { useDroppedNotice } from '../table/useDroppedNotice.ts'
import { usePrint, usePrintKey } from '../table/usePrint.ts'
import { useScrollMemory } from '../table/useScrollMemory.ts'
import { useSelection } from '../table/useSelection.ts'
import { ViewsMenu } from '../table/ViewsMenu.tsx'
import { AnchoredMenu } from '../ui/AnchoredMenu.tsx'
import page from '../ui/Page.module.css'
import { useMedia } from '../ui/useMedia.ts'
import { Announcer } from '../table/Announcer.tsx'
import { ListBody } from './ListBody.tsx'
import css from './ListView.module.css'

const SidePanel = lazy(() => import('./SidePanel.tsx').then((module) => ({ default: module.SidePanel })))
const PreviewPanel = lazy(() => import('../table/PreviewPanel.tsx').then((module) => ({ default: module.PreviewPanel })))
const BulkBar = lazy(() => import('../table/BulkBar.tsx').then((module) => ({ default: module.BulkBar })))
const GroupedState = lazy(() => import('../table/GroupedTable.tsx').then((module) => ({ default: module.GroupedState })))
const HeadMenu = lazy(() => import('../table/HeadMenu.tsx').then((module) => ({ default: module.HeadMenu })))
const PrintNote = lazy(() => import('../table/printing.ts').then((module) => ({ default: module.PrintNote })))

interface ListViewProps {
  readonly screen: ListScreen
  readonly params: Readonly<Record<string, string>>
  /** Where the state of the list is kept. */
  readonly place: ListPlace
  /** Record open in the side panel; absent: none. */
  readonly edited?: string | undefined
  readonly onEdit: (edited: string | undefined) => void
  /** The screen's own name, where the page shows it. */
  readonly heading?: ReactNode
  /** The main table of its page offers at most 100 rows a page, others all of them. */
  readonly role?: TableRole
  /** Choices that narrow the list beside its own filters. */
  readonly scope?: Scope
  /** Told after an action has changed something. */
  readonly onChanged?: () => void
}

/** Everything a list gives: views, search, filters, presets, columns, sorting, groups, paging, totals, selection, actions, preview, keyboard. */
export function ListView({ screen, params, place, edited, onEdit, heading, role = 'other', scope, onChanged }: ListViewProps) {
  const guards = useAtomValue(sessionAtom)?.guards
  const setLayouts = useSetAtom(layoutsAtom)
  const setPageSize = useSetAtom(pageSizeAtom)
  const navigate = useNavigate()
  const isNarrow = useMedia('(width < 768px)')
  const frame = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<{ readonly row: WireRecord; readonly anchor: HTMLElement }>()
  const [headMenu, setHeadMenu] = useState<{ readonly column: Column; readonly anchor: HTMLElement }>()
  const [panel, setPanel] = useState<{ readonly screen: string; readonly row: WireRecord | undefined }>()
  const [begun, setBegun] = useState<Field>()
  const [preview, setPreview] = useState<WireRecord>()
  const [round, setRound] = useState(0)
  const setHelping = useSetAtom(isKeyHelpOpenAtom)

  const setup = useListSetup(screen, params, place)
  const { state, setState, columns, layout, layoutKey, view, base } = setup
  const list = useList(screen, state, columns, params, place.isPart)
  const { rows, reload, replace } = list
  const fields = useMemo(() => filterFields(screen), [screen])
  const group = state.group ?? none
  const isGrouped = group.length > 0
  const [told, setGroups] = useState<Groups>()
  const groups = isGrouped ? told : undefined
  const shown = isGrouped ? (groups?.rows ?? none) : rows
  const [isPrinting, print, paper] = usePrint(async () => {
    await PrintNote.preload()
    // Groups are printed as they stand open.
    return isGrouped ? undefined : (await loadChunk(() => import('../table/printing.ts'))).paperRows({ ...list, resource: screen.resource })
  })
  usePrintKey(print)
  const [counts, recount] = usePresetCounts(screen, state, params, list.query.columns ?? '', !list.isFirstLoad, round)
  const selection = useSelection(shown, screen.id, `${list.query.search ?? ''} ${list.query.filter ?? ''}`)
  const surroundings = useMemo(() => around(params), [params])
  useScrollMemory(frame, screen.id, isGrouped ? groups?.isFilled === true : list.isCurrent && rows.length > 0, shown)
  useDroppedNotice(setup, place.query.get('view'), fields)

  // Rows were taken off the last page, or its number was typed: the last one there is shows.
  const lastPage = Math.ceil(list.total / list.length)
  const isPastEnd = list.isCurrent && !isGrouped && rows.length === 0 && lastPage > 0
  useEffect(() => {
    if (isPastEnd) setState({ page: lastPage }, 'replace')
  }, [isPastEnd, lastPage, setState])

  useEffect(() => keepTrail(screen.resource, list.query), [screen, list.query])
  const refresh = useCallback(() => {
    reload()
    setRound((before) => before + 1)
  }, [reload])
  const { clear } = selection
  const done = useCallback(
    (changed: readonly WireRecord[]) => {
      clear()
      for (const record of changed) replace(record)
      refresh()
      onChanged?.()
    },
    [clear, refresh, replace, onChanged],
  )
  const nameOf = (row: WireRecord) => rowName(screen, row)
  const actions = useActions({ resource: screen.resource, open: screen.open, nameOf, onDone: done, onPanel: (id, row) => (row === undefined && id === screen.panel ? onEdit('new') : setPanel({ screen: id, row })) })
  const allowed = screen.actions.filter((action) => guards?.has(action.guard) === true)
  const rowActions = allowed.filter((action) => action.scope === 'rows')
  const bulk = rowActions.filter((action) => action.does.kind === 'transition' || action.does.kind === 'command' || (action.does.kind === 'goto' && action.does.path.includes('{IDs}')))
  const isOffered = useCallback((action: ScreenAction, row: WireRecord) => offers(action, row) && holdsFor(action.when, row, surroundings), [surroundings])
  const toneOf = useCallback((row: WireRecord): Tone | undefined => screen.emphasis.find(({ when }) => holdsFor(when, row, surroundings))?.tone, [screen, surroundings])
  const pathOf = useMemo(() => (screen.open === undefined ? undefined : (row: WireRecord) => fillPath(screen.open ?? '', row)), [screen])
  const onOpen = screen.panel === undefined ? undefined : (row: WireRecord) => onEdit(String(row.ID))

  const setLayout = useCallback((next: Layout | undefined) => {
    setLayouts((before) => {
      const { [layoutKey]: _, ...others } = before
      return next === undefined ? others : { ...others, [layoutKey]: next }
    })
  }, [setLayouts, layoutKey])
  const deeds = useMemo<Omit<HeadDeeds, 'onSort'>>(
    () => ({
      onResize: (name, width) => setLayout(resizeColumn(layout, name, width)),
      onMove: (name, before) => setLayout(moveColumn(layout, name, before)),
      onNudge: (name, step) => setLayout(nudgeColumn(layout, name, step)),
      onMenu: (column, anchor) => setHeadMenu({ column, anchor }),
    }),
    [layout, setLayout],
  )
  const beginFilter = (field: Field) => (field.type === 'boolean' ? setState({ filters: [...state.filters, { field: field.name, op: 'eq', value: true }] }) : setBegun(field))
  const isModified = isChanged(state, base) || (setup.isLaidOut && view !== undefined)
  const { setQuery } = place
  const chooseView = (next: typeof view) => {
    // Whoever opens a view afresh sees it as it was kept, columns included.
    setLayouts((before) => Object.fromEntries(Object.entries(before).filter(([key]) => key !== (next === undefined ? screen.id : `${screen.id}#${next.ID}`) && key !== layoutKey)))
    const hasDefault = setup.views.some((one) => one.IsDefault)
    setQuery((before) => viewQuery(before, next === undefined ? (hasDefault ? 'standard' : undefined) : String(next.ID)), 'push')
  }
  // A long page has its rows one after the other; what is meant by all of them does not wait for that.
  const allRows =
    isGrouped || !rows.includes(undefined)
      ? undefined
      : async () => (await (await loadChunk(() => import('../table/selectMatching.ts'))).selectMatching({ resource: screen.resource, query: list.query, count: list.total }, refresh))?.slice((state.page - 1) * list.length, state.page * list.length)
  // Those on other pages are as they were when they were picked, in the order of picking.
  const chosenRows = async () => {
    const here = new Set(shown.map((row) => row?.ID))
    if (selection.rows.every(({ ID }) => here.has(ID))) return selection.rows
    return (await loadChunk(() => import('../table/gatherRows.ts'))).gatherRows({ resource: screen.resource, query: list.query, groupings: group, fields, sort: list.asked }, selection.rows, () => {
      clear()
      refresh()
    })
  }
  const copy = async () => {
    const { copyRows } = await loadChunk(() => import('../table/copyCells.ts'))
    const meant = selection.rows.length > 0 ? await chosenRows() : allRows === undefined ? shown.filter((row) => row !== undefined) : await allRows()
    if (meant !== undefined) await copyRows(columns, meant)
  }
  const exported = () => {
    const filter = conditionOf(screen, state, params)
    return { sort: list.asked, ...(state.search === '' ? {} : { search: state.search }), ...(filter === undefined ? {} : { filter }), ...(isGrouped ? { groupBy: group } : {}) }
  }
  const preset = presetOf(screen, state)
  /** Takes off what is chosen above the list along with this, in one step. */
  const clearAll = (change: Partial<ListState>) => setQuery((before) => new URLSearchParams(writeState({ ...state, page: 1, ...change }, scope?.without(before) ?? before, base)), 'push')
  return (
    <section className={page['page']} aria-label={t(screen.title)} data-keys="list">
      <div className={page['head']}>
        {heading}
        <ViewsMenu
          screen={screen.id}
          views={setup.views}
          view={view}
          isModified={isModified}
          isMisfit={setup.dropped.length > 0}
          definition={() => ({ ...definitionOf(state, base), columns: layout })}
          onChoose={chooseView}
        />
        <SearchBox value={state.search} onSearch={(search, how) => setState({ search }, how)} />
        <ListTools
          screen={screen}
          layout={layout}
          onLayout={setLayout}
          onResetLayout={setup.isLaidOut ? () => setLayout(undefined) : undefined}
          group={group}
          onGroup={(next) => setState({ group: next })}
          onToggleGroups={groups?.toggleAll}
          exporting={<ExportButton screen={screen} seen={columns} total={list.total} question={exported} />}
          // With every group closed there is no row to begin with.
          hasRows={!isGrouped || shown.length + selection.rows.length > 0}
          isPreviewing={preview !== undefined}
          onPreview={() => setPreview(preview === undefined ? (shown[0] ?? selection.rows[0]) : undefined)}
          onReload={refresh}
          onCopy={() => void copy()}
          onPrint={print}
          onHelp={() => setHelping(true)}
          actions={allowed.filter((action) => action.scope === 'page')}
          onAction={(action) => actions.run(action, [])}
        />
      </div>
      {scope?.bar}
      <div className={css['filters']}>
        <Presets
          presets={screen.presets}
          current={preset?.id}
          counts={counts}
          onRecount={recount}
          onSelect={(id) => setState({ preset: id ?? 'none' })}
        />
        <FilterBar
          fields={fields}
          filters={state.filters}
          onChange={(filters) => setState({ filters })}
          beside={scope?.chips}
          onClear={() => clearAll({ filters: [] })}
          match={state.match}
          onMatch={(match) => setState({ match })}
          begun={begun}
          onBegun={() => setBegun(undefined)}
        />
      </div>
      <Suspense>{isGrouped && <GroupedState of={[screen.resource, list.query, group, fields, list.asked, round]} onGroups={setGroups} />}</Suspense>
      <Suspense>
        {isPrinting && <PrintNote screen={screen} state={state} list={list} isGrouped={isGrouped} paper={paper} />}
        {selection.rows.length > 0 && (
          <BulkBar
            resource={screen.resource}
            // What is done with one row at a time is offered for the only one.
            actions={selection.rows.length === 1 ? rowActions : bulk}
            selected={selection.rows}
            total={list.total}
            query={list.query}
            // Rows about to be shown anew have moved on: what begins with them as they were would be refused.
            isBusy={actions.isBusy || !list.isCurrent}
            isOffered={isOffered}
            onRun={actions.run}
            onTake={selection.take}
            onClear={clear}
            onStale={() => {
              clear()
              refresh()
            }}
          />
        )}
      </Suspense>
      {actions.notice}
      <div className={css['stage']}>
        <ListBody
          screen={screen}
          state={state}
          params={params}
          columns={columns}
          layout={layout}
          list={list}
          groups={groups}
          fields={fields}
          isNarrow={isNarrow}
          isPrinting={isPrinting && paper === undefined}
          paper={isPrinting ? paper : undefined}
          frame={frame}
          selection={selection}
          all={allRows}
          chosen={selection.rows.length > 0 ? chosenRows : undefined}
          hasSelection={bulk.length > 0}
          deeds={deeds}
          toneOf={toneOf}
          pathOf={pathOf}
          onOpen={onOpen}
          onMenu={rowActions.length === 0 ? undefined : (row, anchor) => setMenu({ row, anchor })}
          preview={preview}
          onPreview={setPreview}
          onSort={(sort) => setState({ sort: sort.length === 0 ? screen.sort : sort })}
          onPreset={(preset) => setState({ preset })}
          isScoped={scope?.chips !== undefined}
          onClear={() => clearAll({ search: '', filters: [], preset: 'none' })}
          pageActions={allowed.filter((action) => action.scope === 'page')}
          onAction={(action) => actions.run(action, [])}
          onReload={refresh}
          pager={
            isGrouped ? (
              groups && <Pager role={role} counter="ui.group.counter" page={groups.page} length={groups.length} total={groups.groupsTotal} onPage={groups.setPage} />
            ) : (
              <Pager
                role={role}
                page={state.page}
                length={list.length}
                total={list.total}
                onPage={(page) => setState({ page })}
                onLength={(length) => {
                  if (isCommonSize(length)) setPageSize(length)
                  setState({ length }, 'replace')
                }}
              />
            )
          }
        />
        {preview !== undefined && (
          <Suspense>
            <PreviewPanel
              screen={screen}
              row={preview}
              rows={shown}
              frame={frame}
              onShow={setPreview}
              onOpen={pathOf === undefined && onOpen === undefined ? undefined : () => (pathOf === undefined ? onOpen?.(preview) : void navigate(pathOf(preview) ?? ''))}
              onClose={() => setPreview(undefined)}
            />
          </Suspense>
        )}
      </div>
      <Announcer columns={columns} sort={list.sort} total={list.total} selected={selection.rows.length} isReady={list.isCurrent} />
      {menu !== undefined && (
        <AnchoredMenu
          anchor={menu.anchor}
          label={t('ui.actions')}
          onClose={() => setMenu(undefined)}
          items={[
            { id: 'preview', label: t('ui.preview'), icon: 'eye', onSelect: () => setPreview(menu.row) },
            ...menuItems(rowActions, menu.row, isOffered, (action, row) => actions.run(action, [row])),
          ]}
        />
      )}
      {actions.dialog}
      <Suspense>
        {headMenu !== undefined && (
          <HeadMenu
            {...headMenu}
            sort={list.sort}
            layout={layout}
            group={group}
            onSort={(sort) => setState({ sort })}
            onLayout={setLayout}
            onGroup={(next) => setState({ group: next })}
            onFilter={beginFilter}
            onClose={() => setHeadMenu(undefined)}
          />
        )}
        {edited !== undefined && screen.panel !== undefined && (
          <SidePanel screenId={screen.panel} recordId={edited === 'new' ? undefined : Number(edited)} params={params} offered={rowActions} onClose={() => onEdit(undefined)} onSaved={() => done([])} onStep={(id) => onEdit(String(id))} />
        )}
        {panel !== undefined && (
          <SidePanel
            screenId={panel.screen}
            listEntity={screen.entity}
            row={panel.row}
            params={params}
            onClose={() => setPanel(undefined)}
            onSaved={() => done([])}
          />
        )}
      </Suspense>
    </section>
  )
}

const none = [] as const

function menuItems(actions: readonly ScreenAction[], row: WireRecord, isOffered: (action: ScreenAction, row: WireRecord) => boolean, run: (action: ScreenAction, row: WireRecord) => void) {
  return actions
    .filter((action) => isOffered(action, row))
    .map((action) => ({ id: action.id, label: t(action.label), tone: action.tone === 'negative' ? ('negative' as const) : undefined, onSelect: () => run(action, row) }))
}

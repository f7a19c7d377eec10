import type { RowSelectionState } from '@tanstack/react-table'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { Column, ListScreen, ScreenAction, Tone } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { columnChoiceAtom, pageSizeAtom } from '../app/preferences.ts'
import { around, fillPath, holdsFor } from '../data/around.ts'
import { sessionAtom } from '../data/session.ts'
import { AnchoredMenu } from '../ui/AnchoredMenu.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { useMedia } from '../ui/useMedia.ts'
import { CardList } from '../table/CardList.tsx'
import { ColumnChooser } from '../table/ColumnChooser.tsx'
import { FilterBar } from '../table/FilterBar.tsx'
import css from './ListView.module.css'
import { visibleColumns } from '../table/listQuery.ts'
import { isNarrowed, presetOf, type ListState } from '../table/listState.ts'
import { Pager } from '../table/Pager.tsx'
import { Presets } from '../table/Presets.tsx'
import { offers } from '../table/runAction.ts'
import { lookOf } from './lookOf.ts'
import { SearchBox } from '../table/SearchBox.tsx'
import { Table } from '../table/Table.tsx'
import { useActions } from '../table/useActions.tsx'
import { useList } from '../table/useList.ts'
import type { SetListState } from '../table/useListState.ts'

const SidePanel = lazy(() => import('./SidePanel.tsx').then((module) => ({ default: module.SidePanel })))
const KeyHelp = lazy(() => import('../table/KeyHelp.tsx').then((module) => ({ default: module.KeyHelp })))

interface ListViewProps {
  readonly screen: ListScreen
  readonly params: Readonly<Record<string, string>>
  readonly state: ListState
  readonly setState: SetListState
  /** Record open in the side panel; absent: none. */
  readonly edited?: string | undefined
  readonly onEdit: (edited: string | undefined) => void
  /** The screen's own name, where the page shows it. */
  readonly heading?: ReactNode
  /** Told after an action has changed something. */
  readonly onChanged?: () => void
}

/** Everything a list gives: search, filters, presets, sorting, paging, totals, selection, actions, keyboard. */
export function ListView({ screen, params, state, setState, edited, onEdit, heading, onChanged }: ListViewProps) {
  const guards = useAtomValue(sessionAtom)?.guards
  const [choices, setChoices] = useAtom(columnChoiceAtom)
  const setPageSize = useSetAtom(pageSizeAtom)
  const isNarrow = useMedia('(width < 768px)')
  const searchBox = useRef<HTMLInputElement>(null)
  const [selection, setSelection] = useState<RowSelectionState>({})
  const [menu, setMenu] = useState<{ readonly row: WireRecord; readonly anchor: HTMLElement }>()
  const [panel, setPanel] = useState<{ readonly screen: string; readonly row: WireRecord | undefined }>()
  const [isHelping, setHelping] = useState(false)
  const choice = choices[screen.id]
  const visible = useMemo(() => visibleColumns(screen, choice), [screen, choice])
  const list = useList(screen, state, visible, params)
  const { rows, reload, replace } = list
  const surroundings = useMemo(() => around(params), [params])

  useEffect(() => setSelection((before) => (Object.keys(before).length === 0 ? before : {})), [state, screen])
  useKeys({ '/': () => searchBox.current?.focus(), '?': () => setHelping(true) })

  const done = useCallback(
    (changed: readonly WireRecord[]) => {
      setSelection({})
      for (const record of changed) replace(record)
      reload()
      onChanged?.()
    },
    [reload, replace, onChanged],
  )
  const actions = useActions({ resource: screen.resource, onDone: done, onPanel: (id, row) => setPanel({ screen: id, row }) })
  const allowed = screen.actions.filter((action) => guards?.has(action.guard) === true)
  const pageActions = allowed.filter((action) => action.scope === 'page')
  const rowActions = allowed.filter((action) => action.scope === 'rows')
  const isOffered = useCallback((action: ScreenAction, row: WireRecord) => offers(action, row) && holdsFor(action.when, row, surroundings), [surroundings])
  const selected = rows.filter((row) => selection[String(row.ID)] === true)
  const bulk = rowActions.filter((action) => action.does.kind === 'transition' || action.does.kind === 'command')

  const toneOf = useCallback((row: WireRecord): Tone | undefined => screen.emphasis.find(({ when }) => holdsFor(when, row, surroundings))?.tone, [screen, surroundings])
  const pathOf = useMemo(() => (screen.open === undefined ? undefined : (row: WireRecord) => fillPath(screen.open ?? '', row)), [screen])
  const open = screen.panel === undefined ? undefined : (row: WireRecord) => onEdit(String(row.ID))
  const openMenu = rowActions.length === 0 ? undefined : (row: WireRecord, anchor: HTMLElement) => setMenu({ row, anchor })

  const preset = presetOf(screen, state)
  const shared = { rows, toneOf, selection, ...(bulk.length === 0 ? {} : { onSelection: setSelection }), ...(openMenu === undefined ? {} : { onMenu: openMenu }), ...(open === undefined ? {} : { onOpen: open }), ...(pathOf === undefined ? {} : { pathOf }) }
  const hasTotals = visible.some((column) => column.total === 'sum')
  return (
    <section className={css['view']} aria-label={t(screen.title)}>
      <div className={css['head']}>
        {heading}
        <SearchBox ref={searchBox} value={state.search} onSearch={(search) => setState({ search }, 'replace')} />
        <div className={css['tools']}>
          <IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />
          <ColumnChooser
            columns={screen.columns}
            visible={visible}
            onChange={(name, isShown) => setChoices({ ...choices, [screen.id]: { ...choice, [name]: isShown } })}
            onReset={() => setChoices({ ...choices, [screen.id]: {} })}
            rows={rows}
          />
          <IconButton className={css['help']} icon="keyboard" label={t('ui.keys.title')} onClick={() => setHelping(true)} />
          {pageActions.map((action) => (
            <Button key={action.id} look="primary" icon={action.id === 'new' ? 'plus' : undefined} onClick={() => actions.run(action, [])}>
              {t(action.label)}
            </Button>
          ))}
        </div>
      </div>
      {(screen.presets.length > 0 || screen.filters.length > 0) && (
        <div className={css['filters']}>
          <Presets presets={screen.presets} current={preset?.id} onSelect={(id) => setState({ preset: id ?? (screen.presets.some((one) => one.default) ? 'none' : undefined) } as Partial<ListState>)} />
          <FilterBar fields={screen.filters} filters={state.filters} onChange={(filters) => setState({ filters })} />
        </div>
      )}
      {selected.length > 0 && (
        <div className={css['bulk']} role="toolbar" aria-label={t('ui.actions')}>
          <strong>{t('ui.selected', { n: selected.length })}</strong>
          {bulk.map((action) => {
            const fitting = selected.filter((row) => isOffered(action, row))
            return fitting.length === 0 ? null : (
              <Button
                key={action.id}
                look={lookOf(action.tone)}
                busy={actions.isBusy}
                title={fitting.length < selected.length ? t('ui.action.fits', { n: fitting.length, all: selected.length }) : undefined}
                onClick={() => actions.run(action, fitting)}
              >
                {t(action.label)}
                {fitting.length < selected.length && ` (${fitting.length})`}
              </Button>
            )
          })}
          <Button look="plain" onClick={() => setSelection({})}>
            {t('ui.clear-selection')}
          </Button>
        </div>
      )}
      <div className={classes(css['card'], isNarrow && css['narrow'])}>
        {list.problem !== undefined && list.problem.code !== 'ABORTED' ? (
          <ErrorState title={t('ui.load-failed')} text={list.problem.text} onRetry={reload} />
        ) : list.isFirstLoad ? (
          <Skeleton lines={Math.min(list.length, 12)} />
        ) : rows.length === 0 ? (
          <EmptyState title={t(isNarrowed(state) ? 'ui.nothing-matches' : screen.empty)}>
            {isNarrowed(state) && <Button onClick={() => setState({ search: '', filters: [] })}>{t('ui.filter.clear')}</Button>}
          </EmptyState>
        ) : isNarrow ? (
          <CardList {...shared} columns={visible} />
        ) : (
          <Table
            {...shared}
            label={t(screen.title)}
            columns={screen.columns}
            visible={visible}
            rowId={idOf}
            sort={list.sort}
            onSort={(sort) => setState({ sort: sort.length === 0 ? screen.sort : sort })}
            isLoading={list.isLoading}
            {...(hasTotals ? { totals: list.totals, totalsLabel: t('ui.totals', { n: formatNumber(list.total) }) } : {})}
          />
        )}
        {isNarrow && hasTotals && rows.length > 0 && <CardTotals columns={visible} totals={list.totals} total={list.total} />}
        <Pager
          page={state.page}
          length={list.length}
          total={list.total}
          onPage={(page) => setState({ page })}
          onLength={(length) => {
            setPageSize(length)
            setState({ length }, 'replace')
          }}
        />
      </div>
      {menu !== undefined && (
        <AnchoredMenu
          anchor={menu.anchor}
          label={t('ui.actions')}
          onClose={() => setMenu(undefined)}
          items={menuItems(rowActions, menu.row, isOffered, (action, row) => actions.run(action, [row]))}
        />
      )}
      {actions.dialog}
      <Suspense>
        {edited !== undefined && screen.panel !== undefined && (
          <SidePanel screenId={screen.panel} recordId={edited === 'new' ? undefined : Number(edited)} params={params} onClose={() => onEdit(undefined)} onSaved={() => done([])} />
        )}
        {panel !== undefined && (
          <SidePanel
            screenId={panel.screen}
            listEntity={screen.entity}
            row={panel.row}
            params={params}
            onClose={() => setPanel(undefined)}
            onSaved={() => {
              setPanel(undefined)
              done([])
            }}
          />
        )}
        {isHelping && <KeyHelp onClose={() => setHelping(false)} />}
      </Suspense>
    </section>
  )
}

function CardTotals({ columns, totals, total }: { readonly columns: readonly Column[]; readonly totals: Readonly<Record<string, string>>; readonly total: number }) {
  return (
    <dl className={css['totals']}>
      <dt>{t('ui.totals', { n: formatNumber(total) })}</dt>
      {columns.map((column) => {
        const sum = totals[column.name]
        return sum === undefined ? null : (
          <dd key={column.name}>
            {t(column.label)} <strong>{formatNumber(sum)}</strong>
          </dd>
        )
      })}
    </dl>
  )
}

function menuItems(actions: readonly ScreenAction[], row: WireRecord, isOffered: (action: ScreenAction, row: WireRecord) => boolean, run: (action: ScreenAction, row: WireRecord) => void) {
  const offered = actions.filter((action) => isOffered(action, row))
  if (offered.length === 0) return [{ id: 'none', label: t('ui.no-actions'), disabled: true, onSelect: () => undefined }]
  return offered.map((action) => ({ id: action.id, label: t(action.label), tone: action.tone === 'negative' ? ('negative' as const) : undefined, onSelect: () => run(action, row) }))
}

function idOf(row: WireRecord): string {
  return String(row.ID)
}

/** Single keys while nothing is being typed. */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return
      if (target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))) return
      const act = current.current[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    // Before the layout's own `/`, which opens the palette where no list is.
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [])
}

import type { Column, ListScreen } from '#meta/resolved.ts'
import { readState, scopeNames, unknownNames, unreadFilters, type ListState, type Query } from './listState.ts'
import type { Layout, SavedView, ViewDefinition } from './view.ts'
import { fitView, ownLayout, viewColumns, viewPreset, type ViewedScreen } from './viewQuery.ts'

/** Layouts the user has made and not kept in a view, by `layoutKey`. */
export type Layouts = Readonly<Record<string, Layout>>

/** A list as it opens: the view chosen, what has been changed of it, the columns shown. */
export interface ListSetup {
  /** Views of this screen, by name. */
  readonly views: readonly SavedView[]
  /** The view chosen or opened by default; undefined: the screen's own. */
  readonly view: SavedView | undefined
  /** What the state is a change of. */
  readonly base: ViewDefinition
  readonly state: ListState
  readonly layout: Layout
  /** Under which the layout is remembered. */
  readonly layoutKey: string
  /** The layout has been changed and not saved. */
  readonly isLaidOut: boolean
  readonly columns: readonly Column[]
  /** Names in the view or the address that the screen no longer has, and fields compared with what is no value of theirs. */
  readonly dropped: readonly string[]
}

type SetupScreen = ViewedScreen & Pick<ListScreen, 'id' | 'groupBy' | 'presetQuery' | 'scoped'>

/** Names in the address of a list that are not its state: the record open beside it, the tab it stands under, its import. */
const pageNames = ['edit', 'tab', 'import', 'batch']

/** Works out how a list opens. Order of precedence: address, personal default, default of the role, screen. */
export function listSetup(screen: SetupScreen, query: Query, allViews: readonly SavedView[], layouts: Layouts): ListSetup {
  const views = allViews.filter((view) => view.Screen === screen.id)
  const view = chosenView(views, query.get('view'))
  const own: ViewDefinition = screen.groupBy === undefined ? {} : { groupBy: screen.groupBy }
  const fitted = fitView(screen, view?.Definition ?? own)
  const base = fitted.view
  const { preset: chosen, ...asked } = readState(query, base)
  const { sort, group, filters } = asked
  const fresh = fitView(screen, { filters, ...(sort === undefined ? {} : { sort }), ...(group === undefined ? {} : { groupBy: group }), ...(chosen === undefined ? {} : { preset: chosen }) })
  const preset = fresh.view.preset ?? base.preset
  // No preset is what a list without a preset of its own shows anyway: asking for it changes nothing.
  const isUsual = preset === undefined || (preset === 'none' && base.preset === undefined && viewPreset(screen.presets ?? [], undefined) === undefined)
  const state: ListState = {
    ...asked,
    ...(isUsual ? {} : { preset }),
    filters: fresh.view.filters ?? [],
    ...(fresh.view.sort === undefined ? {} : { sort: fresh.view.sort }),
    ...(fresh.view.groupBy === undefined ? {} : { group: fresh.view.groupBy }),
  }
  const layoutKey = view === undefined ? screen.id : `${screen.id}#${view.ID}`
  const remembered = layouts[layoutKey]
  // What is remembered here is as old as a saved view may be.
  const fit = remembered === undefined ? undefined : fitView(screen, { columns: remembered })
  const layout = fit?.view.columns ?? base.columns ?? ownLayout(screen.columns)
  return {
    views,
    view,
    base,
    state,
    layout,
    layoutKey,
    isLaidOut: remembered !== undefined,
    columns: viewColumns(screen, layout),
    dropped: [...new Set([...fitted.dropped, ...fresh.dropped, ...unreadFilters(query), ...unknownNames(query, [...pageNames, ...(screen.scoped === undefined ? [] : scopeNames), screen.presetQuery?.parameter]), ...(fit?.dropped ?? [])])],
  }
}

/** The view the address names, else the personal default, else that of the role; undefined: as delivered, which may be somebody's default as well. */
export function chosenView(views: readonly SavedView[], wanted: string | null): SavedView | undefined {
  if (wanted === 'standard') return undefined
  const chosen = views.find(({ ID }) => String(ID) === wanted)
  if (chosen !== undefined) return chosen
  const defaults = views.filter(({ IsDefault, RoleID, IsOfRole }) => IsDefault && (RoleID === null || IsOfRole))
  const first = defaults.find(({ RoleID }) => RoleID === null) ?? defaults[0]
  return first?.Definition.standard === true ? undefined : first
}

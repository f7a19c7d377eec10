import { useAtomValue } from 'jotai'
import { useCallback, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { listSetup, type ListSetup } from '#api/listSetup.ts'
import { emptyState, readState, writeState, type ListState } from '#api/listState.ts'
import type { Layout } from '#api/view.ts'
import type { ViewDefinition } from '#api/view.ts'
import { viewColumns } from '#api/viewQuery.ts'
import type { ListScreen } from '#meta/resolved.ts'
import { layoutsAtom } from '../app/preferences.ts'
import { useUrlQuery } from '../app/urlQuery.ts'
import { viewsAtom } from '../data/views.ts'
import { askNext } from './earlyRows.ts'

/** `replace` while typing, so that Back does not walk through every letter; `back` where the change takes the step before back. */
export type Step = 'push' | 'replace' | 'back'

export type SetListState = (change: Partial<ListState>, how?: Step) => void

/** Where the state of a list is kept: the address of the page, or the page around it. */
export interface ListPlace {
  readonly query: URLSearchParams
  readonly setQuery: (change: (before: URLSearchParams) => URLSearchParams, how: Step) => void
  /** The page around it stands without the list. */
  readonly isPart?: boolean
}

/** The state of the page's own list lives in the URL: Back, reload and a sent link all restore it. */
export function useUrlPlace(): ListPlace {
  const [query, setQuery] = useUrlQuery()
  const navigate = useNavigate()
  const set = useCallback<ListPlace['setQuery']>(
    (change, how) => (how === 'back' ? void navigate(-1) : setQuery(change, { replace: how === 'replace', preventScrollReset: true })),
    [setQuery, navigate],
  )
  return { query, setQuery: set }
}

/** A list inside another page keeps its state to itself. */
export function useOwnPlace(): ListPlace {
  const [query, setQuery] = useState(() => new URLSearchParams())
  return { query, setQuery, isPart: true }
}

/** How the list stands, and the way to change it. Choosing a view drops what was changed of the one before. */
export function useListSetup(screen: ListScreen, params: Readonly<Record<string, string>>, { query, setQuery, isPart }: ListPlace): ListSetup & { readonly setState: SetListState } {
  const views = useAtomValue(viewsAtom)
  const layouts = useAtomValue(layoutsAtom)
  const setup = useMemo(() => listSetup(screen, query, views, layouts), [screen, query, views, layouts])
  const setState = useCallback<SetListState>(
    (change, how = 'push') =>
      setQuery((before) => {
        const { base, state } = listSetup(screen, before, views, layouts)
        const next = new URLSearchParams(writeState(merge(state, change), before, base))
        askNext(screen, params, next, isPart)
        return next
      }, how),
    [setQuery, screen, params, views, layouts, isPart],
  )
  // Changing anything but the layout leaves the columns the very same objects: no row is drawn for it.
  const layoutText = JSON.stringify(setup.layout)
  const layout = useMemo(() => JSON.parse(layoutText) as Layout, [layoutText])
  const columns = useMemo(() => viewColumns(screen, layout), [screen, layout])
  return { ...setup, layout, columns, setState }
}

const noView: ViewDefinition = {}

/** The bare state in the address, for pages that bring filters and sorting of their own; `base` is the view they stand on. */
export function useUrlListState(base: ViewDefinition = noView): readonly [ListState, SetListState] {
  const { query, setQuery } = useUrlPlace()
  const state = useMemo(() => readState(query, base), [query, base])
  const set = useCallback<SetListState>((change, how = 'push') => setQuery((before) => new URLSearchParams(writeState(merge(readState(before, base), change), before, base)), how), [setQuery, base])
  return [state, set]
}

/** Anything but turning the page starts again on page 1. */
function merge(before: ListState, change: Partial<ListState>): ListState {
  return { ...before, page: 1, ...change }
}

/** The address that opens a view as it was kept; other parameters of the page stay. */
export function viewQuery(before: URLSearchParams, view: string | undefined): URLSearchParams {
  return new URLSearchParams(writeState(view === undefined ? emptyState : { ...emptyState, view }, before))
}

import { Suspense, useCallback } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router-dom'
import type { ListScreen } from '#meta/resolved.ts'
import type { PageProps } from '../app/pageProps.ts'
import { loadSpokenChunk } from '../app/chunks.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { matchRoute } from '../app/routeTable.ts'
import { useUrlQuery } from '../app/urlQuery.ts'
import { Skeleton } from '../ui/States.tsx'
import { ListView } from './ListView.tsx'
import { useUrlPlace } from '../table/useListState.ts'

const ListImport = lazy(() => import('../import/ListImport.tsx').then((module) => ({ default: module.ListImport })))
const ListOwner = lazy(() => import('./ListOwner.tsx').then((module) => ({ default: module.ListOwner })), loadSpokenChunk)
const OrderedList = lazy(() => import('../table/OrderedList.tsx').then((module) => ({ default: module.OrderedList })), loadSpokenChunk)
const ScopedListView = lazy(() => import('../scope/ScopedListView.tsx').then((module) => ({ default: module.ScopedListView })))

/** A list as a page: its state is the URL's query, the record open beside it `?edit=<ID>`. */
export function ListPage({ screen, params }: PageProps<ListScreen>) {
  const place = useUrlPlace()
  const [edited, edit] = useEdited()
  const isScoped = matchRoute(useLocation().pathname)?.route.preload !== undefined
  const [query] = useSearchParams()
  const asked = screen.presetQuery?.presets[Number(query.get(screen.presetQuery.parameter) ?? -1)]
  if (asked !== undefined && !query.has('v')) return <Navigate replace to={`?${String(query)}&v=${asked}`} />
  if (screen.order !== undefined) {
    return (
      <Suspense fallback={<Skeleton lines={8} />}>
        <OrderedList screen={screen} order={screen.order} />
      </Suspense>
    )
  }
  if (query.has('import')) return <ImportOf list={screen} />
  const View = isScoped ? ScopedListView : ListView
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <View screen={screen} params={params} place={place} edited={edited} onEdit={edit} role="main" heading={<h1>{t(screen.title)}{params['id'] !== undefined && <Suspense><ListOwner screen={screen} params={params} /></Suspense>}</h1>} />
    </Suspense>
  )
}

/** What a list takes in, in its place. */
export function ImportOf({ list }: { readonly list: ListScreen }) {
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <ListImport list={list} />
    </Suspense>
  )
}

/** The record open beside a list, in the URL so that Back closes it. */
export function useEdited(): readonly [string | undefined, (edited: string | undefined) => void] {
  const [query, setQuery] = useUrlQuery()
  const edit = useCallback((edited: string | undefined) => setQuery({ edit: edited }), [setQuery])
  return [query.get('edit') ?? undefined, edit]
}

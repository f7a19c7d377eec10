import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { DetailScreen } from '#meta/resolved.ts'
import type { PageProps } from '../app/pageProps.ts'
import { matchRoute } from '../app/routeTable.ts'
import { useUrlQuery } from '../app/urlQuery.ts'
import { DetailView } from './DetailView.tsx'
import { pathOfRecord, tabOfStatus } from './tabOfStatus.ts'

/** A document as a page; the open tab is in the URL, chosen or by the status in the path. */
export function DetailPage({ screen, module, params }: PageProps<DetailScreen>) {
  const [query, setQuery] = useUrlQuery()
  const select = useCallback((tab: string) => setQuery({ tab }, { replace: true }), [setQuery])
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const template = matchRoute(pathname)?.route.path
  // In place of the record before: Back leads to the list, however many were looked at.
  const step = (next: number) => void navigate({ pathname: template === undefined ? pathname : pathOfRecord(template, params, next), search: query.get('tab') === null ? '' : `?tab=${query.get('tab')}` }, { replace: true })
  return <DetailView key={params['id']} onStep={step} screen={screen} module={module} id={Number(params['id'])} tab={query.get('tab') ?? query.get('notes') ?? tabOfStatus(screen, params['status'])} onTab={select} />
}

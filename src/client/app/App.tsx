import { useAtomValue } from 'jotai'
import { Suspense, useMemo, useReducer } from 'react'
import { useLocation } from 'react-router-dom'
import { ChunkFailure } from './ChunkFailure.tsx'
import { Duties } from './Duties.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { usePlaceKey } from './goesOn.ts'
import { Layout } from './Layout.tsx'
import { lazy } from './lazy.tsx'
import { languageAtom, missedTextsAtom, t } from './messages.ts'
import { PageTitle } from './PageTitle.tsx'
import { handPage, kindPage } from './pages.ts'
import { loadRoute } from './preload.ts'
import { failureOf, forgetFailure, rememberFailure } from './routeFailure.ts'
import { matchRoute, titleKeyOf, type RouteMatch } from './routeTable.ts'
import { loadedScreen, useExchangedScreens } from './screens.ts'

/** Development alone: a build leaves it out. */
const Findings = import.meta.hot === undefined ? undefined : lazy(() => import('./development/Findings.tsx').then((module) => ({ default: module.Findings })))

/** The page of the current path in its layout. The guard has loaded code and screen before this renders. */
export function App() {
  const { pathname, search } = useLocation()
  // Drawn anew in another language, and when texts have come that it was drawn without.
  const texts = `${useAtomValue(languageAtom)} ${useAtomValue(missedTextsAtom)}`
  const match = useMemo(() => matchRoute(pathname), [pathname])
  const placeKey = usePlaceKey(pathname)
  if (match === undefined) return null
  const titleKey = titleKeyOf(match.route)
  const title = titleKey === undefined ? undefined : t(titleKey)
  const page = (
    <ErrorBoundary key={`${placeKey} ${texts}`}>
      <RoutePage match={match} pathname={pathname} search={search} />
    </ErrorBoundary>
  )
  const framed = Findings === undefined ? page : (
    <>
      <Suspense>
        <Findings screen={match.route.screen} />
      </Suspense>
      {page}
    </>
  )
  return (
    <>
      <PageTitle title={title} pathname={pathname} />
      {match.route.layout === 'main' ? (
        <Layout key={texts} route={match.route} title={title} pathname={pathname}>
          {framed}
        </Layout>
      ) : match.route.layout === 'print' ? (
        <main>{framed}</main>
      ) : (
        framed
      )}
      <Duties key={`duties ${texts}`} pathname={pathname} />
    </>
  )
}

interface RoutePageProps {
  readonly match: RouteMatch
  readonly pathname: string
  readonly search: string
}

function RoutePage({ match, pathname, search }: RoutePageProps) {
  const { route } = match
  const [, repaint] = useReducer((round: number) => round + 1, 0)
  useExchangedScreens()
  // A list keeps its own state in the query; forms and details take their parameters from it.
  const takesQuery = route.kind === 'form' || route.kind === 'detail' || route.page !== undefined
  const params = useMemo(
    () => (takesQuery ? { ...Object.fromEntries(new URLSearchParams(search)), ...match.params } : match.params),
    [match, takesQuery, search],
  )
  const failure = failureOf(pathname)
  if (failure !== undefined) {
    const retry = async () => {
      await loadRoute(match).then(
        () => forgetFailure(pathname),
        (error: unknown) => rememberFailure(pathname, error),
      )
      repaint()
    }
    return <ChunkFailure error={failure.error} onRetry={() => void retry()} />
  }
  if (route.screen !== undefined && route.kind !== undefined) {
    const Page = kindPage(route.kind)
    const module = loadedScreen(route.screen)
    return Page === undefined || module === undefined ? null : <Page screen={module.screen} module={module} params={params} />
  }
  const Page = route.page === undefined ? undefined : handPage(route.page)
  return Page === undefined ? null : <Page params={params} print={route.print} />
}

import { useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { useLocation } from 'react-router-dom'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Layout } from './Layout.tsx'
import { languageAtom, t } from './messages.ts'
import { handPage, kindPage } from './pages.ts'
import { matchRoute, type RouteMatch } from './routeTable.ts'
import { loadedScreen, useExchangedScreens } from './screens.ts'

/** The page of the current path in its layout. The guard has loaded code and screen before this renders. */
export function App() {
  const { pathname, search } = useLocation()
  const language = useAtomValue(languageAtom)
  const match = useMemo(() => matchRoute(pathname), [pathname])
  const titleKey = match?.route.title ?? (match?.route.layout === 'main' && match.route.page !== 'home' && match.route.page !== undefined ? `page.${match.route.page}` : undefined)
  const title = titleKey === undefined ? undefined : t(titleKey)
  useEffect(() => {
    document.title = title === undefined ? 'Arus' : `${title} · Arus`
  }, [title, language])
  if (match === undefined) return null
  const page = (
    <ErrorBoundary key={`${pathname} ${language}`}>
      <RoutePage match={match} search={search} />
    </ErrorBoundary>
  )
  return match.route.layout === 'main' ? (
    <Layout key={language} route={match.route} title={title} pathname={pathname}>
      {page}
    </Layout>
  ) : (
    page
  )
}

function RoutePage({ match, search }: { readonly match: RouteMatch; readonly search: string }) {
  const { route } = match
  useExchangedScreens()
  // A list keeps its own state in the query; forms and details take their parameters from it.
  const takesQuery = route.kind === 'form' || route.kind === 'detail' || route.page !== undefined
  const params = useMemo(
    () => (takesQuery ? { ...Object.fromEntries(new URLSearchParams(search)), ...match.params } : match.params),
    [match, takesQuery, search],
  )
  if (route.screen !== undefined && route.kind !== undefined) {
    const Page = kindPage(route.kind)
    const module = loadedScreen(route.screen)
    return Page === undefined || module === undefined ? null : <Page screen={module.screen} module={module} params={params} />
  }
  const Page = route.page === undefined ? undefined : handPage(route.page)
  return Page === undefined ? null : <Page params={params} />
}

import { createBrowserRouter, redirect, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from 'react-router-dom'
import { hasToken } from '../data/http.ts'
import { loadSession } from '../data/session.ts'
import { isAllowed } from './access.ts'
import { App } from './App.tsx'
import { hideOverlay } from './overlay.ts'
import { loadRoute } from './preload.ts'
import { RouteError } from './RouteError.tsx'
import { matchRoute } from './routeTable.ts'

/** One route of the library for all of ours: the table decides, the guard runs before every navigation. */
export function makeRouter() {
  return createBrowserRouter([
    { path: '*', loader: guard, shouldRevalidate: hasNewPath, Component: App, ErrorBoundary: RouteError, HydrateFallback: Nothing },
  ])
}

async function guard({ request }: LoaderFunctionArgs): Promise<Response | null> {
  const { pathname } = new URL(request.url)
  const match = matchRoute(pathname)
  if (match === undefined) return redirect('/pages/error-404')
  const { route } = match
  if (route.redirect !== undefined) return redirect(route.redirect)
  const loading = loadRoute(match)
  if (route.layout !== 'plain') {
    // Answered below, where the guard has said whether the route is shown at all.
    loading.catch(() => undefined)
    const session = hasToken() ? await loadSession() : undefined
    if (session === undefined || !session.ok) {
      location.assign('/pages/login')
      return new Promise(() => undefined)
    }
    if (!isAllowed(route, session.value.menu)) return redirect('/pages/error-404')
  }
  await loading
  hideOverlay()
  return null
}

/** A change of the query alone is state of the page, not a navigation. */
function hasNewPath({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname === nextUrl.pathname ? false : defaultShouldRevalidate
}

/** The loading overlay of the page covers the first load. */
function Nothing() {
  return null
}

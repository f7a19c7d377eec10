import { useSyncExternalStore } from 'react'
import { NavigationType, Router, type Location } from 'react-router-dom'
import { hasToken, loseSession } from '../data/http.ts'
import { loadSession } from '../data/session.ts'
import { isAllowed, isOpenWhileExpired } from './access.ts'
import { App } from './App.tsx'
import { loadChunk } from './chunks.ts'
import type { AppHistory, Place, Verdict } from './history.ts'
import { HistoryContext } from './historyContext.ts'
import { loadRouteAndRows } from './preload.ts'
import { forgetFailure, rememberFailure } from './routeFailure.ts'
import { matchRoute } from './routeTable.ts'

export function AppRouter({ history }: { readonly history: AppHistory }) {
  // The location alone: that the next page is being loaded redraws nothing here.
  const location = useSyncExternalStore(history.subscribe, () => history.place().location)
  return (
    <HistoryContext value={history}>
      <Router location={location} navigationType={navigationTypes[history.place().action]} navigator={history}>
        <App />
      </Router>
    </HistoryContext>
  )
}

/** Runs before every navigation: is the route served, is somebody signed in, is it in his menu? Loads code and screen meanwhile. */
export async function guard({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Promise<Verdict> {
  const match = matchRoute(pathname)
  if (match === undefined) return { kind: 'redirect', to: '/pages/error-404' }
  const { route } = match
  if (route.redirect !== undefined) return { kind: 'redirect', to: route.redirect }
  const loading = loadRouteAndRows(match, search)
  if (route.layout !== 'plain') {
    // A failure is met below, once it is known that the route is shown at all.
    loading.catch(() => undefined)
    const session = hasToken() ? await loadSession() : undefined
    if (session === undefined || !session.ok) {
      // A token that gives no profile would only lead back here from the sign-in page.
      if (hasToken()) loseSession()
      else location.assign('/pages/login')
      return undefined
    }
    if (session.value.user.is_password_expired && !isOpenWhileExpired(pathname)) return { kind: 'redirect', to: '/home' }
    if (!isAllowed(route, session.value.menu)) return { kind: 'redirect', to: '/pages/error-404' }
    if (route.preload !== undefined) await (await loadChunk(() => import('../scope/selectionStore.ts'))).preloadSelections()
  }
  await loading.then(
    () => forgetFailure(pathname),
    (error: unknown) => rememberFailure(pathname, error),
  )
  return { kind: 'show' }
}

const navigationTypes = { POP: NavigationType.Pop, PUSH: NavigationType.Push, REPLACE: NavigationType.Replace } satisfies Record<Place['action'], NavigationType>

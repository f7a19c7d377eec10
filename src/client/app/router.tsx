import { useSyncExternalStore } from 'react'
import { NavigationType, Router, type Location } from 'react-router-dom'
import { hasToken } from '../data/http.ts'
import { loadSession } from '../data/session.ts'
import { isAllowed } from './access.ts'
import { App } from './App.tsx'
import type { AppHistory, Place, Verdict } from './history.ts'
import { HistoryContext } from './historyContext.ts'
import { hideOverlay } from './overlay.ts'
import { loadRouteAndRows } from './preload.ts'
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
      location.assign('/pages/login')
      return undefined
    }
    if (!isAllowed(route, session.value.menu)) return { kind: 'redirect', to: '/pages/error-404' }
  }
  await loading
  hideOverlay()
  return { kind: 'show' }
}

const navigationTypes = { POP: NavigationType.Pop, PUSH: NavigationType.Push, REPLACE: NavigationType.Replace } satisfies Record<Place['action'], NavigationType>

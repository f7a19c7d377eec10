import { useSyncExternalStore } from 'react'
import { NavigationType, Router, type Location } from 'react-router-dom'
import { isAllowed } from '#api/menuAccess.ts'
import type { ClientRoute } from '#meta/clientRoute.ts'
import { hasToken, loseSession } from '../data/http.ts'
import { wasAllowed } from '../data/lastMenu.ts'
import { loadSession, sessionAtom, store, type Session } from '../data/session.ts'
import { isOpenWhileExpired } from './access.ts'
import { App } from './App.tsx'
import { loadChunk, once } from './chunks.ts'
import type { AppHistory, Place, Verdict } from './history.ts'
import { HistoryContext } from './historyContext.ts'
import { askRows, loadRoute } from './preload.ts'
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

/**
 * Runs before every navigation: is the route served, is somebody signed in, is it in his menu? Loads code and screen meanwhile. Of a route that
 * is hidden nothing is asked: a menu that is known is looked at first; before it has come, the one of this session last seen by this browser
 * decides whether rows are asked for at once.
 */
export async function guard({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Promise<Verdict> {
  const match = matchRoute(pathname)
  if (match === undefined) return notFound
  const { route } = match
  if (route.redirect !== undefined) return { kind: 'redirect', to: route.redirect }
  const isPlain = route.layout === 'plain'
  // To read a cookie is a call to another process.
  const isSignedIn = !isPlain && hasToken()
  const known = isSignedIn ? store.get(sessionAtom) : undefined
  const refused = known === undefined ? undefined : refusal(route, pathname, known)
  if (refused !== undefined) return refused
  const isForeseen = isPlain || known !== undefined || (isSignedIn && wasAllowed(route))
  const loading = Promise.all([loadRoute(match, search), isForeseen ? askRows(match, search) : undefined])
  // A failure is met below, once it is known that the route is shown at all.
  loading.catch(() => undefined)
  if (!isPlain) {
    const session = isSignedIn ? await loadSession() : undefined
    if (session === undefined) {
      // Of a session that was known only its end can have taken the token.
      if (store.get(sessionAtom) === undefined) location.assign('/pages/login')
      else loseSession('SESSION_REFUSED')
      return undefined
    }
    if (!session.ok) {
      // A token that gives no rights would only lead back here from the sign-in page; after a server error its page is on its way.
      if (session.problem.status !== 500) loseSession('PROFILE_FAILED')
      return undefined
    }
    const verdict = refusal(route, pathname, session.value)
    if (verdict !== undefined) return verdict
    if (route.preload !== undefined) await (await selectionPart()).preloadSelections()
  }
  await Promise.all([loading, isForeseen ? undefined : askRows(match, search)]).then(
    () => forgetFailure(pathname),
    (error: unknown) => rememberFailure(pathname, error),
  )
  return { kind: 'show' }
}

const selectionPart = once(() => loadChunk(() => import('../scope/selectionStore.ts')))

const notFound = { kind: 'redirect', to: '/pages/error-404' } as const

/** Where somebody is led who may not open the route; undefined: he may. */
function refusal(route: ClientRoute, pathname: string, { user, menu }: Session): Verdict {
  if (user.is_password_expired && !isOpenWhileExpired(pathname)) return { kind: 'redirect', to: '/home' }
  return isAllowed(route, menu) ? undefined : notFound
}

const navigationTypes = { POP: NavigationType.Pop, PUSH: NavigationType.Push, REPLACE: NavigationType.Replace } satisfies Record<Place['action'], NavigationType>

import { createPath, type Location } from 'react-router-dom'
import { connection, setConnection } from '../data/connection.ts'
import { untilReachable, type Refusal } from '../data/http.ts'
import { keepEverything, leaveForGood } from '../data/leaving.ts'
import { sessionAtom, store } from '../data/session.ts'
import type { AppHistory } from './history.ts'
import { rememberPlace } from './returning.ts'

/** What the error page tells. */
export interface Trouble {
  /** Where it happened, to try again. */
  readonly from: string
  readonly incident: string | undefined
}

/** How a lost session and a server error change the page. Unsaved typing becomes a draft first, and nobody is asked whether he wants to leave. */
export function leaveFor(history: AppHistory, path: string, refusal: Refusal | undefined): void {
  if (path !== '/pages/login') {
    keepEverything()
    const { location } = history.place()
    history.force(path, { from: createPath(location), incident: refusal?.incident } satisfies Trouble)
    return
  }
  rememberPlace(store.get(sessionAtom)?.user.email)
  leaveForGood()
  // The sign-in page starts afresh, nothing of the lost session stays in memory; it can only be had from a server that answers.
  if (connection() === 'fine') location.assign(path)
  else {
    setConnection('lost')
    void untilReachable().then(() => location.assign(path))
  }
}

/** What the error page was told on the way. */
export function troubleOf(location: Location): Trouble | undefined {
  const state: unknown = location.state
  if (typeof state !== 'object' || state === null || !('from' in state) || typeof state.from !== 'string') return undefined
  return { from: state.from, incident: 'incident' in state && typeof state.incident === 'string' ? state.incident : undefined }
}

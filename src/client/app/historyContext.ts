import { createContext, use, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Location } from 'react-router-dom'
import type { AppHistory } from './history.ts'

export const HistoryContext = createContext<AppHistory | undefined>(undefined)

const slowAfterMs = 150

/** Is the next page taking long enough to load for one to notice? */
export function useIsSlow(): boolean {
  const history = useHistory()
  const isLoading = useSyncExternalStore(history.subscribe, () => history.place().isLoading)
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isLoading) return undefined
    const timer = setTimeout(() => setSlow(true), slowAfterMs)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isLoading])
  return isSlow
}

export interface Blocker {
  readonly state: 'unblocked' | 'blocked'
  /** Leaves after all. */
  readonly proceed: () => void
  /** Stays. */
  readonly reset: () => void
}

/** Holds the user on the page while `isBlocking` says so (a form with unsaved work): links, Back and closing the tab. */
export function useBlocker(isBlocking: (move: { readonly currentLocation: Location; readonly nextLocation: Location }) => boolean): Blocker {
  const history = useHistory()
  const [asked, setAsked] = useState<(isLeaving: boolean) => void>()
  const current = useRef(isBlocking)
  useEffect(() => {
    current.current = isBlocking
  })
  const elsewhere = { ...history.place().location, pathname: ' ' }
  const isHolding = isBlocking({ currentLocation: history.place().location, nextLocation: elsewhere })
  useEffect(() => {
    if (!isHolding) return undefined
    return history.hold((nextLocation) =>
      current.current({ currentLocation: history.place().location, nextLocation })
        ? new Promise((resolve) => setAsked(() => resolve))
        : Promise.resolve(true),
    )
  }, [history, isHolding])
  const answer = (isLeaving: boolean) => {
    setAsked(undefined)
    asked?.(isLeaving)
  }
  return { state: asked === undefined ? 'unblocked' : 'blocked', proceed: () => answer(true), reset: () => answer(false) }
}

/** The application's history; the same object as long as the page lives. */
export function useHistory(): AppHistory {
  const history = use(HistoryContext)
  if (history === undefined) throw new Error('The router is not there')
  return history
}

import { createContext, use, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Location } from 'react-router-dom'
import type { AppHistory } from './history.ts'

export const HistoryContext = createContext<AppHistory | undefined>(undefined)

const slowAfterMs = 150

/** Is the next page taking long enough to load for one to notice? */
export function useIsSlow(): boolean {
  const history = useHistory()
  const [isSlow, setSlow] = useState(false)
  // Nothing is drawn for a page that comes in time.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = (): void => {
      const { isLoading } = history.place()
      if (isLoading === (timer !== undefined)) return
      clearTimeout(timer)
      timer = isLoading ? setTimeout(() => setSlow(true), slowAfterMs) : undefined
      if (!isLoading) setSlow(false)
    }
    follow()
    const forget = history.subscribe(follow)
    return () => {
      forget()
      clearTimeout(timer)
    }
  }, [history])
  return isSlow
}

export interface Blocker {
  readonly state: 'unblocked' | 'blocked'
  /** Leaves after all. */
  readonly proceed: () => void
  /** Stays. */
  readonly reset: () => void
}

/**
 * Holds the user on the page whenever `isBlocking` says so at the moment of leaving (a form with unsaved work): links, Back and closing the tab. `takeOff`: what
 * is held lies over the page, and Back takes it off.
 */
export function useBlocker(isBlocking: (move: { readonly currentLocation: Location; readonly nextLocation: Location }) => boolean, takeOff?: () => void): Blocker {
  const history = useHistory()
  const [asked, setAsked] = useState<(isLeaving: boolean) => void>()
  const current = useRef(isBlocking)
  const over = useRef(takeOff)
  useLayoutEffect(() => {
    current.current = isBlocking
    over.current = takeOff
  })
  const liesOver = takeOff !== undefined
  useLayoutEffect(() => {
    return history.hold(
      () => new Promise((resolve) => setAsked(() => resolve)),
      (next) => {
        const { location } = history.place()
        return current.current({ currentLocation: location, nextLocation: next ?? { ...location, pathname: ' ' } })
      },
      liesOver ? () => over.current?.() : undefined,
    )
  }, [history, liesOver])
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

import { useEffect, useRef } from 'react'
import { useHistory } from '../app/historyContext.ts'

/** How long a page has to show its heading, or to grow as tall as it was. */
const patienceMs = 3_000

/** Has a page been arrived at already? The frame of the pages is left for paper and the sign-in page, and comes anew. */
let hasBegun = false

/**
 * Arriving at a page: the focus goes to its heading, so that keyboard and screen reader go on there and not in the menu, unless the page has
 * put it somewhere itself. A new page starts at its top, one gone back to where it was left. `first`: the page the program was opened with.
 */
export function useArrival(pathname: string, first: string): void {
  const history = useHistory()
  // A page the browser itself has opened is left as browsers do it; from the sign-in page one arrives like from any other. Who was quicker than
  // this part of the program has arrived as well.
  const arrived = useRef(hasBegun || pathname !== first || (history.place().action !== 'POP' && document.activeElement === document.body) ? undefined : pathname)
  const tops = useRef(new Map<string, number>())
  useEffect(() => {
    hasBegun = true
    const main = document.getElementById('main')
    if (main === null) return undefined
    const { location, action } = history.place()
    const stops: (() => void)[] = []
    if (arrived.current !== pathname) {
      arrived.current = pathname
      stops.push(focusHeading(main), scrollTo(main, action === 'POP' ? (tops.current.get(location.key) ?? 0) : 0))
    }
    // The next page scrolls too while it takes the place of this one.
    const remember = (): void => {
      const { location: now } = history.place()
      if (now.pathname === pathname) tops.current.set(now.key, main.scrollTop)
    }
    main.addEventListener('scroll', remember, { passive: true })
    stops.push(() => main.removeEventListener('scroll', remember), history.subscribe(() => giveUpHeading(main, history.place().location.pathname !== pathname)))
    return () => {
      for (const stop of stops) stop()
    }
  }, [pathname, history])
}

function focusHeading(main: HTMLElement): () => void {
  const start = document.activeElement
  const isFree = (): boolean => {
    const { activeElement: active } = document
    return (active === start || active === document.body || active === null) && !main.contains(active) && document.querySelector('dialog[open]') === null
  }
  let target: HTMLElement | undefined
  return watching(main, (isLast) => {
    // The page left may still be on view while the next one is loaded; its heading goes with it, and the focus with that.
    if (target?.isConnected === true) return false
    const heading = main.querySelector<HTMLElement>('h1')
    if (heading === null && !isLast) return false
    if (!isFree()) return true
    target = heading ?? main
    target.tabIndex = -1
    target.focus({ preventScroll: true })
    return false
  })
}

/** A heading taken off with the focus on it makes the browser lay out a page half taken down; before, it costs nothing. */
function giveUpHeading(main: HTMLElement, isLeaving: boolean): void {
  const { activeElement: active } = document
  if (isLeaving && active instanceof HTMLHeadingElement && main.contains(active)) active.blur()
}

function scrollTo(main: HTMLElement, top: number): () => void {
  if (top === 0) {
    main.scrollTop = 0
    return () => undefined
  }
  return watching(main, () => {
    main.scrollTop = top
    return main.scrollTop >= top - 1
  })
}

/** Tries now and after every change of the page, until it succeeds or patience ends. */
function watching(main: HTMLElement, attempt: (isLast: boolean) => boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const observer = new MutationObserver(() => {
    if (attempt(false)) stop()
  })
  const stop = (): void => {
    clearTimeout(timer)
    observer.disconnect()
  }
  if (attempt(false)) return stop
  timer = setTimeout(() => {
    attempt(true)
    stop()
  }, patienceMs)
  observer.observe(main, { childList: true, subtree: true })
  return stop
}

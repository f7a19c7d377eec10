import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useLocation } from 'react-router-dom'
import type { WireRecord } from '#api/envelope.ts'
import { focusAt, placeOf } from './gridFocus.ts'
import { lastVisited } from './lastVisited.ts'

interface Position {
  readonly top: number
  readonly left: number
  /** The row that had the focus last: its record, or its place where rows are no records. */
  readonly row?: number | undefined
}

type Rows = readonly (WireRecord | undefined)[]

/** Where the lists of the addresses visited last were scrolled to and on which row one was, as long as the page lives. */
const positions = lastVisited<Position>()
const tries = 30
const none: Rows = []

/** Back finds the list where one left it; a new question begins at the top. `isReady`: the rows of this address are drawn. `rows`: those the focus is kept by; of others by their place. */
export function useScrollMemory(frame: RefObject<HTMLElement | null>, list: string, isReady: boolean, rows: Rows = none): void {
  const { key } = useLocation()
  const place = `${key} ${list}`
  const restored = useRef('')
  const shown = useRef(rows)
  shown.current = rows
  // What is scrolled once another address stands is not where one was at this one: a shorter page pulls it up before the listener below is gone.
  const standing = useRef('')
  useLayoutEffect(() => {
    standing.current = place
    return () => {
      standing.current = ''
    }
  }, [place])
  useEffect(() => {
    const element = frame.current
    if (!isReady || element === null) return undefined
    if (restored.current !== place) {
      const wanted = positions.get(place)
      if (restored.current !== '' || wanted !== undefined) restore(element, wanted ?? { top: 0, left: element.scrollLeft }, shown)
      restored.current = place
    }
    const remember = ({ target }: Event) => {
      if (standing.current !== place) return
      positions.set(place, { top: element.scrollTop, left: element.scrollLeft, row: nameOf(shown.current, placeOf(target)?.row) ?? positions.get(place)?.row })
    }
    element.addEventListener('scroll', remember, { passive: true })
    element.addEventListener('focusin', remember)
    return () => {
      element.removeEventListener('scroll', remember)
      element.removeEventListener('focusin', remember)
    }
  }, [frame, place, isReady])
}

function nameOf(rows: Rows, at: number | undefined): number | undefined {
  return rows === none || at === undefined ? at : rows[at]?.ID
}

/** Rows that are drawn as they scroll by take a moment to be as high as they will be. The focus goes on where it was, unless it has been put somewhere else meanwhile. */
function restore(element: HTMLElement, { top, left, row }: Position, shown: RefObject<Rows>, attempt = 0): void {
  element.scrollTo({ top, left })
  const isFree = row !== undefined && document.activeElement?.matches('body, h1') === true
  const drawn = isFree ? element.querySelector<HTMLElement>(`tr[data-row="${shown.current === none ? row : shown.current.findIndex((one) => one?.ID === row)}"]`) : null
  if (drawn !== null) focusAt(element, drawn)
  if ((Math.abs(element.scrollTop - top) > 1 || (isFree && drawn === null)) && attempt < tries) requestAnimationFrame(() => restore(element, { top, left, row }, shown, attempt + 1))
}

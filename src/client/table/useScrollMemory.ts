import { useEffect, useRef, type RefObject } from 'react'
import { useLocation } from 'react-router-dom'
import { lastVisited } from './lastVisited.ts'

interface Position {
  readonly top: number
  readonly left: number
}

/** Where the lists of the addresses visited last were scrolled to, as long as the page lives. */
const positions = lastVisited<Position>()
const tries = 30

/** Back finds the list where one left it; a new question begins at the top. `isReady`: the rows of this address are drawn. */
export function useScrollMemory(frame: RefObject<HTMLElement | null>, list: string, isReady: boolean): void {
  const { key } = useLocation()
  const place = `${key} ${list}`
  const restored = useRef('')
  useEffect(() => {
    const element = frame.current
    if (!isReady || element === null) return undefined
    if (restored.current !== place) {
      const wanted = positions.get(place)
      if (restored.current !== '' || wanted !== undefined) restore(element, wanted ?? { top: 0, left: element.scrollLeft })
      restored.current = place
    }
    const remember = () => positions.set(place, { top: element.scrollTop, left: element.scrollLeft })
    element.addEventListener('scroll', remember, { passive: true })
    return () => element.removeEventListener('scroll', remember)
  }, [frame, place, isReady])
}

/** Rows that are drawn as they scroll by take a moment to be as high as they will be. */
function restore(element: HTMLElement, { top, left }: Position, attempt = 0): void {
  element.scrollTo({ top, left })
  if (Math.abs(element.scrollTop - top) > 1 && attempt < tries) requestAnimationFrame(() => restore(element, { top, left }, attempt + 1))
}

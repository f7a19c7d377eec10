import { useLayoutEffect, useState, type RefObject } from 'react'

/** Rows beyond the edges that are drawn as well, so that scrolling shows no gaps. */
const spare = 6

/**
 * Which of `count` rows of one fixed height are to be drawn. Fixed heights need no measuring: what is in view follows from where the
 * scroller stands, and nothing is drawn again before a row comes into view that is not there yet.
 */
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): { readonly first: number; readonly last: number } {
  const [shown, setShown] = useState({ first: 0, last: 40 })
  useLayoutEffect(() => {
    const box = scroller.current
    if (box === null) return undefined
    const look = () => {
      const top = Math.floor(box.scrollTop / rowHeight)
      const bottom = Math.ceil((box.scrollTop + box.clientHeight) / rowHeight)
      setShown((before) => (before.first <= Math.max(0, top - 1) && before.last >= bottom + 1 && before.last - before.first <= bottom - top + 4 * spare ? before : { first: Math.max(0, top - spare), last: bottom + spare }))
    }
    look()
    box.addEventListener('scroll', look, { passive: true })
    const observer = new ResizeObserver(look)
    observer.observe(box)
    return () => {
      box.removeEventListener('scroll', look)
      observer.disconnect()
    }
  }, [scroller, rowHeight])
  return { first: Math.min(shown.first, Math.max(0, count - 1)), last: Math.min(shown.last, count - 1) }
}

import { useCallback, useEffect, useState } from 'react'
import { usePrint, usePrintKey } from '../table/usePrint.ts'

/** Rows that come late are waited for so long. */
const patienceMs = 5_000

/** Rows a paper takes at most: what one question to the server answers. */
export const mostPrinted = 5_000

export interface PrintAll {
  /** All rows are to be asked for, from the first on. */
  readonly isAll: boolean
  /** The paper is being taken: whatever is drawn as it scrolls by must be there. */
  readonly isWhole: boolean
  /** The browser's own menu prints what is there, without asking for more. */
  readonly isPart: boolean
  readonly print: () => void
  readonly cancel: () => void
}

/** A report on paper is the whole report: `print`, and Ctrl+P where it can be asked, has its rows asked for, and the browser's dialog comes once they are drawn. */
export function usePrintAll(canAsk: boolean): PrintAll {
  const [isAll, setAll] = useState(false)
  const [isTaken] = usePrint()
  const cancel = useCallback(() => setAll(false), [])
  const print = useCallback(() => setAll(true), [])
  usePrintKey(canAsk ? print : undefined)
  return { isAll, isPart: isTaken && !isAll, isWhole: isAll || isTaken, print, cancel }
}

/** Prints once as many rows stand in the frame as are wanted; undefined: they are still asked for. Where they cannot be had nothing is printed. */
export function usePrinted({ isAll, cancel }: PrintAll, frame: string, rows: number | undefined, hasFailed: boolean): void {
  useEffect(() => {
    if (isAll && hasFailed) cancel()
  }, [isAll, hasFailed, cancel])
  useEffect(() => {
    if (!isAll || rows === undefined) return undefined
    const since = performance.now()
    let next = requestAnimationFrame(function look() {
      const drawn = document.querySelectorAll(`[aria-labelledby="${frame}"] tbody tr`).length
      if (drawn < rows && performance.now() - since < patienceMs) next = requestAnimationFrame(look)
      else window.print()
    })
    window.addEventListener('afterprint', cancel)
    return () => {
      cancelAnimationFrame(next)
      window.removeEventListener('afterprint', cancel)
    }
  }, [isAll, cancel, frame, rows])
}

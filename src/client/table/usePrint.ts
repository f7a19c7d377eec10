import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Ctrl+P does what the page's own print button does. Undefined, or with a dialog open: the browser prints what it sees. */
export function usePrintKey(print: (() => void) | undefined): void {
  useEffect(() => {
    if (print === undefined) return undefined
    const onKey = (event: KeyboardEvent) => {
      const isPrintKey = event.key.toLowerCase() === 'p' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if (!isPrintKey || event.defaultPrevented || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      print()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [print])
}

/** Is the page being printed, and with what beside what it shows? Rows that are otherwise drawn as they scroll by must then all be there. `load`: what stands on the paper alone, and its code. */
export function usePrint<T>(load?: () => Promise<T>): readonly [isPrinting: boolean, print: () => void, paper: T | undefined] {
  const [isPrinting, setPrinting] = useState(false)
  const [paper, setPaper] = useState<T>()
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    // The browser takes its picture right after this event.
    const before = () => flushSync(() => setPrinting(true))
    const after = () => {
      setPrinting(false)
      setPaper(undefined)
    }
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  const print = useCallback(async () => {
    const found = await latest.current?.()
    flushSync(() => setPaper(() => found))
    window.print()
  }, [])
  return [isPrinting, useCallback(() => void print(), [print]), paper]
}

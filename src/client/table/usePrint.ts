import { useCallback, useEffect, useState } from 'react'
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

/** Is the page being printed? Rows that are otherwise drawn as they scroll by must then all be there. `load`: code of what stands on the paper alone. */
export function usePrint(load?: () => Promise<void>): readonly [isPrinting: boolean, print: () => void] {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser takes its picture right after this event.
    const before = () => flushSync(() => setPrinting(true))
    const after = () => setPrinting(false)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  return [isPrinting, useCallback(() => void Promise.resolve(load?.()).then(() => window.print()), [load])]
}

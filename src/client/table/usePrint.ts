import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Is the page being printed? Rows that are otherwise drawn as they scroll by must then all be there. */
export function usePrint(): readonly [isPrinting: boolean, print: () => void] {
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
  return [isPrinting, useCallback(() => window.print(), [])]
}

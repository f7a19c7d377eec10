import { useLayoutEffect, useRef } from 'react'
import { useScrollMemory } from '../table/useScrollMemory.ts'

/** Where the whole page scrolls (a phone), Back finds it where it was left and a new question begins at its top. `isReady`: what is drawn is that of this address. */
export function useMainScroll(name: string, isReady: boolean): void {
  const frame = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    frame.current = document.getElementById('main')
  }, [])
  useScrollMemory(frame, name, isReady)
}

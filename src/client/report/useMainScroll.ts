import { useLayoutEffect, useRef, type RefObject } from 'react'
import { useScrollMemory } from '../table/useScrollMemory.ts'

/** Back finds the page where it was left, of what scrolls with the whole page; the answer stands at its outermost element. */
export function useMainScroll(name: string): RefObject<HTMLDivElement | null> {
  const inner = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    frame.current = inner.current?.closest('main') ?? null
  }, [])
  useScrollMemory(frame, name, true)
  return inner
}

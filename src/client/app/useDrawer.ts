import { useEffect, type RefObject } from 'react'
import { breakpoints } from './constants.ts'

const [, , large] = breakpoints

/**
 * While it is open a drawer has the keyboard to itself: the focus goes in, everything else is inert, Escape closes, and the focus goes back
 * to where it was unless the page has changed meanwhile. A window made wide closes it: the menu then stands beside the page.
 */
export function useDrawer(drawer: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    const inside = drawer.current
    if (!isOpen || inside === null) return undefined
    const before = document.activeElement
    const outside = [...(inside.parentElement?.children ?? [])].filter((other) => other !== inside)
    for (const other of outside) other.toggleAttribute('inert', true)
    inside.querySelector<HTMLElement>('[aria-current=page], a, button')?.focus()
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) close()
    }
    const width = matchMedia(`(width >= ${large}px)`)
    width.addEventListener('change', close)
    document.addEventListener('keydown', onKey)
    return () => {
      for (const other of outside) other.toggleAttribute('inert', false)
      width.removeEventListener('change', close)
      document.removeEventListener('keydown', onKey)
      if (before instanceof HTMLElement) before.focus()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- opened and closed, nothing else begins it anew
  }, [isOpen])
}

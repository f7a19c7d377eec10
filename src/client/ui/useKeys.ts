import { useLayoutEffect, useRef } from 'react'

interface Hearing {
  /** Heard before the layout's own keys (`/` opens the palette where nothing is searched). */
  readonly isFirst?: boolean
}

/** Is it something letters are typed into? A box to tick takes none, wherever a click has left the keyboard. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input:not([type=checkbox],[type=radio]),textarea,select')
}

/** Single keys while nothing is being typed (into the cells of a line grid neither) and no dialog is open. Before it is painted: a key pressed as soon as the page is seen is heard. */
export function useKeys(keys: Readonly<Record<string, () => void>>, { isFirst = false }: Hearing = {}): void {
  const current = useRef(keys)
  useLayoutEffect(() => {
    current.current = keys
  })
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return
      if (isTyping(target) || (target instanceof Element && target.closest('[data-keys=lines]') !== null)) return
      const act = current.current[event.key.toLowerCase()]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey, isFirst)
    return () => window.removeEventListener('keydown', onKey, isFirst)
  }, [isFirst])
}

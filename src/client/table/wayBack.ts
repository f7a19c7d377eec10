import { useEffect, useRef, useState, type RefObject, type SyntheticEvent } from 'react'
import { useLocation } from 'react-router-dom'
import { lastVisited } from './lastVisited.ts'

/** The item one was on last at the addresses visited last, by its key, as long as the page lives. */
const items = lastVisited<string>()
const tries = 30

/** Where the focus lies when nobody has put it somewhere: a panel that opens has it on its cross. */
const unclaimed = 'body, h1, main, dialog, dialog header > button'

interface WayBack {
  /** Key of the item one comes back to. */
  readonly last: string | undefined
  /** Handlers of the frame. A finger that opens an item does not focus it everywhere: the press counts too. */
  readonly events: { readonly onClickCapture: (event: SyntheticEvent) => void; readonly onFocus: (event: SyntheticEvent) => void }
}

/**
 * Back leads to the item one left the page by, a card of a list or a box of a picture: in view, with the focus on it. Each carries its key as `data-key`.
 * `frame`: what holds them. `of`: which list or picture of the address; absent, nothing is remembered. `isThere`: is this one drawn, or about to be?
 */
export function useWayBack(frame: RefObject<HTMLElement | null>, of: string | undefined, isThere: (key: string) => boolean): WayBack {
  const place = `${useLocation().key} ${of ?? ''}`
  const [last] = useState(() => (of === undefined ? undefined : items.get(place)))
  const isRestored = useRef(false)
  const isHere = last !== undefined && isThere(last)
  useEffect(() => {
    if (isRestored.current || !isHere || frame.current === null) return undefined
    isRestored.current = true
    return restore(frame.current, last)
  }, [frame, isHere, last])
  const remember = ({ target }: SyntheticEvent) => {
    const key = target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset['key'] : undefined
    if (of !== undefined && key !== undefined) items.set(place, key)
  }
  return { last, events: { onClickCapture: remember, onFocus: remember } }
}

/** The focus goes there unless it has been put somewhere else meanwhile. */
function restore(frame: HTMLElement, key: string, attempt = 0): () => void {
  let stop = (): void => cancelAnimationFrame(next)
  const next = requestAnimationFrame(() => {
    const item = frame.querySelector<HTMLElement>(`[data-key="${key}"]`)
    const isFree = document.activeElement === null || document.activeElement.matches(unclaimed)
    const stops = 'a, button, [tabindex]'
    if (item !== null && isFree) (item.matches(stops) ? item : item.querySelector<HTMLElement>(stops))?.focus({ preventScroll: true })
    const isThere = item?.contains(document.activeElement) === true
    if (isThere) item?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (!isThere && attempt < tries) stop = restore(frame, key, attempt + 1)
  })
  return () => stop()
}

import { useEffect, useRef, useState, type RefObject, type SyntheticEvent } from 'react'
import { useLocation } from 'react-router-dom'
import type { WireRecord } from '#api/envelope.ts'
import { lastVisited } from './lastVisited.ts'

/** The card one was on last at the addresses visited last, by id of its record, as long as the page lives. */
const cards = lastVisited<number>()
const tries = 30

interface CardMemory {
  /** The card one comes back to. */
  readonly last: number | undefined
  /** Handlers of the list. A finger that opens a card does not focus it everywhere: the press counts too. */
  readonly events: { readonly onClickCapture: (event: SyntheticEvent) => void; readonly onFocus: (event: SyntheticEvent) => void }
}

/** Back leads to the card one left the list from: in view, with the focus on it. `list`: absent, nothing is remembered. */
export function useCardMemory(frame: RefObject<HTMLElement | null>, list: string | undefined, rows: readonly WireRecord[]): CardMemory {
  const place = `${useLocation().key} ${list ?? ''}`
  const [last] = useState(() => (list === undefined ? undefined : cards.get(place)))
  const isRestored = useRef(false)
  const isHere = rows.some(({ ID }) => ID === last)
  useEffect(() => {
    if (isRestored.current || !isHere || last === undefined || frame.current === null) return undefined
    isRestored.current = true
    return restore(frame.current, last)
  }, [frame, isHere, last])
  const remember = ({ target }: SyntheticEvent) => {
    const id = target instanceof Element ? target.closest<HTMLElement>('li[data-id]')?.dataset['id'] : undefined
    if (list !== undefined && id !== undefined) cards.set(place, Number(id))
  }
  return { last, events: { onClickCapture: remember, onFocus: remember } }
}

/** The focus goes there unless it has been put somewhere else meanwhile. */
function restore(frame: HTMLElement, id: number, attempt = 0): () => void {
  let stop = (): void => cancelAnimationFrame(next)
  const next = requestAnimationFrame(() => {
    const card = frame.querySelector<HTMLElement>(`li[data-id="${id}"]`)
    const isFree = document.activeElement === null || document.activeElement.matches('body, h1, main')
    if (card !== null && isFree) card.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
    const isThere = card?.contains(document.activeElement) === true
    if (isThere) card?.scrollIntoView({ block: 'nearest' })
    if (!isThere && attempt < tries) stop = restore(frame, id, attempt + 1)
  })
  return () => stop()
}

import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { LookupSource, Option } from '../form/lookupClient.ts'
import type { LineColumn } from '#meta/resolved.ts'
import { plainText, type GridRow } from './gridModel.ts'
import type { LineStore } from './lineStore.ts'

/** What every editor of a cell is given. */
export interface CellEditorProps {
  readonly store: LineStore
  readonly row: GridRow
  readonly column: LineColumn
  readonly start: string | undefined
  /** The calendar of a day comes with it. */
  readonly opens: boolean
  readonly label: string
  readonly userId: number
  readonly source: LookupSource
  /** Takes typed text into the row; references are looked up. */
  readonly onText: (text: string) => void
  readonly onOption: (option: Option | null) => void
  readonly onValue: (value: unknown) => void
  /** Done with this cell: where to next. */
  readonly onLeave: (to: 'stay' | Leaving) => void
}

/** Where the keyboard goes from a cell. */
export type Leaving = 'down' | 'up' | 'left' | 'right' | 'next' | 'previous'

/** Keys that end editing, and where they lead. In a cell that was opened by typing (`start`) arrows go on to the cell beside it, until somebody goes back in what is typed. */
export function leaving(event: KeyboardEvent, start?: string): 'cancel' | Leaving | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined
  switch (event.key) {
    case 'Escape':
      return 'cancel'
    case 'Enter':
      return event.shiftKey ? 'up' : 'down'
    case 'Tab':
      return event.shiftKey ? 'previous' : 'next'
    case 'ArrowDown':
      return 'down'
    case 'ArrowUp':
      return 'up'
    case 'ArrowLeft':
    case 'ArrowRight':
      return start === undefined || event.shiftKey || !isAtEnd(event.target) ? undefined : event.key === 'ArrowLeft' ? 'left' : 'right'
    default:
      return undefined
  }
}

function isAtEnd(box: EventTarget): boolean {
  return box instanceof HTMLInputElement && box.selectionStart === box.value.length
}

/** Somebody who needs the row as it stands (saving it, leaving the page) has what is typed taken first. */
export function useHeldBack(store: LineStore, commit: () => void): void {
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  })
  useEffect(() => store.holdBack(() => latest.current()), [store])
}

/**
 * A box over a cell of text: it has the keyboard, what stands there is marked or goes on after what has been typed; what it has become is taken into
 * the row once. `meant`: what is taken for a text. `leaves` ends it where a key asks for that; `said`: what is taken instead of what the box holds.
 */
export function useTextBox({ store, row, column, start, onText, onLeave }: CellEditorProps, meant = (text: string) => text) {
  const [own] = useState(() => plainText(column, row))
  const box = useRef<HTMLInputElement>(null)
  const done = useRef(false)
  const commit = (typed = box.current?.value ?? own) => {
    if (done.current) return
    done.current = true
    const text = meant(typed)
    if (text !== own) onText(text)
  }
  const cancel = () => {
    done.current = true
  }
  const leaves = (event: KeyboardEvent, said?: string) => {
    const to = leaving(event, start)
    if (to === undefined) return
    event.preventDefault()
    if (to === 'cancel') {
      event.stopPropagation()
      cancel()
      onLeave('stay')
    } else {
      commit(said)
      onLeave(to)
    }
  }
  useHeldBack(store, commit)
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    if (start === undefined) box.current?.select()
    else box.current?.setSelectionRange(start.length, start.length)
  }, [start])
  return { box, own, commit, cancel, leaves }
}

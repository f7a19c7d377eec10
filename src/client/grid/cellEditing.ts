import type { KeyboardEvent } from 'react'
import type { LookupSource, Option } from '../form/lookupClient.ts'
import type { LineColumn } from '#meta/resolved.ts'
import type { GridRow } from './gridModel.ts'
import type { LineStore } from './lineStore.ts'

/** What every editor of a cell is given. */
export interface CellEditorProps {
  readonly store: LineStore
  readonly row: GridRow
  readonly column: LineColumn
  readonly start: string | undefined
  readonly label: string
  readonly userId: number
  readonly source: LookupSource
  /** Takes typed text into the row; references are looked up. */
  readonly onText: (text: string) => void
  readonly onOption: (option: Option | null) => void
  readonly onValue: (value: unknown) => void
  /** Done with this cell: where to next. */
  readonly onLeave: (to: 'stay' | 'down' | 'up' | 'next' | 'previous') => void
}

/** Keys that end editing, and where they lead. */
export function leaving(event: KeyboardEvent): 'cancel' | 'down' | 'up' | 'next' | 'previous' | undefined {
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
    default:
      return undefined
  }
}

import { useCallback, useEffect, useRef, type FocusEvent, type KeyboardEvent, type MouseEvent, type PointerEvent, type RefObject } from 'react'
import { useNavigate } from 'react-router-dom'
import { loadChunk } from '../app/chunks.ts'
import { preload } from '../app/preload.ts'
import type { CellRange } from './cellRange.ts'
import { focusFrom, placeOf, stepRow, type Place } from './gridFocus.ts'

/** What rows do when they are clicked or a key is pressed on them. */
export interface RowDeeds<R> {
  readonly rowAt: (index: number) => R | undefined
  readonly count: number
  /** Another one where other rows stand there; those that only come to the places kept for them change nothing. */
  readonly generation: number
  readonly pathOf?: ((row: R) => string | undefined) | undefined
  readonly onOpen?: ((row: R) => void) | undefined
  readonly onMenu?: ((row: R, button: HTMLElement) => void) | undefined
  /** A row got the focus. */
  readonly onRow?: ((row: R) => void) | undefined
  /** Space and P; absent: there is no preview. */
  readonly onPreview?: ((row: R) => void) | undefined
  /** A click shows the row beside the list instead of opening it. */
  readonly isPreviewing?: boolean | undefined
  readonly onToggle?: ((index: number, isRange: boolean) => void) | undefined
  readonly onSelectAll?: (() => void) | undefined
  /** Ctrl+C: the cells of the range, or the rows selected, or the row. */
  readonly onCopy: (range: CellRange | undefined, index: number) => void
}

/** The handlers of a table's body: one set for a thousand rows. */
export function useRowEvents<R>(wrapper: RefObject<HTMLDivElement | null>, deeds: RowDeeds<R>) {
  const navigate = useNavigate()
  const range = useRef<CellRange>(undefined)
  const last = useRef<Place>({ row: 0, cell: -1 })
  const wasDragged = useRef(false)

  const withRange = useCallback(async () => {
    const { CellRange } = await loadChunk(() => import('./cellRange.ts'))
    if (wrapper.current !== null) range.current ??= new CellRange(wrapper.current)
    return range.current
  }, [wrapper])
  const clear = useCallback(() => range.current?.clear(), [])
  const { rowAt, generation } = deeds
  // Cells of rows that are gone mean nothing.
  useEffect(() => clear, [generation, clear])

  const at = (target: EventTarget | null) => {
    const place = placeOf(target)
    const row = place === undefined ? undefined : rowAt(place.row)
    return place === undefined || row === undefined ? undefined : { place, row }
  }
  const open = (row: R, isNewTab: boolean) => {
    const path = deeds.pathOf?.(row)
    if (path !== undefined && isNewTab) window.open(path, '_blank', 'noopener')
    else if (path !== undefined) void navigate(path)
    else deeds.onOpen?.(row)
  }
  const marking = useRef<Promise<void>>(undefined)
  const extend = (from: Place, to: Place) => (marking.current = withRange().then((there) => there?.extend(from, to)))

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const { target } = event
    const found = at(target)
    if (found === undefined || !(target instanceof Element)) return
    if (wasDragged.current) return void (wasDragged.current = false)
    const button = target.closest<HTMLElement>('button')
    if (button !== null) return deeds.onMenu?.(found.row, button)
    if (target.closest('input, label') !== null) return
    const isNewTab = event.ctrlKey || event.metaKey
    const link = target.closest('a')
    if (link !== null) {
      const path = link.getAttribute('href')
      if (isNewTab || path === null) return
      event.preventDefault()
      return void navigate(path)
    }
    if (event.shiftKey) return void extend(last.current, found.place)
    if (window.getSelection()?.isCollapsed === false) return
    if (deeds.isPreviewing === true) return focusFrom(wrapper.current, { row: found.place.row, cell: -1 })
    open(found.row, isNewTab)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const place = placeOf(event.target)
    if (place === undefined || !(event.target instanceof Element)) return
    // One walks over rows that are still on their way as well.
    const row = rowAt(place.row)
    const { key } = event
    const isCommand = event.ctrlKey || event.metaKey
    const isControl = event.target.closest('a, button, input') !== null
    if (isControl && !isCommand && !key.startsWith('Arrow')) return
    // Between rows in groups stand the heads of groups.
    const tr = event.target.closest<HTMLElement>('tr')
    const beside = key === 'ArrowDown' ? tr?.nextElementSibling : tr?.previousElementSibling
    if (!event.shiftKey && !isCommand && tr !== null && beside instanceof HTMLElement && !beside.hasAttribute('data-row') && stepRow(tr, key)) {
      clear()
      return event.preventDefault()
    }
    const goal = goalOf(key, place, isCommand, { count: deeds.count, page: pageOf(wrapper.current) })
    if (goal !== undefined) {
      event.preventDefault()
      if (event.shiftKey) void extend(place, goal)
      else clear()
      focusFrom(wrapper.current, goal, place)
    } else if (isCommand && key === 'a') {
      event.preventDefault()
      if (deeds.onSelectAll !== undefined) deeds.onSelectAll()
      else void extend({ row: 0, cell: -1 }, { row: deeds.count - 1, cell: -1 })
    } else if (isCommand && key === 'c') {
      // What marks them may still be on its way.
      if (window.getSelection()?.isCollapsed !== false) void Promise.resolve(marking.current).then(() => deeds.onCopy(range.current, place.row))
    }
    // A preview closes by itself, from wherever one is.
    else if (key === 'Escape') clear()
    else if (key === ' ') {
      event.preventDefault()
      if (deeds.onToggle !== undefined) deeds.onToggle(place.row, event.shiftKey)
      else if (row !== undefined) deeds.onPreview?.(row)
    } else if (row === undefined) return
    else if (key === 'Enter') open(row, isCommand)
    else if (key === 'p' && !isCommand) deeds.onPreview?.(row)
    else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
      const button = event.target.closest('tr')?.querySelector<HTMLElement>('td button')
      if (button === null || button === undefined) return
      event.preventDefault()
      deeds.onMenu?.(row, button)
    }
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const found = at(event.target)
    if (found === undefined) return
    const path = deeds.pathOf?.(found.row)
    if (path !== undefined) preload(path)
    if (event.button !== 0 || event.pointerType === 'touch' || event.shiftKey || !(event.target instanceof Element) || event.target.closest('a, button, input, label') !== null) return
    clear()
    dragFrom(found.place)
  }
  /** Dragging from one cell to another marks the cells between, as in a spreadsheet. */
  const dragFrom = (start: Place) => {
    wasDragged.current = false
    const move = (event: globalThis.PointerEvent) => {
      const now = placeOf(event.target)
      if (now === undefined || (!wasDragged.current && now.row === start.row && now.cell === start.cell)) return
      wasDragged.current = true
      window.getSelection()?.removeAllRanges()
      void extend(start, now)
    }
    const stop = () => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', stop)
      window.removeEventListener('pointercancel', stop)
      if (wasDragged.current) focusFrom(wrapper.current, start)
      // The click that ends the drag comes next; a later one is a click again.
      setTimeout(() => (wasDragged.current = false))
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', stop)
    window.addEventListener('pointercancel', stop)
  }
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const place = placeOf(event.target)
    if (place === undefined) return
    const hasMoved = place.row !== last.current.row
    last.current = place
    const row = rowAt(place.row)
    if (row !== undefined && (hasMoved || deeds.isPreviewing === true)) deeds.onRow?.(row)
  }
  return { onClick, onKeyDown, onPointerDown, onFocus }
}

/** Where a key leads; undefined: it is no key of movement here. Cell -1 is the row as a whole. */
function goalOf(key: string, { row, cell }: Place, isCommand: boolean, size: { readonly count: number; readonly page: number }): Place | undefined {
  const within = (wanted: number) => Math.min(Math.max(wanted, 0), size.count - 1)
  switch (key) {
    case 'ArrowDown':
      return { row: within(isCommand ? size.count : row + 1), cell }
    case 'ArrowUp':
      return { row: within(isCommand ? 0 : row - 1), cell }
    case 'PageDown':
      return { row: within(row + size.page), cell }
    case 'PageUp':
      return { row: within(row - size.page), cell }
    case 'ArrowRight':
      return { row, cell: cell + 1 }
    case 'ArrowLeft':
      return { row, cell: Math.max(cell - 1, -1) }
    case 'Home':
      return cell < 0 || isCommand ? { row: 0, cell } : { row, cell: 0 }
    case 'End':
      return cell < 0 || isCommand ? { row: size.count - 1, cell } : { row, cell: Number.MAX_SAFE_INTEGER }
    default:
      return undefined
  }
}

/** Rows in sight. */
function pageOf(wrapper: HTMLElement | null): number {
  const height = wrapper?.querySelector<HTMLElement>('tbody tr[data-row]')?.offsetHeight ?? 36
  return Math.max(1, Math.floor(((wrapper?.clientHeight ?? 0) - 2 * height) / height))
}

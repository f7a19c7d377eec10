import type { PointerEvent } from 'react'

const narrowest = 40
const widest = 1200

/** Drags the right edge of a heading: the table follows the pointer, the width is told once it is let go. */
export function startResize(event: PointerEvent<HTMLElement>, onDone: (width: number) => void): void {
  const parts = partsOf(event.currentTarget)
  if (parts === undefined || event.button !== 0) return
  event.preventDefault()
  event.stopPropagation()
  const { cell, col, table } = parts
  const start = cell.offsetWidth
  const minimum = table.offsetWidth - start
  const from = event.clientX
  let width = start
  const move = (now: globalThis.PointerEvent) => {
    width = clamp(start + now.clientX - from)
    col.style.width = `${width}px`
    table.style.minWidth = `${minimum + width}px`
  }
  const stop = () => {
    window.removeEventListener('pointermove', move)
    window.removeEventListener('pointerup', stop)
    window.removeEventListener('pointercancel', stop)
    if (width !== start) onDone(width)
  }
  window.addEventListener('pointermove', move)
  window.addEventListener('pointerup', stop)
  window.addEventListener('pointercancel', stop)
}

/** What the width of a heading hangs on. */
export function partsOf(element: HTMLElement) {
  const cell = element.closest('th')
  const table = element.closest('table')
  const col = cell === null ? undefined : table?.querySelectorAll('col')[cell.cellIndex]
  return cell === null || table === null || col === undefined ? undefined : { cell, table, col }
}

/** No column vanishes, none fills a screen and more. */
export function clamp(width: number): number {
  return Math.min(widest, Math.max(narrowest, Math.round(width)))
}

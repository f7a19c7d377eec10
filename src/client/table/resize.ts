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

/** The width in pixels at which nothing of the heading and of the rows drawn is cut. */
export function fitWidth(element: HTMLElement): number | undefined {
  const parts = partsOf(element)
  if (parts === undefined) return undefined
  const { cell, col, table } = parts
  const before = col.style.width
  // So narrow that every cell overflows: what it would need can then be measured.
  col.style.width = '1px'
  table.dataset['fitting'] = ''
  const cells = [...table.rows].flatMap((row) => row.cells[cell.cellIndex] ?? []).filter((one) => one.colSpan === 1)
  // What overflows a cell runs over the padding at its end, which so is not counted.
  const needed = Math.max(...cells.map((one) => one.scrollWidth + parseFloat(getComputedStyle(one).paddingInlineEnd)))
  col.style.width = before
  delete table.dataset['fitting']
  return clamp(needed + 1)
}

function partsOf(element: HTMLElement) {
  const cell = element.closest('th')
  const table = element.closest('table')
  const col = cell === null ? undefined : table?.querySelectorAll('col')[cell.cellIndex]
  return cell === null || table === null || col === undefined ? undefined : { cell, table, col }
}

function clamp(width: number): number {
  return Math.min(widest, Math.max(narrowest, Math.round(width)))
}

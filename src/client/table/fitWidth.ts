import { clamp, partsOf } from './resize.ts'

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

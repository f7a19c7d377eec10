import type { Column } from '#meta/resolved.ts'
import { classes } from '../ui/classes.ts'
import { cellOf } from './cells.tsx'
import css from './DataTable.module.css'

/** What all rows of a table share; the same object as long as nothing of it changes. */
export interface RowLook {
  readonly columns: readonly Column[]
  /** Pixels, by place of the column. */
  readonly widths: readonly number[]
  readonly classes: readonly string[]
  readonly headClasses: readonly string[]
  /** Column that takes the width left over. */
  readonly growing: string | undefined
  readonly canSelect: boolean
  readonly hasMenu: boolean
  /** Width of the column with checkbox and menu button; 0 without either. */
  readonly toolWidth: number
  readonly toolClass: string | undefined
  /** Number of the first row within all pages, from 0. */
  readonly first: number
}

interface LookOptions {
  readonly columns: readonly Column[]
  readonly widths: ReadonlyMap<string, number>
  readonly growing: string | undefined
  readonly canSelect: boolean
  readonly hasMenu: boolean
  readonly first: number
}

/** Up to so many columns stay in sight on each side. */
const mostPinned = 6

/** Works out what the rows share. */
export function rowLook({ columns, widths, growing, canSelect, hasMenu, first }: LookOptions): RowLook {
  const toolWidth = canSelect && hasMenu ? 72 : canSelect || hasMenu ? 44 : 0
  const pins = columns.map((column, i) => pinClass(columns, column, i))
  return {
    columns,
    widths: columns.map((column) => widths.get(column.name) ?? 0),
    classes: columns.map((column, i) => classes(cellClass(column), pins[i])),
    headClasses: columns.map((column, i) => classes(css[cellOf(column.type).align], css['cut'], pins[i])),
    growing,
    canSelect,
    hasMenu,
    toolWidth,
    toolClass: classes(css['tools'], columns[0]?.pin === 'left' && css['pinTools']),
    first,
  }
}

/** Pinned columns take at most so much of the frame on each side: the others are reached between them. */
const mostOfFrame = { left: 60, right: 30 } as const

/** Where a pinned column stays: beside the one before. One that would reach too far into the frame goes with the rest: no place is that far beyond the edge. */
function offset(side: keyof typeof mostOfFrame, from: number, to: number): string {
  return `min(${from}px, (${mostOfFrame[side]}% - ${to}px) * 9999)`
}

/** Distances of the pinned columns from their edge, as the style sheet asks for them. */
export function pinOffsets({ columns, widths, toolWidth }: RowLook): Readonly<Record<string, string>> {
  const offsets: Record<string, string> = {}
  let left = toolWidth
  columns.forEach((column, i) => {
    if (column.pin !== 'left') return
    const end = left + (widths[i] ?? 0)
    offsets[`--left-${i}`] = offset('left', left, end)
    left = end
  })
  let right = 0
  for (let i = columns.length - 1; i >= 0 && columns[i]?.pin === 'right'; i--) {
    const end = right + (widths[i] ?? 0)
    offsets[`--right-${columns.length - 1 - i}`] = offset('right', right, end)
    right = end
  }
  // Whatever is focused scrolls clear of the pinned columns.
  return { ...offsets, '--pinned-start': `min(${columns.some((column) => column.pin === 'left') ? left : 0}px, ${mostOfFrame.left}%)`, '--pinned-end': `min(${right}px, ${mostOfFrame.right}%)` }
}

/** How many columns, from the first on, begin within so many pixels; all of them where some stay at the far end. */
export function columnsWithin({ columns, widths, toolWidth }: RowLook, pixels: number): number {
  let left = toolWidth
  return columns.some((column) => column.pin === 'right') ? columns.length : widths.filter((width) => (left += width) - width < pixels).length
}

function pinClass(columns: readonly Column[], column: Column, place: number): string | undefined {
  if (column.pin === 'left') return place < mostPinned ? classes(css['pin'], css[`left${place}`]) : undefined
  const fromEnd = columns.length - 1 - place
  return column.pin === 'right' && fromEnd < mostPinned ? classes(css['pinEnd'], css[`right${fromEnd}`]) : undefined
}

/** Text may be longer than its column; numbers and days are not. */
function isCut(column: Column): boolean {
  return cellOf(column.type).align === 'start' && column.type !== 'date' && column.type !== 'status'
}

const classNames = new Map<string, string>()

export function cellClass(column: Column): string {
  const known = classNames.get(column.type)
  if (known !== undefined) return known
  const made = classes(css[cellOf(column.type).align], isCut(column) && css['cut']) ?? ''
  classNames.set(column.type, made)
  return made
}

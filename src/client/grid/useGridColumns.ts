import { useCallback, useEffect, useMemo, useState } from 'react'
import { t } from '../app/messages.ts'
import { headWidth } from '../ui/headWidth.ts'
import { readStored, writeStored } from '../form/storage.ts'
import type { LineColumn } from '#meta/resolved.ts'

/** Of the numbers of the lines. */
const numberWidth = 44
const narrowest = 56
/** Beside a heading, with the mark of what is required. */
const headPadding = 28

/** A column as the grid draws it, pixels from the left edge of the first row's number and from the upper edge of the line. */
export interface PlacedColumn {
  readonly column: LineColumn
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

type Sizes = Readonly<Record<string, number>>

/**
 * Widths of the columns: as the screen says, as the user dragged them (remembered by `name`), and grown to fill the width there is.
 * A table library would bring ordering, visibility and row models that a line grid has no use for.
 */
export function useGridColumns(columns: readonly LineColumn[], name: string, available: number, rowHeight: number) {
  const [needed, setNeeded] = useState<Sizes>({})
  const storageKey = `grid:${name}`
  const [sizes, setSizes] = useState<Sizes>(() => storedSizes(storageKey))
  useEffect(() => {
    if (Object.keys(sizes).length > 0) writeStored(storageKey, sizes)
  }, [sizes, storageKey])
  const { placed, isStacked } = useMemo(() => {
    const inOneRow = place(columns, sizes, needed, available, rowHeight)
    const isStacked = available > 0 && available < phone && widthOf(inOneRow) > available
    return { placed: isStacked ? stack(columns, needed, available) : inOneRow, isStacked }
  }, [columns, sizes, needed, available, rowHeight])
  /** Gives columns the width at which these figures stand uncut; a number with its end missing is a wrong number. */
  const makeRoom = useCallback((figures: Readonly<Record<string, string>>) => setNeeded((before) => roomOf(figures, figureWidth, before)), [])
  /** Drags the right edge of a column from where the pointer went down. */
  const startResize = useCallback((at: PlacedColumn, from: number) => {
    const move = (event: PointerEvent) => setSizes((before) => ({ ...before, [at.column.wire]: Math.max(narrowest, Math.round(at.width + event.clientX - from)) }))
    const stop = () => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', stop)
      window.removeEventListener('pointercancel', stop)
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', stop)
    window.addEventListener('pointercancel', stop)
  }, [])
  const { top = 0, height = rowHeight } = placed.at(-1) ?? {}
  // Number and first column stay in view where they leave room for others.
  const isWide = !isStacked && widthOf(placed) > available && widthOf(placed.slice(0, 1)) < available / 2
  return { placed, isStacked, isWide, startResize, makeRoom, edge: placed[0]?.left ?? 0, width: isStacked ? available : widthOf(placed), lineHeight: top + height + (isStacked ? gap : 0) }
}

const widthOf = (placed: readonly PlacedColumn[]): number => (placed.at(-1)?.left ?? 0) + (placed.at(-1)?.width ?? 0)

/** A digit: figures that come and go by less than that move nothing. */
const leeway = 9

/** Pixels figures need: more as soon as they do, less once it is worth moving the columns beside them. */
export function roomOf(figures: Readonly<Record<string, string>>, widthOf: (text: string) => number, before: Sizes): Sizes {
  const now = Object.entries(figures).map(([wire, text]): [string, number] => {
    const [width, had] = [widthOf(text), before[wire] ?? 0]
    return [wire, width > had || width < had - leeway ? width : had]
  })
  return now.every(([wire, width]) => width === before[wire]) ? before : Object.fromEntries(now)
}

let pen: CanvasRenderingContext2D | null | undefined

/** Pixels a bold figure takes with the cell's padding, in the font the page really has. */
function figureWidth(text: string): number {
  if (pen === undefined) {
    pen = document.createElement('canvas').getContext('2d')
    const { fontSize, fontFamily } = getComputedStyle(document.body)
    if (pen !== null) pen.font = `600 ${fontSize} ${fontFamily}`
  }
  return Math.ceil(pen?.measureText(text).width ?? text.length * 9) + 20
}

/** Narrower than this, a line that does not fit stands in several rows: with every figure in view, none behind the edge. */
const phone = 480
/** Of a cell with its heading over it. */
const bandHeight = 42
/** Between two such lines. */
const gap = 6
const stackedEdge = 28
const figure = 96

/** The cells of a line under one another: the first reference over the whole width, the others as many in a row as find room, stretched to fill it. */
export function stack(columns: readonly LineColumn[], needed: Sizes, available: number): readonly PlacedColumn[] {
  const room = available - stackedEdge
  const first = growing(columns)
  const bands: { column: LineColumn; width: number }[][] = []
  let left = 0
  for (const column of columns) {
    const isWide = column === first
    const width = isWide ? room : Math.min(room, Math.max(needed[column.wire] ?? 0, Math.min(column.width, column.entry && column.type === 'text' ? column.width : figure)))
    if (width > left || isWide) bands.push([])
    left = (width > left || isWide ? room : left) - width
    bands.at(-1)?.push({ column, width })
  }
  return bands.flatMap((band, row) => {
    const spare = (room - band.reduce((sum, { width }) => sum + width, 0)) / band.length
    let at = stackedEdge
    return band.map(({ column, width: least }): PlacedColumn => {
      const width = least + spare
      at += width
      return { column, left: at - width, top: row * bandHeight, width, height: bandHeight }
    })
  })
}

function growing(columns: readonly LineColumn[]): LineColumn | undefined {
  return columns.find((column) => column.type === 'ref') ?? columns[0]
}

/** Space left over goes to the first reference column: the widest text of the line. */
function place(columns: readonly LineColumn[], sizes: Sizes, needed: Sizes, available: number, rowHeight: number): readonly PlacedColumn[] {
  const widths = columns.map((column) => Math.max(sizes[column.wire] ?? Math.max(column.width, headWidth(t(column.label), 13) + headPadding), needed[column.wire] ?? 0))
  const spare = Math.max(0, available - numberWidth - widths.reduce((sum, width) => sum + width, 0))
  let left = numberWidth
  return columns.map((column, i) => {
    const width = (widths[i] ?? narrowest) + (column === growing(columns) ? spare : 0)
    const at = { column, left, top: 0, width, height: rowHeight }
    left += width
    return at
  })
}

function storedSizes(key: string): Sizes {
  const found = readStored(key)
  if (typeof found !== 'object' || found === null) return {}
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
}

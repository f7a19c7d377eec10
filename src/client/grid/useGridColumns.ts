import { columnResizingFeature, columnSizingFeature, createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table'
import { useEffect, useMemo, useState } from 'react'
import { readStored, writeStored } from '../form/storage.ts'
import type { LineColumn } from '#meta/resolved.ts'
import type { GridRow } from './gridModel.ts'

const features = tableFeatures({ columnSizingFeature, columnResizingFeature })
const helper = createColumnHelper<typeof features, GridRow>()
const noRows: GridRow[] = []

export const numberWidth = 44
const narrowest = 56

/** A column as the grid draws it, pixels from the left edge of the first row's number. */
export interface PlacedColumn {
  readonly column: LineColumn
  readonly left: number
  readonly width: number
}

/**
 * The column model: widths as the screen says, as the user dragged them (remembered by `name`), and grown to fill the width there is.
 * Rows are not the table's: they live in the line store, so a change of one draws that one.
 */
export function useGridColumns(columns: readonly LineColumn[], name: string, available: number) {
  const storageKey = `grid:${name}`
  const [sizing, setSizing] = useState<Record<string, number>>(() => storedSizes(storageKey))
  useEffect(() => {
    if (Object.keys(sizing).length > 0) writeStored(storageKey, sizing)
  }, [sizing, storageKey])
  const definitions = useMemo(
    () => helper.columns(columns.map((column) => helper.accessor((row) => row.values[column.wire], { id: column.wire, size: column.width, minSize: narrowest }))),
    [columns],
  )
  const table = useTable({
    features,
    columns: definitions,
    data: noRows,
    columnResizeMode: 'onChange',
    state: { columnSizing: sizing },
    onColumnSizingChange: (next) => setSizing((before) => (typeof next === 'function' ? next(before) : next)),
  })
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  const sizes = columns.map((column) => sizing[column.wire] ?? column.width)
  const placed = useMemo(() => place(columns, sizes, available), [columns, sizes.join(), available])
  return { headers, placed, width: (placed.at(-1)?.left ?? 0) + (placed.at(-1)?.width ?? 0) }
}

/** Space left over goes to the first reference column: the widest text of the line. */
function place(columns: readonly LineColumn[], sizes: readonly number[], available: number): readonly PlacedColumn[] {
  const spare = Math.max(0, available - numberWidth - sizes.reduce((sum, size) => sum + size, 0))
  const growing = Math.max(
    0,
    columns.findIndex((column) => column.type === 'ref'),
  )
  let left = numberWidth
  return columns.map((column, i) => {
    const width = (sizes[i] ?? column.width) + (i === growing ? spare : 0)
    const at = { column, left, width }
    left += width
    return at
  })
}

function storedSizes(key: string): Record<string, number> {
  const found = readStored(key)
  if (typeof found !== 'object' || found === null) return {}
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
}

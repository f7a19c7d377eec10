import { useAtom } from 'jotai'
import { useCallback, useMemo } from 'react'
import type { Layout } from '#api/view.ts'
import { ownLayout, viewColumns } from '#api/viewQuery.ts'
import type { Column } from '#meta/resolved.ts'
import { layoutsAtom } from '../app/preferences.ts'
import { moveColumn, nudgeColumn, resizeColumn } from './layout.ts'

/** Columns of a table outside of lists, as the user has laid them out; remembered by `name`. `own`: the layout it opens with, where a view says so. */
export function useLayout<C extends Column>(name: string, columns: readonly C[], isShown?: (column: Column) => boolean, own?: Layout) {
  const [layouts, setLayouts] = useAtom(layoutsAtom)
  const kept = layouts[name]
  const layout = useMemo<Layout>(() => kept?.filter((one) => columns.some((column) => column.name === one.name)) ?? own ?? ownLayout(columns, isShown), [kept, columns, isShown, own])
  const setLayout = useCallback(
    (next: Layout | undefined) =>
      setLayouts((before) => {
        const { [name]: _, ...others } = before
        return next === undefined ? others : { ...others, [name]: next }
      }),
    [setLayouts, name],
  )
  const shown = useMemo(() => viewColumns({ columns }, layout) as readonly C[], [columns, layout])
  const sized = useMemo(() => new Set(layout.filter((column) => column.width !== undefined).map((column) => column.name)), [layout])
  const deeds = useMemo(
    () => ({
      onResize: (column: string, width: number | undefined) => setLayout(resizeColumn(layout, column, width)),
      onMove: (column: string, before: string | undefined) => setLayout(moveColumn(layout, column, before)),
      onNudge: (column: string, step: -1 | 1) => setLayout(nudgeColumn(layout, column, step)),
    }),
    [layout, setLayout],
  )
  return { layout, setLayout, shown, sized, deeds, reset: kept === undefined ? undefined : () => setLayout(undefined) }
}

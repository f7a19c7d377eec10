import { useEffect, useMemo, useState } from 'react'
import { t } from '../app/messages.ts'
import { groupedNumber, shownPlaces } from '../form/entry.ts'
import { classes } from '../ui/classes.ts'
import css from './LineGrid.module.css'
import { totalsOf } from './gridModel.ts'
import type { LineStore } from './lineStore.ts'

export function TotalsRow({ store, makeRoom }: { readonly store: LineStore; readonly makeRoom: (figures: Readonly<Record<string, string>>) => void }) {
  const [totals, setTotals] = useState<Readonly<Record<string, string>>>(() => totalsOf(store.rows, store.columns))
  useEffect(() => {
    let timer: number | undefined
    // Adding up waits until the key is on the screen.
    const later = () => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => setTotals(totalsOf(store.rows, store.columns)), 60)
    }
    later()
    const stops = [store.onChange(later), store.onDecorate(later)]
    return () => {
      window.clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [store])
  const figures = useMemo(
    () =>
      Object.fromEntries(
        store.columns.flatMap((column) => (column.total === undefined ? [] : [[column.wire, groupedNumber(totals[column.wire] ?? '0', shownPlaces(column.type))]])),
      ) as Readonly<Record<string, string>>,
    [store, totals],
  )
  useEffect(() => makeRoom(figures), [makeRoom, figures])
  return (
    <div role="row" className={css['foot']}>
      <div role="rowheader" className={css['rowNumber']} title={t('ui.grid.total')}>
        Σ
      </div>
      {store.columns.map((column) => (
        <div key={column.wire} role="gridcell" data-label={column.total === undefined ? undefined : t(column.label)} className={classes(css['cell'], css['number'])}>
          {figures[column.wire] ?? ''}
        </div>
      ))}
    </div>
  )
}

import { Suspense, useMemo } from 'react'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import { EmptyState, Skeleton } from '../ui/States.tsx'
import { useMedia } from '../ui/useMedia.ts'
import css from './Chart.module.css'
import { fitted, type ChartModel } from './chartModel.ts'
import { ChartTable } from './ChartTable.tsx'

const Plot = lazy(() => import('./Plot.tsx').then((module) => ({ default: module.Plot })))

interface ChartViewProps {
  readonly model: ChartModel
  readonly label: string
  /** `beside`: chart and table side by side; else one of them, the table always there for screen readers. */
  readonly view: 'chart' | 'table' | 'beside'
  readonly height?: number
}

/** A chart and its numbers. */
export function ChartView({ model: whole, label, view, height = 260 }: ChartViewProps) {
  const isNarrow = useMedia('(width < 576px)')
  const model = useMemo(() => fitted(whole, isNarrow), [whole, isNarrow])
  const isEmpty = model.series.every(({ values }) => values.every((value) => value === null || Number(value) === 0))
  if (isEmpty) return <EmptyState icon="chart" title={t('ui.report.nothing-to-draw')} />
  return (
    <div className={classes(css['view'], view === 'beside' && css['beside'])}>
      {view !== 'table' && (
        <div className={css['plot']} style={{ height: heightOf(model, height) }}>
          <Suspense fallback={<Skeleton lines={4} />}>
            <Plot model={model} label={label} />
          </Suspense>
        </div>
      )}
      <div className={view === 'chart' ? 'visually-hidden' : css['numbers']}>
        <ChartTable model={model} label={label} />
      </div>
      {model.otherCurrencies.length > 0 && <p className={css['note']}>{t('ui.report.other-currencies', { drawn: model.currency ?? '', others: model.otherCurrencies.join(', ') })}</p>}
    </div>
  )
}

/** Lying bars need room for each. */
function heightOf(model: ChartModel, height: number): number {
  const drawn = model.series.length * (model.type === 'stacked' ? 0 : 10) + 14
  return model.horizontal ? Math.max(height, model.places.length * Math.max(24, drawn) + 40) : height
}

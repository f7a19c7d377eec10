import { useContext, useMemo } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { Filter } from '#api/view.ts'
import type { Chart, ReportScreen } from '#meta/resolved.ts'
import { leadsToRows } from '#domain/reporting/leadsToRows.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { chartModel } from '../charts/chartModel.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { readSummary } from '../data/dashboards.ts'
import { useAnswer } from '../data/useAnswer.ts'
import type { ReportLayout } from '../pages/reportState.ts'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import type { ChartPlan } from './chartPlan.ts'
import { figurePlaces } from './figurePlaces.ts'
import { ReportAnswersContext } from './reportAnswers.ts'
import css from './ReportChart.module.css'

interface ReportChartProps {
  readonly screen: ReportScreen
  readonly layout: ReportLayout
  readonly plan: ChartPlan
  /** Parameters, search and filters. */
  readonly narrowing: Readonly<Record<string, string>>
  readonly filters: readonly Filter[]
  readonly label: string
  readonly height: number
}

/** The chart of what is shown; asks for its own groups, so that it does not end where a page ends. What it draws of a group leads on as the group does. */
export function ReportChart({ screen, layout, plan, narrowing, filters, label, height }: ReportChartProps) {
  const { chart } = plan
  const asked = { ...narrowing, ...plan.query }
  const tried = useContext(ReportAnswersContext)
  const { value, problem, reload } = useAnswer(`${screen.id} ${tried?.revision ?? ''} ${JSON.stringify(asked)}`, (signal) => tried?.summary(asked, signal) ?? readSummary(screen.id, asked, signal, true))
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  // What is drawn stays the same object until something else is to be drawn.
  const model = useMemo(() => {
    if (value === undefined) return undefined
    return chartModel(chart, value, leadsToRows(screen, chart) ? figurePlaces({ screen, path: pathname, query, filters, layout: drawnAs(chart, layout), answer: value }) : undefined)
  }, [chart, value, screen, pathname, query, filters, layout])
  if (problem !== undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  const drawn = Number(plan.query['length'])
  return (
    <div className={css['chart']} style={{ minHeight: height }}>
      {model === undefined ? <Skeleton lines={6} /> : <ChartView model={model} label={label} view="chart" height={height} />}
      {plan.refused !== undefined && <p className={css['note']}>{t(`ui.report.not-drawn.${plan.refused}`, { drawn: t(`ui.report.draw.${chart.type}`) })}</p>}
      {plan.isBeforeLeftOut && <p className={css['note']}>{t('ui.report.before-in-table')}</p>}
      {value !== undefined && value.recordsTotal > drawn && <p className={css['note']}>{t('ui.report.chart-first', { n: formatNumber(drawn), total: formatNumber(value.recordsTotal) })}</p>}
    </div>
  )
}

/** The chart may stand on other groups than the table: on those of its report, or on the outer one alone. */
function drawnAs({ by, series }: Chart, { compare }: ReportLayout): Pick<ReportLayout, 'rows' | 'across' | 'compare'> {
  return { rows: by === undefined ? [] : [by], ...(series === undefined ? {} : { across: series }), ...(compare === undefined ? {} : { compare }) }
}

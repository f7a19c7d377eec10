import { useContext } from 'react'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { chartModel } from '../charts/chartModel.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { readSummary } from '../data/dashboards.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import type { ChartPlan } from './chartPlan.ts'
import { ReportAnswersContext } from './reportAnswers.ts'
import css from './ReportChart.module.css'

interface ReportChartProps {
  readonly screenId: string
  readonly plan: ChartPlan
  /** Parameters, search and filters. */
  readonly narrowing: Readonly<Record<string, string>>
  readonly label: string
  readonly height: number
}

/** The chart of what is shown; asks for its own groups, so that it does not end where a page ends. */
export function ReportChart({ screenId, plan, narrowing, label, height }: ReportChartProps) {
  const asked = { ...narrowing, ...plan.query }
  const tried = useContext(ReportAnswersContext)
  const { value, problem, reload } = useAnswer(`${screenId} ${tried?.revision ?? ''} ${JSON.stringify(asked)}`, (signal) => tried?.summary(asked, signal) ?? readSummary(screenId, asked, signal, true))
  if (problem !== undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  const drawn = Number(plan.query['length'])
  return (
    <div className={css['chart']} style={{ minHeight: height }}>
      {value === undefined ? <Skeleton lines={6} /> : <ChartView model={chartModel(plan.chart, value)} label={label} view="chart" height={height} />}
      {plan.refused !== undefined && <p className={css['note']}>{t(`ui.report.not-drawn.${plan.refused}`, { drawn: t(`ui.report.draw.${plan.chart.type}`) })}</p>}
      {value !== undefined && value.recordsTotal > drawn && <p className={css['note']}>{t('ui.report.chart-first', { n: formatNumber(drawn), total: formatNumber(value.recordsTotal) })}</p>}
    </div>
  )
}

import { useMemo } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { SummaryAnswer } from '#api/report.ts'
import type { Layout } from '#api/view.ts'
import type { Filter } from '#api/view.ts'
import type { ReportMeasure, ReportScreen, Sort } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import type { ReportLayout } from '../pages/reportState.ts'
import { figurePlaces } from './figurePlaces.ts'
import { SummaryCards } from './SummaryCards.tsx'
import { SummaryTable } from './SummaryTable.tsx'

interface ReportSummaryProps {
  readonly screen: ReportScreen
  /** How the answer is grouped. */
  readonly layout: ReportLayout
  readonly answer: SummaryAnswer
  /** Measures shown, in order. */
  readonly columns: Layout
  /** What narrows the rows now, whether the address says so or a view. */
  readonly filters: readonly Filter[]
  readonly sort: readonly Sort[]
  readonly onSort: (sort: readonly Sort[]) => void
  readonly isLoading: boolean
  /** On a phone: cards. */
  readonly isNarrow: boolean
}

/** The report in groups; every figure leads to the single rows it is made of. */
export function ReportSummary({ screen, layout, answer, columns, filters, sort, onSort, isLoading, isNarrow }: ReportSummaryProps) {
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const text = query.toString()
  const placeOf = useMemo(() => figurePlaces({ screen, path: pathname, query: new URLSearchParams(text), filters, layout, answer }), [screen, text, pathname, layout, answer, filters])
  const shown = useMemo(() => new Set(columns.map(({ name }) => name)), [columns])
  const measures = useMemo(() => ordered(screen.measures, columns), [screen, columns])
  const props = { layout, answer, measures, shown, sort, onSort, placeOf }
  return isNarrow ? <SummaryCards {...props} /> : <SummaryTable {...props} label={t(screen.title)} isLoading={isLoading} />
}

/** Measures in the order of the columns, those not shown at the end. */
function ordered(measures: readonly ReportMeasure[], columns: Layout): readonly ReportMeasure[] {
  const shown = columns.flatMap(({ name }) => measures.find((measure) => measure.name === name) ?? [])
  return [...shown, ...measures.filter((measure) => !shown.includes(measure))]
}

import { useMemo } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { SummaryAnswer } from '#api/report.ts'
import type { Layout } from '#api/view.ts'
import type { Filter } from '#api/view.ts'
import { groupTest } from '#domain/reporting/groupTest.ts'
import { monthsBack } from '#meta/day.ts'
import { filterEntries } from '#meta/placeLink.ts'
import type { ReportMeasure, ReportScreen, Sort } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { drillQuery, narrowedPath, type ReportLayout } from '../pages/reportState.ts'
import type { PlaceOf } from './SummaryCells.tsx'
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
}

/** The report in groups; every figure leads to the single rows it is made of. */
export function ReportSummary({ screen, layout, answer, columns, filters, sort, onSort, isLoading }: ReportSummaryProps) {
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const text = query.toString()
  const placeOf = useMemo<PlaceOf>(() => {
    const asked = new URLSearchParams(text)
    // What the address says of filters stands for all of them: those of the view are said with it.
    if (![...asked.keys()].some((key) => key.startsWith('f.'))) for (const [key, value] of filterEntries(filters)) asked.append(key, value)
    const [now, earlier] = [undefined, answer.before].map((parameters) => drillQuery(screen, asked, parameters))
    const { rows, across, compare } = layout
    const back = compare === undefined ? 0 : (monthsBack(compare) ?? 0)
    const hasCurrency = screen.filters.some(({ name }) => name === 'currency')
    return ({ keys, currency }, at, isBefore = false) =>
      narrowedPath(pathname, (isBefore ? earlier : now) ?? new URLSearchParams(), [
        ...keys.flatMap((key, i) => (rows[i] === undefined ? [] : groupTest(rows[i], key, isBefore ? back : 0))),
        ...(at === undefined || across === undefined ? [] : [groupTest(across, answer.across[at] ?? null, isBefore ? back : 0)]),
        ...(hasCurrency && currency !== null ? [groupTest({ name: 'currency' }, currency)] : []),
      ])
  }, [screen, text, pathname, layout, answer, filters])
  const shown = useMemo(() => new Set(columns.map(({ name }) => name)), [columns])
  const measures = useMemo(() => ordered(screen.measures, columns), [screen, columns])
  return <SummaryTable label={t(screen.title)} layout={layout} answer={answer} measures={measures} shown={shown} sort={sort} onSort={onSort} placeOf={placeOf} isLoading={isLoading} />
}

/** Measures in the order of the columns, those not shown at the end. */
function ordered(measures: readonly ReportMeasure[], columns: Layout): readonly ReportMeasure[] {
  const shown = columns.flatMap(({ name }) => measures.find((measure) => measure.name === name) ?? [])
  return [...shown, ...measures.filter((measure) => !shown.includes(measure))]
}

import type { SummaryAnswer } from '#api/report.ts'
import type { Filter } from '#api/view.ts'
import { figureTests } from '#domain/reporting/figureTests.ts'
import { monthsBack } from '#meta/day.ts'
import { filterEntries } from '#meta/placeLink.ts'
import type { ReportScreen } from '#meta/resolved.ts'
import { drillQuery, narrowedPath, type ReportLayout } from '../pages/reportState.ts'
import type { PlaceOf } from './SummaryCells.tsx'

interface Grouped {
  readonly screen: ReportScreen
  /** Path and query of the report as it stands. */
  readonly path: string
  readonly query: URLSearchParams
  /** What narrows the rows now, whether the address says so or a view. */
  readonly filters: readonly Filter[]
  /** How the answer is grouped. */
  readonly layout: Pick<ReportLayout, 'rows' | 'across' | 'compare'>
  readonly answer: Pick<SummaryAnswer, 'across' | 'before' | 'totals'>
}

/** Where figures of groups lead, in the table as in the chart: to the single rows each is made of. */
export function figurePlaces({ screen, path, query, filters, layout, answer }: Grouped): PlaceOf {
  const asked = new URLSearchParams(query)
  // What the address says of filters stands for all of them: those of the view are said with it.
  if (![...asked.keys()].some((key) => key.startsWith('f.'))) for (const [key, value] of filterEntries(filters)) asked.append(key, value)
  const [now, earlier] = [undefined, answer.before].map((parameters) => drillQuery(screen, asked, parameters))
  const { compare } = layout
  const months = compare === undefined ? 0 : (monthsBack(compare) ?? 0)
  return (row, at, isBefore = false, measure) => narrowedPath(path, (isBefore ? earlier : now) ?? new URLSearchParams(), figureTests({ ...layout, answer }, { row, at, measure, back: isBefore ? months : 0 }))
}

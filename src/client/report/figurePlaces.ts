import type { SummaryAnswer } from '#api/report.ts'
import type { Filter } from '#api/view.ts'
import { currencyTest, groupTest } from '#domain/reporting/groupTest.ts'
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
  const { rows, across, compare } = layout
  const back = compare === undefined ? 0 : (monthsBack(compare) ?? 0)
  return ({ keys, currency }, at, isBefore = false) =>
    narrowedPath(path, (isBefore ? earlier : now) ?? new URLSearchParams(), [
      ...keys.flatMap((key, i) => (rows[i] === undefined ? [] : groupTest(rows[i], key, isBefore ? back : 0))),
      ...(at === undefined || across === undefined ? [] : [groupTest(across, answer.across[at] ?? null, isBefore ? back : 0)]),
      ...currencyTest(answer, currency),
    ])
}

import type { Chart, GroupDimension, Measure, ReportScreen } from '#meta/resolved.ts'
import { isDated, isGrouped, type ReportLayout } from '../pages/reportState.ts'

export interface ChartPlan {
  readonly chart: Chart
  /** What the server is asked beside what narrows the rows. */
  readonly query: Readonly<Record<string, string | number>>
}

/** More bars than this say nothing; days want more room. */
const mostBars = 20
const mostDays = 400

/** Single rows have the chart of their report, groups are drawn as they stand: the outer group along the axis. */
export function chartPlan(screen: ReportScreen, layout: ReportLayout, measures: readonly Measure[]): ChartPlan | undefined {
  const chart = isGrouped(layout) ? groupedChart(screen, layout, measures) : screen.chart
  if (chart === undefined) return undefined
  const [first] = chart.measures
  const isOrdered = chart.top !== undefined && first !== undefined
  return {
    chart,
    query: {
      ...(chart.by === undefined ? {} : { group: chart.by.key }),
      ...(chart.series === undefined ? {} : { across: chart.series.key }),
      measures: chart.measures.map(({ name }) => name).join(','),
      ...(isGrouped(layout) && layout.compare !== undefined ? { compare: layout.compare } : {}),
      ...(isOrdered ? { order: first.name, sort: 'desc' } : {}),
      length: chart.top ?? mostDays,
    },
  }
}

function groupedChart(screen: ReportScreen, { rows, across }: ReportLayout, measures: readonly Measure[]): Chart | undefined {
  const [by = across] = rows
  const series = rows.length === 0 ? undefined : across
  // What the report draws alone is what it is about.
  const [usual, ...others] = screen.chart?.measures ?? []
  const measure = (others.length > 0 ? undefined : measures.find(({ name }) => name === usual?.name)) ?? measures.find(({ type }) => type === 'money') ?? measures[0]
  if (by === undefined || measure === undefined) return undefined
  const isCalendar = isDated(by) || inOrder(by)
  return {
    type: series !== undefined && measure.additive ? 'stacked' : 'bar',
    by,
    ...(series === undefined ? {} : { series }),
    measures: [measure],
    ...(isCalendar || measure.agg.kind === 'none' ? {} : { top: mostBars }),
    horizontal: !isCalendar,
  }
}

/** What a list names comes in the order of that list. */
function inOrder({ choices }: GroupDimension): boolean {
  return choices !== undefined
}

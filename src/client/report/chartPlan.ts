import { drawnTypes, type Chart, type Drawn, type GroupDimension, type Measure, type ReportScreen } from '#meta/resolved.ts'
import { isDated, isGrouped, type ReportLayout } from '../pages/reportState.ts'

export interface ChartPlan {
  readonly chart: Chart
  /** What the same groups may be drawn as; one entry: nothing to choose. */
  readonly offered: readonly Chart['type'][]
  /** What they are drawn as unless asked otherwise. */
  readonly usual: Chart['type']
  /** What was asked for and these groups cannot be drawn as. */
  readonly refused?: Drawn
  /** The earlier period is asked for and not drawn: beside what stands across there would be twice as many colours. */
  readonly isBeforeLeftOut: boolean
  /** What the server is asked beside what narrows the rows. */
  readonly query: Readonly<Record<string, string | number>>
}

/** More bars than this say nothing; days want more room. */
const mostBars = 20
const mostDays = 400

/** Single rows have the chart of their report, groups are drawn as they stand; both may be drawn otherwise where that says something. */
export function chartPlan(screen: ReportScreen, layout: ReportLayout, measures: readonly Measure[]): ChartPlan | undefined {
  const found = isGrouped(layout) ? groupedCharts(screen, layout, measures) : ownCharts(screen)
  if (found === undefined) return undefined
  const { charts, usual } = found
  const asked = charts.find(({ type }) => type === layout.draw)
  const chart = asked ?? usual
  const [first] = chart.measures
  const isCompared = isGrouped(layout) && layout.compare !== undefined
  const isOrdered = chart.top !== undefined && first !== undefined
  return {
    chart,
    offered: charts.map(({ type }) => type),
    usual: usual.type,
    ...(asked !== undefined || layout.draw === undefined ? {} : { refused: layout.draw }),
    isBeforeLeftOut: isCompared && chart.series !== undefined,
    query: {
      ...(chart.by === undefined ? {} : { group: chart.by.key }),
      ...(chart.series === undefined ? {} : { across: chart.series.key }),
      measures: chart.measures.map(({ name }) => name).join(','),
      ...(isCompared && chart.series === undefined ? { compare: layout.compare } : {}),
      ...(isOrdered ? { order: first.name, sort: 'desc' } : {}),
      length: chart.top ?? mostDays,
    },
  }
}

interface Charts {
  readonly charts: readonly Chart[]
  readonly usual: Chart
}

/** The chart of the report itself; along a calendar its bars may be lines and its lines bars. */
function ownCharts({ chart }: ReportScreen): Charts | undefined {
  if (chart === undefined) return undefined
  const { by, series, measures, type } = chart
  const isPossible = (drawn: Drawn): boolean =>
    drawn === type || (by !== undefined && isDated(by) && type !== 'share' && !chart.horizontal && (drawn !== 'stacked' || (series !== undefined && measures.every(({ additive }) => additive))))
  const charts = drawnTypes.filter(isPossible).map((drawn): Chart => (drawn === type ? chart : { ...chart, type: drawn }))
  return { charts: charts.length === 0 ? [chart] : charts, usual: chart }
}

/** Bars of the outer group; stacked by what stands across or by a second group; lines along the days or periods among the groups. */
function groupedCharts(screen: ReportScreen, { rows, across }: ReportLayout, measures: readonly Measure[]): Charts | undefined {
  const groups = [...rows, ...(across === undefined ? [] : [across])]
  const [by] = groups
  const measure = measureDrawn(screen, measures)
  if (by === undefined || measure === undefined) return undefined
  // Few values: what the report offers as columns is offered as colours.
  const isShort = (group: GroupDimension): boolean => group === across || screen.across.some(({ key }) => key === group.key)
  const secondOf = (axis: GroupDimension): GroupDimension | undefined => (across !== undefined && across !== axis ? across : groups.find((group) => group !== axis && isShort(group)))
  const chartOf = (type: Drawn, axis: GroupDimension, series: GroupDimension | undefined): Chart => {
    const isCalendar = isDated(axis) || inOrder(axis)
    return {
      type,
      by: axis,
      ...(series === undefined ? {} : { series }),
      measures: [measure],
      ...(isCalendar || measure.agg.kind === 'none' ? {} : { top: mostBars }),
      horizontal: !isCalendar,
    }
  }
  const second = secondOf(by)
  const calendar = groups.find(isDated)
  const bars = chartOf('bar', by, across === by ? undefined : across)
  const lines = calendar === undefined ? undefined : chartOf('line', calendar, secondOf(calendar))
  const stacks = second === undefined || !measure.additive ? undefined : chartOf('stacked', by, second)
  const isLined = screen.chart?.type === 'line' && screen.chart.by?.key === by.key && across === undefined
  const usual = (isLined ? lines : across === undefined || across === by ? undefined : stacks) ?? bars
  return { charts: [bars, lines, stacks].flatMap((chart) => chart ?? []), usual }
}

/** What the report draws alone is what it is about, or the first of its shares; of amounts side by side (debit and credit, buckets) the first amount there is. */
function measureDrawn({ chart }: ReportScreen, measures: readonly Measure[]): Measure | undefined {
  const [usual, ...others] = chart?.measures ?? []
  const isOneOfMany = others.length > 0 && usual?.agg.kind !== 'ratio'
  return (isOneOfMany ? undefined : measures.find(({ name }) => name === usual?.name)) ?? measures.find(({ type }) => type === 'money') ?? measures[0]
}

/** What a list names comes in the order of that list. */
function inOrder({ choices }: GroupDimension): boolean {
  return choices !== undefined
}

import { headed } from '#api/heads.ts'
import type { SummaryAnswer, SummaryRow } from '#api/report.ts'
import { addDays } from '#base/date.ts'
import { grainRange, type Grain } from '#meta/day.ts'
import type { Chart, FieldType, GroupDimension } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { groupName, groupText } from './groupText.ts'

/** What a chart draws and its table says: one value for each series at each place along the axis. */
export interface ChartModel {
  readonly type: Chart['type']
  readonly horizontal: boolean
  /** How values are written. */
  readonly valueType: FieldType
  /** Heading of the first column of the table; undefined: the measures themselves stand along the axis. */
  readonly axis: string | undefined
  readonly places: readonly string[]
  /** Days or periods stand along the axis: they are left out where there is no room, names are not. */
  readonly isCalendar: boolean
  /** Places without rows that stand between others: a calendar goes on where nothing happened. Drawn as a gap, not said in the table. */
  readonly gaps: ReadonlySet<number>
  readonly series: readonly ChartSeries[]
  /** What is measured, where the series are named by something else. */
  readonly measured?: string
  /** Currency of the values, where there are several and only the first is drawn. */
  readonly currency: string | null
  readonly otherCurrencies: readonly string[]
}

export interface ChartSeries {
  readonly name: string
  /** Decimal text, null where there is nothing; one for each place. */
  readonly values: readonly (string | null)[]
  /** Drawn lighter: the period compared with. */
  readonly isBefore: boolean
  /** Where each value leads; absent: nowhere. */
  readonly leads?: readonly (string | undefined)[]
}

/** Where a figure leads: of a group, at a value across, now or in the earlier period; or of all rows, at this measure along the axis. */
export type LeadOf = (row: SummaryRow, at?: number, isBefore?: boolean, measure?: string) => string | undefined

/** Amounts of different currencies never share an axis: the first is drawn, the others are named. */
export function chartModel(plan: Chart, answer: SummaryAnswer, leadOf?: LeadOf): ChartModel {
  const chart = { ...plan, measures: plan.measures.map((measure) => headed(measure, answer.heads, t)) }
  const currencies = [...new Set(answer.totals.map(({ currency }) => currency))]
  const [currency = null] = currencies
  const rows = answer.rows.filter((row) => row.currency === currency)
  const totals = answer.totals.filter((row) => row.currency === currency)
  const common = {
    type: chart.type,
    horizontal: chart.horizontal,
    valueType: chart.measures[0]?.type ?? ('quantity' as const),
    currency,
    otherCurrencies: currencies.slice(1).flatMap((other) => other ?? []),
  }
  const at = (name: string): number => answer.measures.indexOf(name)
  const isCompared = answer.before !== undefined
  if (chart.by === undefined) {
    const [total] = totals
    const [cell] = total?.cells ?? []
    const leadsOf = (isBefore: boolean): Pick<ChartSeries, 'leads'> =>
      leadOf === undefined || total === undefined ? {} : { leads: chart.measures.map(({ name }, i) => leadOf(total, i, isBefore, name)) }
    const values = (part: readonly (string | null)[] | undefined): (string | null)[] => chart.measures.map(({ name }) => part?.[at(name)] ?? null)
    return {
      ...common,
      axis: undefined,
      places: chart.measures.map(({ label }) => t(label)),
      gaps: new Set(),
      isCalendar: false,
      series: [{ name: t('ui.report.value'), values: values(cell?.values), isBefore: false, ...leadsOf(false) }, ...(isCompared ? [{ name: t('ui.report.before'), values: values(cell?.before), isBefore: true, ...leadsOf(true) }] : [])],
    }
  }
  const { by, series } = chart
  const along = calendarOf(by, rows)
  const value = (row: SummaryRow | undefined, cell: number, measure: number, part: 'values' | 'before' = 'values'): string | null => row?.cells[cell]?.[part]?.[measure] ?? null
  const leads = (place: number | undefined, isBefore: boolean): Pick<ChartSeries, 'leads'> =>
    leadOf === undefined ? {} : { leads: along.map(({ row }) => (row === undefined ? undefined : leadOf(row, place, isBefore))) }
  const lines: ChartSeries[] =
    series === undefined
      ? chart.measures.flatMap((measure) => [
          { name: t(measure.label), values: along.map(({ row }) => value(row, 0, at(measure.name))), isBefore: false, ...leads(undefined, false) },
          ...(isCompared ? [{ name: t('ui.report.before-of', { measure: t(measure.label) }), values: along.map(({ row }) => value(row, 0, at(measure.name), 'before')), isBefore: true, ...leads(undefined, true) }] : []),
        ])
      : answer.across.map((key, i) => ({ name: groupText(series, key), values: along.map(({ row }) => value(row, i + 1, 0)), isBefore: false, ...leads(i, false) }))
  return {
    ...common,
    axis: t(by.label),
    places: along.map(({ key, row }) => (row === undefined ? undefined : groupName(by, row.about)) ?? groupText(by, key)),
    gaps: new Set(along.flatMap(({ row }, i) => (row === undefined ? [i] : []))),
    isCalendar: by.type === 'date' || by.type === 'period',
    series: lines,
    ...(series === undefined ? {} : { measured: t(chart.measures[0]?.label ?? 'ui.report.value') }),
  }
}

interface Along {
  readonly key: unknown
  /** Undefined: nothing happened then. */
  readonly row: SummaryRow | undefined
}

/** A wider gap than this says more about a wrong date than about the time in between. */
const widestGap = 400

/** The groups in their order; days, weeks and so on with those in between that have no rows, so that equal times are equally wide. */
function calendarOf({ grain }: GroupDimension, rows: readonly SummaryRow[]): readonly Along[] {
  const plain = rows.map((row) => ({ key: row.keys[0], row }))
  if (grain === undefined) return plain
  const known = new Map(plain.map((one) => [one.key, one]))
  const keys = plain.flatMap(({ key }) => (typeof key === 'string' ? [key] : [])).toSorted()
  const [first] = keys
  const last = keys.at(-1)
  if (first === undefined || last === undefined) return plain
  const filled: Along[] = []
  for (let key = first; key <= last; key = nextOf(grain, key)) {
    if (filled.length > widestGap + rows.length) return plain
    filled.push(known.get(key) ?? { key, row: undefined })
  }
  // What has no date comes where the server put it: last.
  return [...filled, ...plain.filter(({ key }) => typeof key !== 'string')]
}

function nextOf(grain: Grain, key: string): string {
  const day = addDays(grainRange(grain, key).to, 1)
  switch (grain) {
    case 'day':
    case 'week':
      return day
    case 'month':
      return day.slice(0, 7)
    case 'quarter':
      return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
    case 'year':
      return day.slice(0, 4)
  }
}

/** Letters that fit side by side under upright bars on a phone. */
const lettersAcross = 30

/** Upright bars whose names would run into each other on a narrow screen lie down instead. */
export function fitted(model: ChartModel, isNarrow: boolean): ChartModel {
  const isBars = model.type === 'bar' || model.type === 'stacked'
  const letters = model.places.reduce((sum, place) => sum + place.length + 1, 0)
  return isNarrow && isBars && !model.isCalendar && letters > lettersAcross ? { ...model, horizontal: true } : model
}

/** Share of each value in the sum of all, in percent with one digit; null where there is nothing to divide. */
export function sharesOf(values: readonly (string | null)[]): readonly (number | null)[] {
  const numbers = values.map((value) => (value === null ? 0 : Math.max(0, Number(value))))
  const whole = numbers.reduce((sum, value) => sum + value, 0)
  return numbers.map((value) => (whole === 0 ? null : Math.round((value / whole) * 1000) / 10))
}

/** Measures that stand along the axis are named there. */
export function namesSeries({ axis, series }: ChartModel): boolean {
  return axis !== undefined || series.length > 1
}

export function leadsOn({ series }: ChartModel): boolean {
  return series.some(({ leads }) => leads !== undefined)
}

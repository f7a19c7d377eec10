import type { SummaryAnswer, SummaryRow } from '#api/report.ts'
import type { Chart, FieldType } from '#meta/resolved.ts'
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
  readonly series: readonly ChartSeries[]
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
}

/** Amounts of different currencies never share an axis: the first is drawn, the others are named. */
export function chartModel(chart: Chart, answer: SummaryAnswer): ChartModel {
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
    const [cell] = totals[0]?.cells ?? []
    const values = (part: readonly (string | null)[] | undefined): (string | null)[] => chart.measures.map(({ name }) => part?.[at(name)] ?? null)
    return {
      ...common,
      axis: undefined,
      places: chart.measures.map(({ label }) => t(label)),
      series: [{ name: t('ui.report.value'), values: values(cell?.values), isBefore: false }, ...(isCompared ? [{ name: t('ui.report.before'), values: values(cell?.before), isBefore: true }] : [])],
    }
  }
  const { by, series } = chart
  const value = (row: SummaryRow, cell: number, measure: number, part: 'values' | 'before' = 'values'): string | null => row.cells[cell]?.[part]?.[measure] ?? null
  const lines: ChartSeries[] =
    series === undefined
      ? chart.measures.flatMap((measure) => [
          { name: t(measure.label), values: rows.map((row) => value(row, 0, at(measure.name))), isBefore: false },
          ...(isCompared ? [{ name: t('ui.report.before-of', { measure: t(measure.label) }), values: rows.map((row) => value(row, 0, at(measure.name), 'before')), isBefore: true }] : []),
        ])
      : answer.across.map((key, i) => ({ name: groupText(series, key), values: rows.map((row) => value(row, i + 1, 0)), isBefore: false }))
  return {
    ...common,
    axis: t(by.label),
    places: rows.map((row) => groupName(by, row.about) ?? groupText(by, row.keys[0])),
    series: lines,
  }
}

/** Share of each value in the sum of all, in percent with one digit; null where there is nothing to divide. */
export function sharesOf(values: readonly (string | null)[]): readonly (number | null)[] {
  const numbers = values.map((value) => (value === null ? 0 : Math.max(0, Number(value))))
  const whole = numbers.reduce((sum, value) => sum + value, 0)
  return numbers.map((value) => (whole === 0 ? null : Math.round((value / whole) * 1000) / 10))
}

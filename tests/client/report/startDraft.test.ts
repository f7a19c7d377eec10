import { describe, expect, it } from 'vitest'
import type { StudioDataset } from '#api/studio.ts'
import { answeringText } from '#client/studio/startDraft.ts'
import type { AskedDays } from '#meta/authoring/askedDays.ts'

const dataset = (Time: StudioDataset['Time'], Presets: readonly unknown[]): StudioDataset => ({
  ID: 'sales', Label: 'Sales', Grain: 'Line', HasPeriod: true, Time, Parameters: [], Dimensions: [], Renamed: {}, Presets,
  Measures: [{ name: 'net', label: 'Net', type: 'money', additive: true, isColumn: true, agg: { kind: 'sum' } }],
})
const period = dataset({ from: 'date_from', to: 'date_to' }, [{ field: 'date_from', default: { now: 'month-start' } }, { field: 'date_to', default: { now: 'date' } }, { field: 'doc_type', default: 'ALL' }])
const moment = dataset({ as_of: 'as_of' }, [{ field: 'as_of', default: { now: 'date' } }, { field: 'basis', default: 'DUE' }])

const parametersOf = (of: StudioDataset, days: AskedDays, isCalendar = false): unknown => {
  const across = isCalendar ? { across: { column: { name: 'bill_date', type: 'date', words: [] }, grain: 'month' as const } } : {}
  const text = answeringText('asked.report', of, { dataset: of.ID, measures: [], rows: [], hasChart: false, left: [], days, ...across })
  return Object.fromEntries((JSON.parse(text) as { parameters: { field: string; default: unknown }[] }).parameters.map((one) => [one.field, one.default]))
}

describe('a report begun with a question about days', () => {
  it('looks at the end of last month, and over days at those of that month', () => {
    const asked = { to: { now: 'last-month-end' } } as const
    expect(parametersOf(moment, asked)).toEqual({ as_of: { now: 'last-month-end' }, basis: 'DUE' })
    expect(parametersOf(period, asked)).toEqual({ date_from: { now: 'last-month-start' }, date_to: { now: 'last-month-end' }, doc_type: 'ALL' })
    // Months up to then are more than one.
    expect(parametersOf(period, asked, true)).toMatchObject({ date_from: { now: 'year-ago' }, date_to: { now: 'last-month-end' } })
  })

  it('is about the days named, or about their last one', () => {
    const asked = { from: '2026-07-01', to: '2026-09-30' }
    expect(parametersOf(period, asked)).toMatchObject({ date_from: '2026-07-01', date_to: '2026-09-30' })
    expect(parametersOf(moment, asked)).toMatchObject({ as_of: '2026-09-30' })
    expect(parametersOf(period, { to: '2026-09-15' })).toMatchObject({ date_from: '2026-09-01', date_to: '2026-09-15' })
  })
})

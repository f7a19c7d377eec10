import { describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { setCatalogues } from '#client/app/messages.ts'
import type { SummaryAnswer } from '#api/report.ts'
import { chartModel, fitted } from '#client/charts/chartModel.ts'
import { compact } from '#client/charts/compact.ts'
import { chartPlan } from '#client/report/chartPlan.ts'
import { figurePlaces } from '#client/report/figurePlaces.ts'
import { figureText } from '#client/report/figureText.ts'
import { groupColumn, summaryColumns, type Figure } from '#client/report/summaryColumns.ts'
import { drillQuery, narrowedPath, readLayout, writeLayout } from '#client/pages/reportState.ts'
import { leadsToRows } from '#domain/reporting/leadsToRows.ts'
import { groupTest } from '#domain/reporting/groupTest.ts'
import type { Grain } from '#meta/day.ts'
import type { Chart, ReportMeasure, ReportScreen } from '#meta/resolved.ts'
import { readCatalogue } from '../../../scripts/schemas/catalogue.ts'
import { root } from '../../../scripts/schemas/readSources.ts'

setCatalogues(readCatalogue(root, 'en'))

function reportOf(id: string): ReportScreen {
  const screen = metadata.screens[id]
  if (screen?.kind !== 'report') throw new Error(`${id} is no report`)
  return screen
}
const billing = reportOf('zdr-bill.report')
const measure = (name: string): ReportMeasure => {
  const found = billing.measures.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no measure ${name}`)
  return found
}
const measures = [measure('dpp'), measure('margin_pct')]
const layoutOf = (query: string) => readLayout(billing, new URLSearchParams(query))
const answer = (change: Partial<SummaryAnswer>): Pick<SummaryAnswer, 'across' | 'measures' | 'before'> => ({ across: [], measures: ['dpp', 'margin_pct'], ...change })

/** Ids of the columns, groups with those they hold. */
function shape(columns: readonly { readonly id?: string | undefined; readonly columns?: unknown }[]): unknown[] {
  return columns.map((column) => (Array.isArray(column.columns) ? [column.id, shape(column.columns)] : column.id))
}

describe('columns of a summary', () => {
  it('are the groups and the measures', () => {
    const { definitions, figures } = summaryColumns(answer({}), layoutOf('by=customer_code'), measures)
    expect(shape(definitions)).toEqual([groupColumn, 'dpp', 'margin_pct'])
    expect([...figures.keys()]).toEqual(['dpp', 'margin_pct'])
  })

  it('stand under what is across, everything last, where they can be sorted', () => {
    const { definitions } = summaryColumns(answer({ across: ['GT', null] }), layoutOf('by=customer_code&across=sales_channel_code'), measures)
    expect(shape(definitions)).toEqual([
      groupColumn,
      ['across 0', ['0 dpp value', '0 margin_pct value']],
      ['across 1', ['1 dpp value', '1 margin_pct value']],
      ['across all', ['dpp', 'margin_pct']],
    ])
  })

  it('have the earlier period beside them; a percentage has no percentage of its own', () => {
    const { definitions } = summaryColumns(answer({ before: {} }), layoutOf('by=customer_code&compare=month'), measures)
    expect(shape(definitions)).toEqual([
      groupColumn,
      ['undefined dpp parts', ['dpp', 'undefined dpp before', 'undefined dpp difference', 'undefined dpp percent']],
      ['undefined margin_pct parts', ['margin_pct', 'undefined margin_pct before', 'undefined margin_pct difference']],
    ])
  })
})

describe('a figure', () => {
  const figure = (part: Figure['part']): Figure => ({ measure: 0, part, field: { ...measure('dpp'), good: 'up' } })
  it.each([
    ['value', '0.00', '0.00', true, undefined],
    ['difference', '1200.50', '+1,200.50', false, 'positive'],
    ['difference', '-3.00', '-3.00', false, 'negative'],
    ['percent', '-35.8', '-35.8 %', false, 'negative'],
    // Below one another their points stand in one line.
    ['percent', '7', '+7.0 %', false, 'positive'],
    ['percent', null, '', false, undefined],
  ] as const)('%s %s reads %s', (part, value, text, isNothing, tone) => {
    expect(figureText(figure(part), value, { currency: null })).toEqual({ text, isNothing, tone })
  })

  it('of another currency says which', () => {
    expect(figureText(figure('value'), '5.00', { currency: 'USD' }).text).toBe('USD 5.00')
  })
})

describe('the address', () => {
  it('takes three groups of different fields, and none that are not offered', () => {
    expect(layoutOf('by=customer_code,nonsense,bill_date:week,bill_date:month,item_code').rows.map(({ key }) => key)).toEqual(['customer_code', 'bill_date:week', 'item_code'])
  })

  it('compares days only with days that have a counterpart', () => {
    expect(layoutOf('by=bill_date:month&compare=month').compare).toBe('month')
    expect(layoutOf('by=bill_date:month&compare=previous').compare).toBeUndefined()
    expect(layoutOf('by=bill_date:week&compare=year').compare).toBeUndefined()
    expect(layoutOf('compare=month')).toMatchObject({ compare: 'month', rows: [{ key: 'customer_code' }] })
  })

  it('leaves out how the report opens by itself', () => {
    const grouped = writeLayout(billing, new URLSearchParams('p=3&s=dpp'), { rows: ['customer_code'] })
    expect(grouped.toString()).toBe('by=customer_code')
    expect(writeLayout(billing, grouped, { rows: [], across: '', compare: '' }).toString()).toBe('')
  })

  it('of the rows behind a figure has its groups as filters, once each, and the period of the figure', () => {
    const query = new URLSearchParams('by=customer_code&compare=month&s=-dpp&doc_type=INV')
    const rows = drillQuery(billing, query, { date_from: '2026-10-01', unknown: 'x' })
    expect(rows.toString()).toBe('doc_type=INV&date_from=2026-10-01')
    const tests = [groupTest({ name: 'customer_code' }, 'C-1')]
    const path = narrowedPath('/report/zdr-bill', rows, tests)
    expect(decodeURIComponent(path)).toBe('/report/zdr-bill?doc_type=INV&date_from=2026-10-01&f.customer_code=eq:"C-1"')
    expect(narrowedPath('/report/zdr-bill', new URLSearchParams(path.split('?')[1]), tests)).toBe(path)
  })
})

describe('the chart', () => {
  it('of single rows is that of the report, of groups it draws the largest', () => {
    expect(chartPlan(billing, layoutOf(''), measures)?.chart).toBe(billing.chart)
    expect(chartPlan(billing, layoutOf('by=customer_code,item_code&across=sales_channel_code'), measures)?.query).toEqual({
      group: 'customer_code', across: 'sales_channel_code', measures: 'dpp', order: 'dpp', sort: 'desc', length: 20,
    })
    expect(chartPlan(billing, layoutOf('by=bill_date:month'), measures)?.query).toEqual({ group: 'bill_date:month', measures: 'dpp', length: 400 })
  })

  it.each([
    // Shares stand for themselves; of amounts side by side the first amount the report has is drawn.
    ['stock-fulfillment.report', 'by=item_code', 'fill_rate'],
    ['ar-aging.report', 'by=customer_code', 'remaining'],
    ['monitoring-coa.report', 'by=account_type', 'opening'],
  ])('%s in groups (%s) is drawn by %s', (id, query, drawn) => {
    const screen = reportOf(id)
    expect(chartPlan(screen, readLayout(screen, new URLSearchParams(query)), screen.measures)?.query['measures']).toBe(drawn)
  })

  const planOf = (id: string, query: string) => {
    const screen = reportOf(id)
    const plan = chartPlan(screen, readLayout(screen, new URLSearchParams(query)), screen.measures)
    return plan === undefined ? undefined : [plan.chart.type, plan.chart.by?.key, plan.chart.series?.key, plan.offered.join(' '), plan.usual]
  }

  it.each([
    // Alone: bars along days may be lines; what stands along no calendar stays as it is.
    ['zdr-bill.report', '', ['bar', 'bill_date:day', undefined, 'bar line', 'bar']],
    ['zdr-bill.report', 'draw=line', ['line', 'bill_date:day', undefined, 'bar line', 'bar']],
    ['stock-fulfillment.report', '', ['line', 'requested_date:day', undefined, 'bar line', 'line']],
    ['payment.report', 'draw=line', ['line', 'payment_date:day', 'method', 'bar line stacked', 'stacked']],
    ['ar-aging.report', '', ['bar', undefined, undefined, 'bar', 'bar']],
    // In groups: lines need days or periods among them, wherever they stand.
    ['zdr-bill.report', 'by=bill_date:month&draw=line', ['line', 'bill_date:month', undefined, 'bar line', 'bar']],
    ['zdr-bill.report', 'by=sales_channel_code&across=bill_date:month&draw=line', ['line', 'bill_date:month', 'sales_channel_code', 'bar line stacked', 'stacked']],
    ['zdr-bill.report', 'by=customer_code&across=bill_date:month&draw=line', ['line', 'bill_date:month', undefined, 'bar line stacked', 'stacked']],
    ['journal.report', 'by=period&draw=line', ['line', 'period', undefined, 'bar line', 'bar']],
    ['zdr-bill.report', 'by=customer_code&draw=line', ['bar', 'customer_code', undefined, 'bar', 'bar']],
    // Stacks need a second group of few values; across they are the usual.
    ['zdr-bill.report', 'by=bill_date:month,territory_code&draw=stacked', ['stacked', 'bill_date:month', 'territory_code', 'bar line stacked', 'bar']],
    ['zdr-bill.report', 'by=customer_code,item_code', ['bar', 'customer_code', undefined, 'bar', 'bar']],
    ['zdr-bill.report', 'by=customer_code&across=sales_channel_code', ['stacked', 'customer_code', 'sales_channel_code', 'bar stacked', 'stacked']],
    ['stock-fulfillment.report', 'by=requested_date:day', ['line', 'requested_date:day', undefined, 'bar line', 'line']],
  ] as const)('%s?%s is drawn as %j', (id, query, expected) => {
    expect(planOf(id, query)).toEqual(expected)
  })

  it('says what it was asked for and is not drawn as', () => {
    const refused = (query: string) => {
      const screen = reportOf('zdr-bill.report')
      return chartPlan(screen, readLayout(screen, new URLSearchParams(query)), screen.measures)?.refused
    }
    expect(['by=customer_code&draw=line', 'by=customer_code,item_code&draw=stacked', 'draw=stacked', 'by=bill_date:month&draw=line', 'by=customer_code'].map(refused)).toEqual(['line', 'stacked', 'stacked', undefined, undefined])
  })

  it('is in the address while it is not the usual one, and goes back to it', () => {
    const lined = writeLayout(billing, new URLSearchParams('by=bill_date:month&s=dpp'), { draw: 'line' })
    expect(lined.toString()).toBe('by=bill_date%3Amonth&s=dpp&draw=line')
    expect(writeLayout(billing, lined, { draw: '' }).toString()).toBe('by=bill_date%3Amonth&s=dpp')
    expect(layoutOf('by=bill_date:month&draw=nonsense').draw).toBeUndefined()
  })
})

describe('what a chart draws leads on as the table does', () => {
  const [by, series, dpp] = [billing.groups.find(({ key }) => key === 'customer_code'), billing.across.find(({ key }) => key === 'sales_channel_code'), billing.chart?.measures[0]]
  if (by === undefined || series === undefined || dpp === undefined) throw new Error('the billing register has customers and channels')
  const cell = (value: string, before?: string) => ({ count: 1, values: [value], ...(before === undefined ? {} : { before: [before] }) })
  const answered = (change: Partial<SummaryAnswer>): SummaryAnswer => ({ across: [], measures: ['dpp'], rows: [{ keys: ['C1'], currency: 'IDR', about: {}, cells: [cell('3.00', '2.00'), cell('1.00'), cell('2.00')] }], totals: [{ keys: [], currency: 'IDR', about: {}, cells: [cell('3.00')] }], subtotals: [], recordsTotal: 1, parameters: {}, ...change })
  const leads = (chart: Chart, answer: SummaryAnswer, compare?: 'month') => {
    const layout = { rows: chart.by === undefined ? [] : [chart.by], ...(chart.series === undefined ? {} : { across: chart.series }), ...(compare === undefined ? {} : { compare }) }
    const placeOf = figurePlaces({ screen: billing, path: '/report/zdr-bill', query: new URLSearchParams('by=item_code&show=chart&s=-dpp'), filters: [{ field: 'territory_code', op: 'eq', value: 'JKT' }], layout, answer })
    return chartModel(chart, answer, placeOf).series.map((one) => one.leads)
  }
  const plain = '/report/zdr-bill?f.territory_code=eq%3A%22JKT%22&f.customer_code=eq%3A%22C1%22'

  it('a bar to the rows of its group, narrowed as the report is', () => {
    expect(leads({ type: 'bar', by, measures: [dpp], horizontal: true }, answered({}))).toEqual([[plain]])
  })

  it('a part to those of its value across, a bar before to those of the earlier period', () => {
    expect(leads({ type: 'stacked', by, series, measures: [dpp], horizontal: true }, answered({ across: ['GT', 'MT'] }))).toEqual(['GT', 'MT'].map((channel) => [`${plain}&f.sales_channel_code=eq%3A%22${channel}%22`]))
    const [, before] = leads({ type: 'bar', by, measures: [dpp], horizontal: true }, answered({ before: { date_from: '2026-09-01', date_to: '2026-09-30' } }), 'month')
    expect(before?.[0]).toContain('date_from=2026-09-01&date_to=2026-09-30')
  })

  it('a measure along the axis to the rows that have some of it', () => {
    const some = '/report/zdr-bill?f.territory_code=eq%3A%22JKT%22&f.dpp=ne%3A%220%22'
    expect(leads({ type: 'bar', measures: [dpp], horizontal: true }, answered({}))).toEqual([[some]])
    const aging = reportOf('ar-aging.report')
    expect([aging, { ...aging, filters: [] }].map((screen) => aging.chart !== undefined && leadsToRows(screen, aging.chart))).toEqual([true, false])
  })

  it('beside what stands across the earlier period is not drawn, and not asked for', () => {
    const planned = (query: string) => chartPlan(billing, layoutOf(query), billing.measures)
    const [across, alone] = [planned('by=customer_code&across=sales_channel_code&compare=month'), planned('by=customer_code&compare=month')]
    expect([across?.isBeforeLeftOut, across?.query['compare']]).toEqual([true, undefined])
    expect([alone?.isBeforeLeftOut, alone?.query['compare']]).toEqual([false, 'month'])
  })
})

describe('along a calendar', () => {
  const modelOf = (grain: Grain, keys: readonly (string | null)[]) => {
    const by = billing.groups.find(({ name }) => name === 'bill_date')
    const dpp = billing.chart?.measures[0]
    if (by === undefined || dpp === undefined) throw new Error('the billing register is grouped by days')
    const rows = keys.map((key, i) => ({ keys: [key], currency: null, about: {}, cells: [{ count: 1, values: [`${i + 1}.00`] }] }))
    return chartModel({ type: 'line', by: { ...by, grain }, measures: [dpp], horizontal: false }, { ...answer({}), rows, totals: [], subtotals: [], recordsTotal: rows.length, measures: ['dpp'], parameters: {} })
  }
  it.each([
    ['day', ['2026-10-30', '2026-11-02'], ['30/10/2026', '31/10/2026', '01/11/2026', '02/11/2026'], [1, 2]],
    ['week', ['2026-10-26', '2026-11-09'], ['Week of 26/10/2026', 'Week of 02/11/2026', 'Week of 09/11/2026'], [1]],
    ['month', ['2025-12', '2026-02'], ['12/2025', '01/2026', '02/2026'], [1]],
    ['quarter', ['2025-Q3', '2026-Q1'], ['Q3 2025', 'Q4 2025', 'Q1 2026'], [1]],
    ['year', ['2024', '2026'], ['2024', '2025', '2026'], [1]],
    ['month', ['2026-01', null], ['01/2026', '(empty)'], []],
  ] as const)('by %s, %j stand as far apart as they are: %j', (grain, keys, places, gaps) => {
    const model = modelOf(grain, keys)
    expect(model.places).toEqual(places)
    expect([...model.gaps]).toEqual(gaps)
    expect(model.series[0]?.values.filter((value) => value !== null)).toEqual(keys.map((_, i) => `${i + 1}.00`))
  })

  it('days keep standing on a phone, names that would run into each other lie down', () => {
    const days = { ...modelOf('day', ['2026-10-01', '2026-10-12']), type: 'bar' as const }
    const names = { ...days, isCalendar: false, places: ['Not due', '1-7 days', '8-14 days', '15-30 days'] }
    expect([fitted(days, true), fitted(names, true), fitted(names, false), fitted({ ...names, places: ['JKT', 'SBY'] }, true)].map(({ horizontal }) => horizontal)).toEqual([false, true, false, false])
  })

  it('a date far away does not stretch the rest to nothing', () => {
    expect(modelOf('day', ['1970-01-01', '2026-11-02']).places).toHaveLength(2)
  })
})

describe('the axis of a chart', () => {
  it.each([[2_250_000_000, '2.25B'], [1_650_000_000, '1.65B'], [750_000_000, '750M'], [0, '0']])('names its steps as they are: %d', (value, text) => {
    expect(compact(value, 'money', 'en')).toBe(text)
  })
})

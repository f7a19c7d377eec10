import { describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import type { SummaryAnswer } from '#api/report.ts'
import { chartPlan } from '#client/report/chartPlan.ts'
import { figureText } from '#client/report/figureText.ts'
import { groupColumn, summaryColumns, type Figure } from '#client/report/summaryColumns.ts'
import { drillQuery, narrowedPath, readLayout, writeLayout } from '#client/pages/reportState.ts'
import { groupTest } from '#domain/reporting/groupTest.ts'
import type { ReportMeasure, ReportScreen } from '#meta/resolved.ts'

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
})

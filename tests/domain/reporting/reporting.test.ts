import { describe, expect, it } from 'vitest'
import { difference } from '#domain/reporting/difference.ts'
import { groupTest } from '#domain/reporting/groupTest.ts'
import { figureColumns, figureOf, summaryTree, type FigureColumn, type GroupRow, type TreeRow } from '#domain/reporting/summaryTable.ts'
import { toneOf } from '#domain/reporting/toneOf.ts'
import { dayOf, earlierDay, earlierPeriod, grainRange } from '#meta/day.ts'

describe('an earlier period', () => {
  it.each([
    ['previous', '2026-11-14', '2026-11-20', '2026-11-07', '2026-11-13'],
    ['previous', '2026-11-01', '2026-11-30', '2026-10-01', '2026-10-31'],
    ['previous', '2026-01-01', '2026-03-31', '2025-10-01', '2025-12-31'],
    ['month', '2026-11-01', '2026-11-20', '2026-10-01', '2026-10-20'],
    ['month', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
    ['month', '2026-03-31', '2026-03-31', '2026-02-28', '2026-02-28'],
    ['month', '2026-09-30', '2026-09-30', '2026-08-31', '2026-08-31'],
    ['month', '2026-08-15', '2026-09-30', '2026-07-15', '2026-08-31'],
    ['month', '2026-09-15', '2026-09-29', '2026-08-15', '2026-08-29'],
    ['quarter', '2026-01-10', '2026-06-30', '2025-10-10', '2026-03-31'],
    ['year', '2025-01-15', '2025-02-28', '2024-01-15', '2024-02-29'],
    ['quarter', '2026-11-01', '2026-11-20', '2026-08-01', '2026-08-20'],
    ['year', '2026-11-01', '2026-11-20', '2025-11-01', '2025-11-20'],
  ] as const)('%s of %s to %s is %s to %s', (comparison, from, to, earlierFrom, earlierTo) => {
    expect(earlierPeriod(comparison, from, to)).toEqual({ from: earlierFrom, to: earlierTo })
  })

  it('of a day on which things are looked at', () => {
    expect([earlierDay('previous', '2026-03-01'), earlierDay('month', '2026-03-31'), earlierDay('year', '2024-02-29')]).toEqual(['2026-02-28', '2026-02-28', '2023-02-28'])
    // The books are closed at the end of a month: its end is compared with ends of months, however long they are.
    expect([earlierDay('month', '2026-09-30'), earlierDay('quarter', '2026-06-30'), earlierDay('year', '2025-02-28'), earlierDay('month', '2026-09-29')]).toEqual(['2026-08-31', '2026-03-31', '2024-02-29', '2026-08-29'])
  })

  it('and days have names', () => {
    const named = (['date', 'yesterday', 'week-ago', 'month-ago', 'year-ago', 'week-start', 'month-start', 'quarter-start', 'year-start', 'last-month-start', 'last-month-end'] as const).map((day) => dayOf(day, '2026-11-20'))
    expect(named).toEqual(['2026-11-20', '2026-11-19', '2026-11-14', '2026-10-20', '2025-11-20', '2026-11-16', '2026-11-01', '2026-10-01', '2026-01-01', '2026-10-01', '2026-10-31'])
  })

  it('and a grouped date has a first and a last day', () => {
    expect([grainRange('week', '2026-11-16'), grainRange('month', '2026-02'), grainRange('quarter', '2026-Q4'), grainRange('year', '2026')]).toEqual([
      { from: '2026-11-16', to: '2026-11-22' }, { from: '2026-02-01', to: '2026-02-28' }, { from: '2026-10-01', to: '2026-12-31' }, { from: '2026-01-01', to: '2026-12-31' },
    ])
  })
})

describe('a difference', () => {
  it.each([
    ['120.00', '100.00', { amount: '20.00', percent: '20.0' }],
    ['80.00', '100.00', { amount: '-20.00', percent: '-20.0' }],
    ['-50', '-100', { amount: '50', percent: '50.0' }],
    ['5', '0', { amount: '5', percent: null }],
    [null, '5', null],
    ['5', null, null],
  ])('of %s from %s is %j', (value, before, expected) => {
    expect(difference(value, before)).toEqual(expected)
  })
})

describe('the look of a figure', () => {
  it('is that of the first limits it lies within', () => {
    const tones = [{ tone: 'negative', lt: '85' }, { tone: 'warning', lt: '95' }] as const
    expect(['84.9', '85', '95', null].map((value) => toneOf(tones, value))).toEqual(['negative', 'warning', 'neutral', 'neutral'])
  })
})

describe('a grouped table', () => {
  const row = (keys: readonly string[], value: string, before: string, first: string, currency: string | null = null): GroupRow => ({ keys, currency, about: {}, cells: [{ values: [value], before: [before] }, { values: [first] }] })
  const grouped = {
    rows: [row(['N', 'a'], '10', '5', '4'), row(['N', 'b'], '20', '40', '6'), row(['S', 'c'], '7', '7', '7')],
    subtotals: [row(['N'], '30', '45', '10'), row(['S'], '7', '7', '7')],
  }
  const shape = (tree: readonly TreeRow[]): unknown => tree.map(({ row: { keys, cells }, children }) => [keys.join(), cells[0]?.values[0], ...(children.length === 0 ? [] : [shape(children)])])

  it('has its groups within their outer groups, which carry the sub-totals', () => {
    expect(shape(summaryTree(grouped))).toEqual([['N', '30', [['N,a', '10'], ['N,b', '20']]], ['S', '7', [['S,c', '7']]]])
  })

  it('of one group has no outer ones, and without groups there is nothing above the total', () => {
    expect(shape(summaryTree({ rows: grouped.subtotals, subtotals: [] }))).toEqual([['N', '30'], ['S', '7']])
    expect(summaryTree({ rows: [], subtotals: [] })).toEqual([])
  })

  it('sets the earlier period, the difference and its percentage beside each measure, the whole after what stands across', () => {
    const figures = (columns: readonly FigureColumn[]) => grouped.rows.map((one) => columns.map((column) => figureOf(one, column)))
    expect(figures(figureColumns(0, 1, true))).toEqual([['10', '5', '5', '100.0'], ['20', '40', '-20', '-50.0'], ['7', '7', '0', '0.0']])
    expect(figures(figureColumns(1, 1, false))).toEqual([['4', '10'], ['6', '20'], ['7', '7']])
  })

  it('keeps currencies apart', () => {
    const two = { rows: [row(['N', 'a'], '1', '1', '1', 'IDR'), row(['N', 'a'], '2', '2', '2', 'USD')], subtotals: [row(['N'], '1', '1', '1', 'IDR'), row(['N'], '2', '2', '2', 'USD')] }
    const tree = summaryTree(two)
    expect(shape(tree)).toEqual([['N', '1', [['N,a', '1']]], ['N', '2', [['N,a', '2']]]])
    expect(new Set(tree.map(({ id }) => id)).size).toBe(2)
  })
})

describe('the rows behind a group', () => {
  it('are those of its value, of its days, or without one', () => {
    expect(groupTest({ name: 'customer_code' }, 'C-1')).toEqual({ field: 'customer_code', op: 'eq', value: 'C-1' })
    expect(groupTest({ name: 'bill_date', grain: 'month' }, '2026-02')).toEqual({ field: 'bill_date', op: 'between', value: ['2026-02-01', '2026-02-28'] })
    expect(groupTest({ name: 'bill_date', grain: 'month' }, '2025-02', 12)).toEqual({ field: 'bill_date', op: 'between', value: ['2024-02-01', '2024-02-29'] })
    expect(groupTest({ name: 'bill_date', grain: 'day' }, '2026-03-31', 1)).toEqual({ field: 'bill_date', op: 'between', value: ['2026-02-28', '2026-02-28'] })
    expect(groupTest({ name: 'bill_date', grain: 'month' }, null)).toEqual({ field: 'bill_date', op: 'empty', value: true })
  })
})

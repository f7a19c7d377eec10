import { describe, expect, it } from 'vitest'
import { instantOf, localMoment, parseTime } from '#client/form/widgets/moment.ts'
import { monthAfter, monthOf, monthValue, parseMonth, shownMonth } from '#client/form/widgets/month.ts'
import { columnsOf, groupsOf, inColumns, isAnyBelowOn, type TickItem } from '#client/form/widgets/ticks.ts'
import { flat, matching, treeOf } from '#client/form/widgets/tree.ts'

describe('months', () => {
  it.each([['6/2025', '2025-06-01'], ['06-25', '2025-06-01'], ['062025', '2025-06-01'], ['6', '2026-06-01'], ['2025-6', '2025-06-01'], ['2025/06', '2025-06-01'], ['2025年6月', '2025-06-01'], ['202506', '2025-06-01'], ['202513', undefined], ['', null], ['13/2025', undefined], ['June', undefined], ['1/2025/3', undefined], ['12/2199', '2199-12-01'], ['12/9999', undefined], ['1/1899', undefined]])('%s is %s', (typed, month) => {
    expect(parseMonth(typed, '2026-03-09')).toBe(month)
  })

  it('travel as a period or as their first day, and are shown alike', () => {
    expect([monthValue('2025-06-01', 'period'), monthValue('2025-06-01', 'date')]).toEqual(['202506', '2025-06-01'])
    expect([monthOf('202506'), monthOf('2025-06-17'), monthOf('20256'), shownMonth('2025-06-01'), monthAfter('2025-12-01', 1)]).toEqual(['2025-06-01', '2025-06-01', undefined, '06/2025', '2026-01-01'])
    // At the ends of what is kept they stay.
    expect([monthAfter('2199-12-01', 1), monthAfter('1900-01-01', -1)]).toEqual(['2199-12-01', '1900-01-01'])
  })
})

describe('moments', () => {
  it('go to the day and time where the business is and back', () => {
    const moment = localMoment('2025-06-10T20:30:00.000Z')
    expect(moment).toEqual({ day: '2025-06-11', time: '03:30' })
    expect(instantOf(moment)).toBe('2025-06-10T20:30:00.000Z')
    expect([localMoment(null), localMoment('nonsense')]).toEqual([{ day: '', time: '' }, { day: '', time: '' }])
  })

  it.each([['9', '09:00'], ['930', '09:30'], ['0930', '09:30'], ['9.30', '09:30'], ['23:59', '23:59'], ['24:00', undefined], ['', '']])('%s is %s', (typed, time) => {
    expect(parseTime(typed)).toBe(time)
  })
})

describe('a tree', () => {
  const build = (rows: readonly (readonly [id: number, parent: number | null])[]) => treeOf(rows, ([id]) => id, ([, parent]) => parent)

  it('puts records under their parents, strays and rings at the top, and loses none', () => {
    const rows = [[1, null], [2, 1], [3, 2], [4, 99], [5, 6], [6, 5], [7, 5]] as const
    const tree = build(rows)
    expect(tree.map(({ item: [id], children }) => [id, flat(children).map(([child]) => child)])).toEqual([[1, [2, 3]], [4, []], [5, [7]], [6, []]])
    expect(flat(tree)).toHaveLength(rows.length)
  })

  it('keeps the way to what is searched, and all below it', () => {
    const tree = build([[1, null], [2, 1], [3, 2], [4, 1]])
    expect(flat(matching(tree, ([id]) => id === 2)).map(([id]) => id)).toEqual([1, 2, 3])
  })
})

describe('ticks', () => {
  const item = (id: number, group: string, parent: number | null = null): TickItem => ({ id, key: id, code: String(id), text: String(id), group, parent })

  it('stand in groups by name', () => {
    expect(groupsOf([item(1, 'b'), item(2, 'a'), item(3, 'b')]).map(({ group, items }) => [group, items.map(({ id }) => id)])).toEqual([['a', [2]], ['b', [1, 3]]])
  })

  it('stand in columns where most groups have them, most frequent first, the rest after them', () => {
    const named = (id: number, group: string, text: string): TickItem => ({ ...item(id, group), text })
    const items = [named(1, 'a', 'Create'), named(2, 'a', 'View'), named(3, 'b', 'Run'), named(4, 'b', 'View'), named(5, 'c', 'Create'), named(6, 'c', 'View'), named(7, 'd', 'View')]
    const columns = columnsOf(items)
    expect(columns).toEqual(['View', 'Create'])
    const texts = (group: string) => inColumns(items.filter((one) => one.group === group), columns).map((one) => one?.text)
    expect([texts('a'), texts('b'), texts('d')]).toEqual([['View', 'Create'], ['View', undefined, 'Run'], ['View']])
  })

  it('leave a parent on as long as anything under it is', () => {
    const [top] = treeOf([item(1, ''), item(2, '', 1), item(3, '', 1)], ({ id }) => id, ({ parent }) => parent)
    if (top === undefined) throw new Error('no tree')
    expect([isAnyBelowOn(top, new Set([2]), false, new Set([1, 2, 3])), isAnyBelowOn(top, new Set([2]), false, new Set([1, 2])), isAnyBelowOn(top, new Set([2]), true, new Set())]).toEqual([true, false, true])
  })
})

import { describe, expect, test } from 'vitest'
import { emptyRow, type Rows } from '../../src/client/grid/gridModel.ts'
import { changed, inOrder, inRhythm, onDay, rowsOn, weeksOf } from '../../src/client/slots/visitMonth.ts'

const anchor = '2025-12-29'
const rows: Rows = [
  emptyRow('x', { CustomerID: 1, Pattern: 'BIWEEKLY', Weekday: 'WED', WeekNo: '1', Seq: '2' }),
  emptyRow('y', { CustomerID: 2, Pattern: 'MONTHLY', Weekday: 'FRI', WeekNo: '5' }),
  emptyRow('z', { CustomerID: 3, Pattern: 'WEEKLY', Weekday: 'WED', WeekNo: null, Seq: '1' }),
  emptyRow('new'),
]
const keysOn = (day: string, of: Rows = rows): readonly string[] => rowsOn(of, day, anchor).map(({ key }) => key)

describe('the calendar of a plan', () => {
  test('has the weeks of the month from Monday', () => {
    const weeks = weeksOf('202601')
    expect(weeks).toHaveLength(5)
    expect(weeks[0]).toEqual([undefined, undefined, undefined, '2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'])
    expect(weeks[4]?.[5]).toBe('2026-01-31')
  })

  test('shows a customer on each of his days, in the order of the day', () => {
    expect(keysOn('2026-01-14')).toEqual(['z', 'x'])
    expect(keysOn('2026-01-07')).toEqual(['z'])
    expect(keysOn('2026-01-30')).toEqual(['y'])
  })

  test('puts a customer on a day in his rhythm', () => {
    expect(onDay('BIWEEKLY', '2026-01-09', anchor)).toEqual({ Pattern: 'BIWEEKLY', Weekday: 'FRI', WeekNo: 2 })
    expect(onDay('MONTHLY', '2026-01-30', anchor)).toEqual({ Pattern: 'MONTHLY', Weekday: 'FRI', WeekNo: 5 })
    expect(onDay('WEEKLY', '2026-01-30', anchor)).toEqual({ Pattern: 'WEEKLY', Weekday: 'FRI', WeekNo: null })
    const moved = changed(rows, 'x', onDay('BIWEEKLY', '2026-01-09', anchor))
    expect(keysOn('2026-01-14', moved)).toEqual(['z'])
    expect(keysOn('2026-01-23', moved)).toEqual(['x'])
  })

  test('another rhythm keeps the customer on the day on view', () => {
    expect(inRhythm('MONTHLY', '2026-01-28', anchor)).toEqual({ Pattern: 'MONTHLY', WeekNo: 4 })
    expect(inRhythm('WEEKLY', '2026-01-28', anchor)).toEqual({ Pattern: 'WEEKLY', WeekNo: null })
  })

  test('numbers the day anew when somebody goes up or down, and stops at its ends', () => {
    const after = inOrder(rows, 'x', '2026-01-14', anchor, -1)
    expect(keysOn('2026-01-14', after)).toEqual(['x', 'z'])
    expect(after.map(({ values }) => values['Seq'])).toEqual(['1', undefined, '2', undefined])
    expect(inOrder(after, 'x', '2026-01-14', anchor, -1)).toBe(after)
  })
})

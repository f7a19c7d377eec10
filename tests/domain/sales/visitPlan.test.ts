import { describe, expect, test } from 'vitest'
import { metresBetween } from '#domain/sales/distance.ts'
import { isVisitDay, mondayOf, visitDays, weekNumberOf, type VisitRhythm } from '#domain/sales/visitPlan.ts'

describe('days of a visit plan', () => {
  const anchor = mondayOf('2026-01-01')
  const days = (rhythm: VisitRhythm, ...periods: string[]): readonly string[] => periods.flatMap((period) => visitDays(rhythm, period, anchor))

  test('case SF1: every second Wednesday from the anchor goes on over the end of the month', () => {
    expect(anchor).toBe('2025-12-29')
    expect(days({ pattern: 'BIWEEKLY', weekday: 'WED', weekNo: 1 }, '202601', '202602')).toEqual(['2026-01-14', '2026-01-28', '2026-02-11', '2026-02-25'])
  })

  test('case SF1: the fifth Friday of a month is its last', () => {
    expect(days({ pattern: 'MONTHLY', weekday: 'FRI', weekNo: 5 }, '202601', '202602')).toEqual(['2026-01-30', '2026-02-27'])
  })

  test('case SF1: every Thursday', () => {
    expect(days({ pattern: 'WEEKLY', weekday: 'THU', weekNo: null }, '202601')).toEqual(['2026-01-01', '2026-01-08', '2026-01-15', '2026-01-22', '2026-01-29'])
  })

  test('case SF1: the week between is no week of the plan', () => {
    const rhythm = { pattern: 'BIWEEKLY', weekday: 'WED', weekNo: 1 } as const
    expect(isVisitDay(rhythm, '2026-01-07', anchor)).toBe(false)
    expect(isVisitDay({ ...rhythm, weekNo: 2 }, '2026-01-07', anchor)).toBe(true)
  })

  test('2026 has 53 weeks: every second week stays fourteen days apart into 2027', () => {
    expect(days({ pattern: 'BIWEEKLY', weekday: 'WED', weekNo: 1 }, '202612', '202701')).toEqual(['2026-12-02', '2026-12-16', '2026-12-30', '2027-01-13', '2027-01-27'])
  })

  test('before the anchor it is counted back', () => {
    expect(isVisitDay({ pattern: 'BIWEEKLY', weekday: 'MON', weekNo: 2 }, '2025-12-22', anchor)).toBe(true)
    expect(isVisitDay({ pattern: 'BIWEEKLY', weekday: 'MON', weekNo: 1 }, '2025-12-15', anchor)).toBe(true)
  })

  test('the nth weekday of the month, not of the calendar week', () => {
    expect(days({ pattern: 'MONTHLY', weekday: 'MON', weekNo: 1 }, '202601')).toEqual(['2026-01-05'])
    expect(days({ pattern: 'MONTHLY', weekday: 'THU', weekNo: 1 }, '202601')).toEqual(['2026-01-01'])
    expect(days({ pattern: 'MONTHLY', weekday: 'THU', weekNo: 4 }, '202601')).toEqual(['2026-01-22'])
    expect(days({ pattern: 'MONTHLY', weekday: 'FRI', weekNo: 4 }, '202602')).toEqual(['2026-02-27'])
  })

  test('a customer put on a day is of the week of that day', () => {
    expect(weekNumberOf('BIWEEKLY', '2026-01-14', anchor)).toBe(1)
    expect(weekNumberOf('BIWEEKLY', '2026-01-07', anchor)).toBe(2)
    expect(weekNumberOf('MONTHLY', '2026-01-30', anchor)).toBe(5)
    expect(weekNumberOf('MONTHLY', '2026-02-27', anchor)).toBe(4)
    expect(weekNumberOf('WEEKLY', '2026-01-30', anchor)).toBeNull()
  })
})

describe('metres between two places', () => {
  test('a degree on the equator is 111,195 m, and nothing is between a place and itself', () => {
    expect(metresBetween({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 1 })).toBe(111_195)
    expect(metresBetween({ latitude: -6.2, longitude: 106.8 }, { latitude: -6.2, longitude: 106.8 })).toBe(0)
    expect(metresBetween({ latitude: -6.175392, longitude: 106.827153 }, { latitude: -6.175392, longitude: 106.828153 })).toBe(111)
    expect(metresBetween({ latitude: 0, longitude: 180 }, { latitude: 0, longitude: -180 })).toBe(0)
  })
})

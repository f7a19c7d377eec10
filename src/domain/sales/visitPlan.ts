import { addDays, daysBetween, endOfMonth, type DateText } from '#base/date.ts'

export const visitPatterns = ['WEEKLY', 'BIWEEKLY', 'MONTHLY'] as const
export type VisitPattern = (typeof visitPatterns)[number]

export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
export type Weekday = (typeof weekdays)[number]

/** When a customer is to be visited. */
export interface VisitRhythm {
  readonly pattern: VisitPattern
  readonly weekday: Weekday
  /** BIWEEKLY: 1 the week of the anchor, 2 the one after. MONTHLY: the first to fourth such weekday of the month, 5 the last. */
  readonly weekNo: number | null
}

/** 0 Monday … 6 Sunday. */
export function weekdayNumber(day: DateText): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}

export function weekdayOf(day: DateText): Weekday {
  return weekdays[weekdayNumber(day)] ?? 'MON'
}

/** Monday of the week a day lies in. */
export function mondayOf(day: DateText): DateText {
  return addDays(day, -weekdayNumber(day))
}

export function firstOfPeriod(period: string): DateText {
  return `${period.slice(0, 4)}-${period.slice(4, 6)}-01`
}

/** Days of an accounting period. */
export function daysOfPeriod(period: string): readonly DateText[] {
  const first = firstOfPeriod(period)
  return Array.from({ length: daysBetween(first, endOfMonth(first)) + 1 }, (_, n) => addDays(first, n))
}

/** Is a visit due on the day? Every second week is counted from the anchor, a Monday, so that it goes on over months and years. */
export function isVisitDay({ pattern, weekday, weekNo }: VisitRhythm, day: DateText, anchor: DateText): boolean {
  if (weekdayOf(day) !== weekday) return false
  switch (pattern) {
    case 'WEEKLY':
      return true
    case 'BIWEEKLY': {
      const weeks = daysBetween(anchor, mondayOf(day)) / 7
      return (((weeks % 2) + 2) % 2) + 1 === weekNo
    }
    case 'MONTHLY':
      return weekNo === 5 ? addDays(day, 7) > endOfMonth(day) : Math.ceil(Number(day.slice(8)) / 7) === weekNo
  }
}

/** Days of a period on which a visit is due. */
export function visitDays(rhythm: VisitRhythm, period: string, anchor: DateText): readonly DateText[] {
  return daysOfPeriod(period).filter((day) => isVisitDay(rhythm, day, anchor))
}

/** Week numbers a pattern knows; none: every week. */
export function weekNumbers(pattern: VisitPattern): readonly number[] {
  return pattern === 'WEEKLY' ? [] : pattern === 'BIWEEKLY' ? [1, 2] : [1, 2, 3, 4, 5]
}

/** Number of the week of a day as the pattern counts it, which is where a customer put on that day is visited. */
export function weekNumberOf(pattern: VisitPattern, day: DateText, anchor: DateText): number | null {
  return weekNumbers(pattern).find((weekNo) => isVisitDay({ pattern, weekday: weekdayOf(day), weekNo }, day, anchor)) ?? null
}

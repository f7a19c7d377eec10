import type { ScheduleTime } from '#api/schedule.ts'
import { addDays, addMonths, endOfMonth, type DateText } from '#base/date.ts'
import { LocalTime } from '#server/export/localTime.ts'

/** The first moment after `after` at which the wall clock of the zone shows what the schedule says. A time that a change of clocks leaves out comes an hour later. */
export function nextTime(schedule: ScheduleTime, after: Date): Date {
  const time = new LocalTime(schedule.Zone)
  const today = time.text(after.toISOString()).slice(0, 10)
  for (const day of daysFrom(schedule, today)) {
    const moment = instantOf(time, day, schedule.At)
    if (moment.getTime() > after.getTime()) return moment
  }
  throw new Error('A schedule without a next time')
}

/** The next days the schedule names, today among them. */
function daysFrom({ Every: every, Weekdays: weekdays, MonthDay: monthDay }: ScheduleTime, today: DateText): readonly DateText[] {
  if (every === 'MONTH') {
    const first = `${today.slice(0, 7)}-01`
    return [0, 1, 2].map((months) => {
      const month = addMonths(first, months)
      const last = endOfMonth(month)
      return Number(last.slice(8)) < monthDay ? last : `${month.slice(0, 8)}${String(monthDay).padStart(2, '0')}`
    })
  }
  const days = Array.from({ length: 9 }, (_, i) => addDays(today, i))
  return every === 'DAY' ? days : days.filter((day) => weekdays.includes(weekdayOf(day)))
}

function weekdayOf(day: DateText): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

function instantOf(time: LocalTime, day: DateText, at: string): Date {
  const wall = Date.parse(`${day}T${at}:00Z`)
  const offsetAt = (instant: number): number => (time.wallClock(new Date(instant).toISOString()) ?? instant) - instant
  // The offset there is the one that holds at the moment looked for, which is off by at most a change of clocks.
  const first = wall - offsetAt(wall)
  return new Date(wall - offsetAt(first))
}

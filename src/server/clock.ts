import type { DateText } from '#base/date.ts'
import type { Clock } from '#server/context.ts'

const jakarta = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta', year: 'numeric', month: '2-digit', day: '2-digit' })

/** The business day of a moment. */
export function dayAt(moment: Date): DateText {
  return jakarta.format(moment)
}

/** The time of this computer; business days are those of Jakarta. */
export const systemClock: Clock = clockOf(() => new Date())

const quarterHourMs = 900_000

/** A clock that reads `now`; tests move it. */
export function clockOf(now: () => Date): Clock {
  // Days begin on a quarter of an hour, wherever; formatting a date costs as much as a small query.
  let known = { quarter: Number.NaN, day: '' }
  return {
    now,
    today: () => {
      const at = now()
      const quarter = Math.floor(at.getTime() / quarterHourMs)
      if (quarter !== known.quarter) known = { quarter, day: jakarta.format(at) }
      return known.day
    },
  }
}

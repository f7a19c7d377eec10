import type { Clock } from '#server/context.ts'

const jakarta = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jakarta', year: 'numeric', month: '2-digit', day: '2-digit' })

/** The time of this computer; business days are those of Jakarta. */
export const systemClock: Clock = clockOf(() => new Date())

/** A clock that reads `now`; tests move it. */
export function clockOf(now: () => Date): Clock {
  return { now, today: () => jakarta.format(now()) }
}

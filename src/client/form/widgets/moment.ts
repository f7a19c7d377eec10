import { aheadMs } from '#base/businessZone.ts'
import { halfWidth } from '#base/unseen.ts'

/** A moment as its day and time where the business is, and back. */

export interface LocalMoment {
  /** ISO day or ''. */
  readonly day: string
  /** HH:MM or ''. */
  readonly time: string
}

export function localMoment(value: unknown): LocalMoment {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) return { day: '', time: '' }
  const there = new Date(at + aheadMs).toISOString()
  return { day: there.slice(0, 10), time: there.slice(11, 16) }
}

/** The moment in UTC as it travels; without a time the beginning of the day. */
export function instantOf({ day, time }: LocalMoment): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const [hours = 0, minutes = 0] = time === '' ? [] : time.split(':').map(Number)
  return new Date(Date.UTC(year, month - 1, date, hours, minutes) - aheadMs).toISOString()
}

/** HH:MM of `9`, `930`, `9.30`, `09:30`; '' for nothing, undefined when it is no time of day. */
export function parseTime(typed: string): string | undefined {
  const bare = halfWidth(typed.trim())
  if (bare === '') return ''
  const match = /^(\d{1,2})(?:[:. ]?(\d{2}))?$/.exec(bare)
  const [hours, minutes] = [Number(match?.[1]), Number(match?.[2] ?? 0)]
  if (match === null || hours > 23 || minutes > 59) return undefined
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}

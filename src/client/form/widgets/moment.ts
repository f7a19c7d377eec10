import { aheadMs } from '#base/businessZone.ts'
import { halfWidth } from '#base/unseen.ts'
import { utc } from '../utc.ts'

/** A moment as its day and time where the business is, and back. */

export interface LocalMoment {
  /** ISO day or ''. */
  readonly day: string
  /** HH:MM or ''. */
  readonly time: string
}

export function localMoment(value: unknown): LocalMoment {
  const there = typeof value === 'string' && value !== '' ? utc(value).add(aheadMs, 'millisecond') : undefined
  return there?.isValid() === true ? { day: there.format('YYYY-MM-DD'), time: there.format('HH:mm') } : { day: '', time: '' }
}

/** The moment in UTC as it travels; without a time the beginning of the day. */
export function instantOf({ day, time }: LocalMoment): string {
  return utc(`${day}T${time === '' ? '00:00' : time}`).subtract(aheadMs, 'millisecond').toISOString()
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

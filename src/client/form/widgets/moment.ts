import { halfWidth } from '#base/unseen.ts'

/** A moment as its local day and time and back. */

export interface LocalMoment {
  /** ISO day or ''. */
  readonly day: string
  /** HH:MM or ''. */
  readonly time: string
}

export function localMoment(value: unknown): LocalMoment {
  const at = typeof value === 'string' && value !== '' ? new Date(value) : undefined
  if (at === undefined || Number.isNaN(at.getTime())) return { day: '', time: '' }
  const two = (number: number) => String(number).padStart(2, '0')
  return { day: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`, time: `${two(at.getHours())}:${two(at.getMinutes())}` }
}

/** The moment in UTC as it travels; without a time the beginning of the day. */
export function instantOf({ day, time }: LocalMoment): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const [hours = 0, minutes = 0] = time === '' ? [] : time.split(':').map(Number)
  return new Date(year, month - 1, date, hours, minutes).toISOString()
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

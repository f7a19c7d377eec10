import { aheadMs } from '#base/businessZone.ts'
import { formatTime } from './format.ts'
import { t } from './messages.ts'

/** A moment inside a sentence: 31/01/2025 14:05:09, and whose clock that is where this computer's clock shows another time. */
export function saidTime(at: unknown): string {
  return inZone(formatTime(at), at)
}

/** Day and minute inside a sentence: 31/01/2025 14:05. */
export function saidMinute(at: unknown): string {
  return inZone(formatTime(at).slice(0, 16), at)
}

/** Today's time of day inside a sentence: 14:05. */
export function saidClock(at: unknown): string {
  return inZone(formatTime(at).slice(11, 16), at)
}

/** A time of day as the business tells it, inside a sentence. `at`: a moment it is meant for, by which the two clocks are compared. */
export function inZone(time: string, at: unknown): string {
  return time === '' || isHere(at) ? time : t('ui.moment.said', { time })
}

/** Said beside a moment that stands alone; nothing where both clocks show the same. */
export function zoneNote(at: unknown): string | undefined {
  return isHere(at) ? undefined : t('ui.moment.zone')
}

function isHere(at: unknown): boolean {
  return new Date(typeof at === 'string' && at !== '' ? at : Date.now()).getTimezoneOffset() * -60_000 === aheadMs
}

import dayjs, { type Dayjs } from 'dayjs'
import plugin from 'dayjs/plugin/utc.js'

dayjs.extend(plugin)

/** A day, or a moment, to reckon with: this computer's own zone has no part in it. Comes with what needs it, not with every form. */
export function utc(at: string): Dayjs {
  return dayjs.utc(at)
}

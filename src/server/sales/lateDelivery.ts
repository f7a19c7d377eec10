import { dayText, isDate, type DateText } from '#base/date.ts'
import { tell } from '#server/sentences.ts'

export const lateCode = 'REQUESTED_PAST'

/** Nobody can deliver before the order is there: most likely a slip of the hand, or a draft that was left lying. */
export function isLate(requested: unknown, docDate: DateText): requested is DateText {
  return isDate(requested) && requested < docDate
}

export function lateDelivery(requested: DateText) {
  return tell('warning.requested-past', { day: dayText(requested) })
}

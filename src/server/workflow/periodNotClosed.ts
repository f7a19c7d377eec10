import type { Precondition } from '#server/context.ts'
import { bookedIn } from './bookedIn.ts'
import { bookingDate, bookingField } from './bookingDate.ts'
import { numberOf } from './newDocument.ts'
import { assertPeriodNotClosed, toldAt } from './periods.ts'

/** Nobody is asked to approve what could not be posted any more. */
export const periodNotClosed: Precondition = async ({ tx, record, entity, metadata }) => {
  await toldAt(bookingField(record), assertPeriodNotClosed(tx, bookedIn(metadata, entity.id), numberOf(record, 'operating_unit_id'), bookingDate(record)))
}

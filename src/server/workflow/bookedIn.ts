import type { Metadata } from '#meta/metadata.ts'
import type { PeriodModule } from '#meta/resolved.ts'

/** Modules a document is booked in when it is posted, and again when it is reversed, as its workflow says. */
export function bookedIn(metadata: Metadata, entity: string): readonly PeriodModule[] {
  const books = metadata.workflows[entity]?.books
  if (books === undefined) throw new Error(`Nobody has said where ${entity} is booked`)
  return books.modules
}

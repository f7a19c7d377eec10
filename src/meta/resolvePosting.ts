import type { PostingSource } from '#generated/language.ts'
import type { ResolvedPosting } from '#meta/resolved.ts'
import type { Source } from '#meta/sources.ts'

/** The events of one file, one rule each. */
export function resolvePostings({ value }: Source<PostingSource>): readonly ResolvedPosting[] {
  const events = 'events' in value ? value.events : [value]
  return events.map(({ event, journalType, lines }) => ({ kind: 'posting', event, journalType, lines }))
}

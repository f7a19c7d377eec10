import type { PostingEventSource, PostingSource } from '#generated/language.ts'
import { resolveCondition } from '#meta/resolveCondition.ts'
import type { ResolvedPosting } from '#meta/resolved.ts'
import { type Source, SourceError } from '#meta/sources.ts'

/** The events of one file, one rule each; one that is like another has that one's lines, with other accounts. */
export function resolvePostings({ value }: Source<PostingSource>): readonly ResolvedPosting[] {
  return value.events.map((event, i) => {
    const { journalType, lines = [], amounts } = whole(event, value.events, i)
    if (lines.length === 0 || journalType === undefined) throw new SourceError(`The event "${event.event}" has no lines`, ['events', i])
    return { kind: 'posting', event: event.event, journalType, ...(event.readBy === undefined ? {} : { readBy: event.readBy }), ...(event.inBooks === true ? { inBooks: true as const } : {}), ...(event.zero === undefined ? {} : { zero: event.zero }), lines, ...(amounts === undefined ? {} : { amounts }) }
  })
}

function whole(event: PostingEventSource, events: readonly PostingEventSource[], at: number): Partial<Pick<ResolvedPosting, 'lines' | 'amounts'>> & { journalType?: string } {
  if (event.like === undefined) return parts(event.journalType, event.lines, event.amounts)
  const other = events.find((candidate) => candidate.event === event.like)
  if (other === undefined || other.like !== undefined) throw new SourceError(`No event "${event.like}" with lines of its own stands in this file`, ['events', at, 'like'])
  const { accounts = {} } = event
  const unknown = Object.keys(accounts).find((key) => other.lines?.every(({ amount }) => amount !== key))
  if (unknown !== undefined) throw new SourceError(`${event.like} has no amount "${unknown}"`, ['events', at, 'accounts', unknown])
  return parts(event.journalType ?? other.journalType, other.lines?.map((line) => ({ ...line, account: accounts[line.amount] ?? line.account })), event.amounts ?? other.amounts)
}

function parts(journalType: string | undefined, lines: ResolvedPosting['lines'] | undefined, amounts: PostingEventSource['amounts']): ReturnType<typeof whole> {
  return { ...(journalType === undefined ? {} : { journalType }), ...(lines === undefined ? {} : { lines }), ...(amounts === undefined ? {} : { amounts: Object.fromEntries(Object.entries(amounts).map(([key, { when, ...amount }]) => [key, { ...amount, ...(when === undefined ? {} : { when: resolveCondition(when, {}) }) }])) }) }
}

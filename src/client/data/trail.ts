import type { ListQuery } from '#api/data.ts'
import { afterPaint } from './afterPaint.ts'
import { keep, readKept } from './kept.ts'

/** The list a record was opened from: where it is, and what it asks for. Kept for this window, so that a reload does not lose it. */
export interface Trail {
  readonly path: string
  readonly query: Pick<ListQuery, 'search' | 'filter' | 'order' | 'sort' | 'columns'>
  /** Records of the list that have been looked at: their neighbours are shown also when they have left it since. */
  readonly seen: readonly number[]
}

const key = (resource: string): string => `trail.${resource}`
const mostSeen = 200

/** What is to be kept once its list has been drawn. */
const waiting = new Map<string, Trail>()

/** Remembers the list as it stands, for the records opened from it. */
export function keepTrail(resource: string, { search, filter, order, sort, columns }: ListQuery): void {
  const { pathname, search: address } = window.location
  const trail: Trail = { path: pathname + address, query: { search, filter, order, sort, columns } as Trail['query'], seen: [] }
  waiting.set(resource, trail)
  // The store of the window costs a page its first moments; the list is seen before it is left.
  afterPaint(() => {
    if (waiting.get(resource) === trail) write(resource, trail)
  })
}

export function trailOf(resource: string): Trail | undefined {
  const known = waiting.get(resource)
  if (known !== undefined) return known
  const text = readKept(key(resource), 'sessionStorage')
  return text === null ? undefined : (JSON.parse(text) as Trail)
}

/** The record is one of the list. */
export function markSeen(resource: string, id: number): void {
  const trail = trailOf(resource)
  if (trail !== undefined && !trail.seen.includes(id)) write(resource, { ...trail, seen: [...trail.seen.slice(1 - mostSeen), id] })
}

function write(resource: string, trail: Trail): void {
  waiting.delete(resource)
  // Where nothing can be stored there are no neighbours; nothing else is lost.
  keep(key(resource), JSON.stringify(trail), 'sessionStorage')
}

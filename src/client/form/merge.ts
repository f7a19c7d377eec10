import { same } from './same.ts'

/** One field that both sides changed, differently. */
export interface Conflict {
  readonly key: string
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

export interface Merge {
  /** Record to go on with: their changes taken over, mine kept wherever I typed. */
  readonly values: Readonly<Record<string, unknown>>
  /** Fields taken over from them without asking. */
  readonly taken: readonly string[]
  readonly conflicts: readonly Conflict[]
}

/**
 * Three-way merge of one record, field by field over `keys`: untouched by me → theirs; touched by me → mine; touched by both to
 * different values → mine for now, and named as a conflict. Nothing typed is ever dropped.
 */
export function merge(
  keys: readonly string[],
  base: Readonly<Record<string, unknown>>,
  mine: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
): Merge {
  const values: Record<string, unknown> = { ...mine }
  const taken: string[] = []
  const conflicts: Conflict[] = []
  for (const key of keys) {
    if (same(base[key], theirs[key]) || same(mine[key], theirs[key])) continue
    if (same(base[key], mine[key])) {
      values[key] = theirs[key]
      taken.push(key)
    } else conflicts.push({ key, base: base[key], mine: mine[key], theirs: theirs[key] })
  }
  return { values, taken, conflicts }
}

/** Keys of one list as a draft keeps them; `from`: those the ticking started from, which earlier versions did not keep. */
export interface KeptKeys<T> {
  readonly held: readonly T[]
  readonly from?: readonly T[]
}

/** `theirs` with what was added to `from`, and without what was taken away from it, on the way to `mine`. */
export function laidOver<T>(from: readonly T[], mine: readonly T[], theirs: readonly T[]): readonly T[] {
  const before = new Set(from)
  const after = new Set(mine)
  return [...theirs.filter((key) => after.has(key) || !before.has(key)), ...mine.filter((key) => !before.has(key) && !theirs.includes(key))]
}

/** Undefined for what is no such draft. */
export function keptKeys<T>(draft: unknown, isKey: (value: unknown) => value is T): KeptKeys<T> | undefined {
  if (Array.isArray(draft)) return { held: draft.filter(isKey) }
  if (typeof draft !== 'object' || draft === null || !('held' in draft) || !Array.isArray(draft.held)) return undefined
  return { held: draft.held.filter(isKey), ...('from' in draft && Array.isArray(draft.from) ? { from: draft.from.filter(isKey) } : {}) }
}

/** Each once, in an order that is always the same. */
export function sorted<T extends string | number>(keys: Iterable<T>): readonly T[] {
  return [...new Set(keys)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

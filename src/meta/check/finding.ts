import { distance } from 'fastest-levenshtein'

/** Path of keys inside a file. */
export type Keys = readonly (string | number)[]

export interface Finding {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly message: string
}

/** What an inspection reports; the position is worked out from the keys. */
export interface Report {
  readonly path: string
  readonly at: Keys
  /** Points at the key itself, not at its value. */
  readonly onKey?: boolean
  readonly severity?: 'error' | 'warning'
  readonly code: string
  readonly message: string
}

/** `, did you mean "x"?` for the nearest candidate, or nothing when none is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const best = nearest(word, candidates)
  return best === undefined ? '' : `, did you mean "${best}"?`
}

/** The candidate somebody may have meant; undefined when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const far = distance(word.toLowerCase(), candidate.toLowerCase())
    if (far < least) [best, least] = [candidate, far]
  }
  return best
}

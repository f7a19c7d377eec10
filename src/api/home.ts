import type { Tone } from '#meta/resolved.ts'

/** A number on the home page with the way to the rows counted. `Count` stops at `mostCounted`. */
export interface HomeCountRecord {
  /** Message key. */
  readonly Label: string
  readonly Count: number
  readonly Tone: Tone
  readonly Url: string
}

/** A list that a company fills before its first order. */
export interface FirstStepRecord {
  /** Message key: what the list is called. */
  readonly Label: string
  readonly Url: string
  /** There is a record. */
  readonly IsDone: boolean
}

/** `GET /api/v1/home/counts`: what the lists of the user's menu want counted. */
export interface HomeCounts {
  readonly records: readonly HomeCountRecord[]
  /** Those the user may take, in their order; none once all are done. */
  readonly steps: readonly FirstStepRecord[]
}

/** Nobody reads a larger number off a home page, and counting on costs. */
export const mostCounted = 9_999

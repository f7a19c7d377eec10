import type { SentenceParams } from '#meta/sentence.ts'
import type { FieldProblem, Obstacle, ProblemCode, Worded } from '#api/problems.ts'

/** Shape of every answer. `code` repeats the HTTP status; `status` is "success" or the problem code. */
export interface Envelope<T> {
  readonly code: number
  readonly status: 'success' | ProblemCode
  readonly message: string
  readonly data: T & { readonly hostname: string }
}

/** `data` of a refusal. `key` and `params` say the message again, in any language. */
export interface ProblemData {
  readonly key?: string
  readonly params?: SentenceParams
  readonly errors?: readonly FieldProblem[]
  /** VERSION_CONFLICT: the record as it stands now. */
  readonly current?: WireRecord
  /** WARNINGS: what a person must acknowledge; resend with header `Acknowledge: id,id`. */
  readonly warnings?: readonly Warning[]
  /** What stands in the way, one by one. */
  readonly obstacles?: readonly Obstacle[]
  /** INTERNAL: number under which the server has logged what went wrong. */
  readonly incident?: string
}

export interface Warning extends Worded {
  readonly id: string
  readonly code: string
  /** What it is about, one by one, each with the place that shows it. */
  readonly obstacles?: readonly Obstacle[]
}

/** A record as it travels: PascalCase keys, money and quantities as decimal text, dates as ISO text. */
export type WireRecord = Readonly<Record<string, unknown>> & {
  readonly ID: number
  readonly Version?: number
  /** Workflow actions this user may take on the record now. */
  readonly Actions?: readonly string[]
}

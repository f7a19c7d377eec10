import type { SentenceParams } from '#meta/sentence.ts'

/**
 * Every refusal the server can give, with its HTTP status. The sentences for people are `problem.<CODE>` and, where one code has several
 * causes, `problem.<CODE>.<cause>` in schemas/messages; a test compares this table with the catalogues.
 */
export const problems = {
  VALIDATION_FAILED: 422,
  BAD_REQUEST: 400,
  BODY_TOO_LARGE: 413,
  UNAUTHENTICATED: 401,
  SESSION_EXPIRED: 401,
  SESSION_ENDED: 401,
  LOGIN_FAILED: 401,
  SSO_FAILED: 401,
  SSO_UNKNOWN_USER: 403,
  PASSWORD_EXPIRED: 403,
  RESET_INVALID: 410,
  ACCOUNT_LOCKED: 429,
  TOO_MANY_REQUESTS: 429,
  NOT_FOUND: 404,
  NOT_IN_SCOPE: 404,
  FORBIDDEN_GUARD: 403,
  VERSION_CONFLICT: 409,
  SELECTION_CHANGED: 409,
  DUPLICATE_REQUEST: 409,
  ILLEGAL_TRANSITION: 409,
  PENDING_TRANSITION: 409,
  WARNINGS: 412,
  PERIOD_CLOSED: 422,
  EXCEEDS_REMAINING: 422,
  EXCEEDS_AVAILABLE: 422,
  STOCK_INSUFFICIENT: 422,
  CREDIT_BLOCKED: 422,
  UNBALANCED: 500,
  SELF_APPROVAL: 403,
  NOT_YOUR_LEVEL: 403,
  DUPLICATE_DOCUMENT: 409,
  IN_USE: 409,
  FILE_TOO_LARGE: 413,
  FILE_TYPE_REFUSED: 422,
  FILE_EMPTY: 422,
  FILE_BROKEN: 422,
  PREVIEW_UNAVAILABLE: 422,
  COMMENT_CLOSED: 409,
  SERVICE_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
  INTERNAL: 500,
} as const

export type ProblemCode = keyof typeof problems

/** The code a sentence of the catalogue belongs to: `IN_USE.last-administrator` → `IN_USE`. */
export function problemCodeOf(key: string): ProblemCode {
  const [code = ''] = key.split('.')
  if (!isProblemCode(code)) throw new Error(`No problem ${code}`)
  return code
}

export function isProblemCode(code: unknown): code is ProblemCode {
  return typeof code === 'string' && Object.hasOwn(problems, code)
}

/** What the server says: in English, and as a message key with what fills it, so that a client says it in the language of its user. Words somebody wrote himself have no key. */
export interface Said {
  readonly text: string
  readonly key?: string
  readonly params?: SentenceParams
}

/** A sentence of the catalogue. */
export interface Worded extends Said {
  readonly key: string
}

/** Where and why one value was refused. `field` is a wire path: `CustomerID`, `Lines[3].Qty`. */
export interface FieldProblem extends Worded {
  readonly field: string
  readonly code: string
}

/** `text` says what happened and what to do next, `key` and `params` the same in any language. */
/** Something that stands in the way, and the page that shows it. */
export interface Obstacle extends Said {
  readonly path?: string
}

export interface Problem extends Worded {
  readonly code: ProblemCode
  readonly errors?: readonly FieldProblem[]
  /** What stands in the way, one by one. */
  readonly obstacles?: readonly Obstacle[]
  readonly data?: Readonly<Record<string, unknown>>
}

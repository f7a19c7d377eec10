/**
 * Every refusal the server can give, with its HTTP status. The text for people is `problem.<CODE>` in schemas/messages;
 * a test compares this table with the catalogues.
 */
export const problems = {
  VALIDATION_FAILED: 422,
  BAD_REQUEST: 400,
  BODY_TOO_LARGE: 413,
  UNAUTHENTICATED: 401,
  LOGIN_FAILED: 401,
  ACCOUNT_LOCKED: 429,
  TOO_MANY_REQUESTS: 429,
  NOT_FOUND: 404,
  NOT_IN_SCOPE: 404,
  FORBIDDEN_GUARD: 403,
  VERSION_CONFLICT: 409,
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
  SERVICE_UNAVAILABLE: 503,
  INTERNAL: 500,
} as const

export type ProblemCode = keyof typeof problems

/** Where and why one value was refused. `field` is a wire path: `CustomerID`, `Lines[3].Qty`. */
export interface FieldProblem {
  readonly field: string
  readonly code: string
  readonly text: string
}

export interface Problem {
  readonly code: ProblemCode
  /** A sentence for the user: what happened and what to do next. */
  readonly text: string
  readonly errors?: readonly FieldProblem[]
  readonly data?: Readonly<Record<string, unknown>>
}

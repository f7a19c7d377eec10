import { wireName } from '#base/wireName.ts'
import type { Problem } from '#api/problems.ts'
import type { Metadata } from '#meta/metadata.ts'
import { problem, ProblemError, summaryOf, wrong, type ProblemKey } from '#server/problemError.ts'

/** The refusal behind an error, or undefined when it is our own fault and belongs in the log. */
export function problemOf(error: unknown, metadata: Metadata): Problem | undefined {
  if (error instanceof ProblemError) return error.problem
  if (!(error instanceof Error)) return undefined
  return fromDatabase(error, metadata) ?? fromFramework(error)
}

/** Told apart by SQLSTATE and constraint name, never by the message. */
function fromDatabase(error: Error, metadata: Metadata): Problem | undefined {
  const code = textIn(error, 'code') ?? ''
  const constraint = textIn(error, 'constraint')
  switch (code) {
    case '23505':
      return duplicate(metadata, textIn(error, 'table') ?? '', constraint ?? '')
    case '23503':
      return { ...problem('IN_USE.reference'), ...at(constraint) }
    case '23001':
      return { ...problem('ILLEGAL_TRANSITION.posted'), ...at(constraint) }
    case '23514':
      return { ...problem('VALIDATION_FAILED.check'), ...at(constraint) }
    case '23P01':
      return { ...problem('DUPLICATE_DOCUMENT.overlap'), ...at(constraint) }
    case '23502': {
      const column = textIn(error, 'column') ?? ''
      const errors = [wrong(wireName(column), 'REQUIRED')]
      return { code: 'VALIDATION_FAILED', ...summaryOf(errors), errors }
    }
    case '22003':
    case '22001':
      return problem('VALIDATION_FAILED.size')
    case '40001':
    case '40P01':
    case '55P03':
      return problem('SERVICE_UNAVAILABLE.collision')
    case '57014':
      return problem('SERVICE_UNAVAILABLE.slow')
    // The database's word, and the system's own.
    case '53100':
    case 'ENOSPC':
    case 'EDQUOT':
      return problem('STORAGE_FULL')
    case '08000':
    case '08003':
    case '08006':
    case '57P01':
    case '57P03':
    case '53200':
    case '53300':
    case 'ECONNREFUSED':
    case 'ECONNRESET':
      return problem('SERVICE_UNAVAILABLE')
    default:
      return undefined
  }
}

/** PostgreSQL cuts longer names. */
const longestName = 63

function duplicate(metadata: Metadata, table: string, constraint: string): Problem {
  const entity = Object.values(metadata.entities).find((candidate) => candidate.table === table)
  const key = entity?.key.find((columns) => constraint === `${table}_${columns.join('_')}_key`.slice(0, longestName)) ?? (constraint === `${table}_code_key` ? ['code'] : [])
  // What stands first in a key says whose or where; the last tells one from another, and is what somebody typed.
  const errors = key.slice(-1).map((column) => wrong(wireName(column), 'DUPLICATE'))
  return { ...problem('DUPLICATE_DOCUMENT'), errors, data: { constraint } }
}

function at(constraint: string | undefined): { readonly data?: Readonly<Record<string, unknown>> } {
  return constraint === undefined ? {} : { data: { constraint } }
}

const byStatus: Readonly<Record<number, ProblemKey>> = {
  400: 'BAD_REQUEST', 403: 'NOT_FOUND.address', 404: 'NOT_FOUND.address', 413: 'BODY_TOO_LARGE', 414: 'BAD_REQUEST.address', 415: 'BAD_REQUEST.json', 429: 'TOO_MANY_REQUESTS',
}

function fromFramework(error: Error): Problem | undefined {
  const status = 'statusCode' in error ? Number(error.statusCode) : undefined
  if (status === undefined || !(status >= 400 && status < 500)) return undefined
  // What the framework holds against a caller is his doing, also where we have no word of our own for it.
  return problem(byStatus[status] ?? 'BAD_REQUEST')
}

function textIn(error: Error, key: string): string | undefined {
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' ? value : undefined
}

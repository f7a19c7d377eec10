import { wireName } from '#base/wireName.ts'
import type { Problem, ProblemCode } from '#api/problems.ts'
import type { Metadata } from '#meta/metadata.ts'
import { ProblemError } from '#server/problemError.ts'

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
      return { code: 'IN_USE', text: 'Other records refer to this one, or it refers to one that is gone.', ...at(constraint) }
    case '23001':
      return { code: 'ILLEGAL_TRANSITION', text: 'What has been posted is never changed; reverse it instead.', ...at(constraint) }
    case '23514':
      return { code: 'VALIDATION_FAILED', text: 'A value is outside what is allowed here.', ...at(constraint) }
    case '23P01':
      return { code: 'DUPLICATE_DOCUMENT', text: 'This overlaps with a record that already holds in the same time.', ...at(constraint) }
    case '23502': {
      const column = textIn(error, 'column') ?? ''
      return { code: 'VALIDATION_FAILED', text: 'A value is required.', errors: [{ field: wireName(column), code: 'REQUIRED', text: 'A value is required.' }] }
    }
    case '22003':
    case '22001':
      return { code: 'VALIDATION_FAILED', text: 'A value is too large to be stored.' }
    case '40001':
    case '40P01':
    case '55P03':
      return { code: 'SERVICE_UNAVAILABLE', text: 'Too many people changed this at once. Try again.' }
    case '57014':
      return { code: 'SERVICE_UNAVAILABLE', text: 'This took too long. Narrow the filter and try again.' }
    case '08000':
    case '08003':
    case '08006':
    case '57P01':
    case '57P03':
    case '53200':
    case '53300':
    case 'ECONNREFUSED':
    case 'ECONNRESET':
      return { code: 'SERVICE_UNAVAILABLE', text: 'The database does not answer. Try again in a moment.' }
    default:
      return undefined
  }
}

function duplicate(metadata: Metadata, table: string, constraint: string): Problem {
  const entity = Object.values(metadata.entities).find((candidate) => candidate.table === table)
  const key = entity?.key.find((columns) => constraint === `${table}_${columns.join('_')}_key`) ?? (constraint === `${table}_code_key` ? ['code'] : [])
  const errors = key.slice(0, 1).map((column) => ({ field: wireName(column), code: 'DUPLICATE', text: 'This value is already taken.' }))
  return { code: 'DUPLICATE_DOCUMENT', text: 'A record with this key already exists.', errors, data: { constraint } }
}

function at(constraint: string | undefined): { readonly data?: Readonly<Record<string, unknown>> } {
  return constraint === undefined ? {} : { data: { constraint } }
}

const statusCodes: Readonly<Record<number, readonly [ProblemCode, string]>> = {
  400: ['BAD_REQUEST', 'The request cannot be read.'],
  404: ['NOT_FOUND', 'There is nothing at this address.'],
  413: ['BODY_TOO_LARGE', 'The request is too large.'],
  414: ['BAD_REQUEST', 'The address is too long.'],
  415: ['BAD_REQUEST', 'Send JSON.'],
  429: ['TOO_MANY_REQUESTS', 'Too many requests. Wait a minute and try again.'],
}

function fromFramework(error: Error): Problem | undefined {
  const status = 'statusCode' in error ? Number(error.statusCode) : undefined
  const known = status === undefined ? undefined : statusCodes[status]
  return known && { code: known[0], text: known[1] }
}

function textIn(error: Error, key: string): string | undefined {
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' ? value : undefined
}

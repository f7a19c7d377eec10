import type { RowResult } from '#api/data.ts'
import { problemCodeOf, type FieldProblem, type Problem, type Worded } from '#api/problems.ts'
import { nearest } from '#meta/check/finding.ts'
import { say, type Filling, type SentenceParams, type Under } from '#meta/sentence.ts'
import { said } from './sentences.ts'

/** What is wrong told one by one; nobody mends more at a time, and what was sent must not come back many times as long. */
const mostTold = 200

/** A refusal the user can meet. Thrown inside a transaction it rolls everything back; the HTTP layer turns it into an envelope. */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.text}`)
    this.name = 'ProblemError'
    this.problem = bounded(problem)
  }
}

/** The first few of each list; warnings left out are asked about once those before them are accepted. */
function bounded(problem: Problem): Problem {
  const { errors, obstacles, data } = problem
  const warnings = data?.['warnings']
  return {
    ...problem,
    ...(errors === undefined ? {} : { errors: errors.slice(0, mostTold) }),
    ...(obstacles === undefined ? {} : { obstacles: obstacles.slice(0, mostTold) }),
    ...(Array.isArray(warnings) ? { data: { ...data, warnings: warnings.slice(0, mostTold) } } : {}),
  }
}

type Extra = Omit<Problem, 'code' | 'text' | 'key' | 'params'>

/** Sentences of refusals, `problem.` left off: a code, or a code and what makes it particular (`IN_USE.last-administrator`). */
export type ProblemKey = Under<'problem'>
/** Sentences of wrong values, `field.` left off. */
export type FieldKey = Under<'field'>

/** Refuses the command. The sentence says what happened and what to do next. */
export function fail<Key extends ProblemKey>(key: Key, ...rest: readonly [...Filling<`problem.${Key}`>, extra?: Extra]): never
export function fail(key: string, params?: SentenceParams, extra: Extra = {}): never {
  throw new ProblemError({ ...problem(key, params), ...extra })
}

/** What is wrong with one value; its code is the first part of the key. */
export function wrong<Key extends FieldKey>(field: string, key: Key, ...[params]: Filling<`field.${Key}`>): FieldProblem {
  const [code = ''] = key.split('.')
  return { field, code, ...said(params === undefined ? { key: `field.${key}` } : { key: `field.${key}`, params }) }
}

/** A parameter nobody knows: the one that may be meant, and all that exist. */
export function unknownParameter(said: string, known: readonly string[]): FieldProblem {
  const name = said.slice(0, 80)
  if (known.length === 0) return wrong(name, 'UNKNOWN_FIELD.parameter-none', { name })
  const like = nearest(name, known)
  return like === undefined ? wrong(name, 'UNKNOWN_FIELD.parameter', { name, known }) : wrong(name, 'UNKNOWN_FIELD.parameter-like', { name, like, known })
}

/** Refuses input: one entry for each wrong field. */
export function invalid(errors: readonly FieldProblem[]): never {
  throw new ProblemError({ code: 'VALIDATION_FAILED', ...summaryOf(errors), errors })
}

/** One sentence for all that is wrong: the only one there is, or how many there are. */
export function summaryOf(errors: readonly FieldProblem[]): Worded {
  const [first] = errors
  if (errors.length !== 1 || !first) return said(say('problem.VALIDATION_FAILED.several', { count: errors.length }))
  const { text, key, params } = first
  return { text, key, ...(params === undefined ? {} : { params }) }
}

/** Refuses with a problem that is already put in words. */
export function raise(problem: Problem): never {
  throw new ProblemError(problem)
}

/** What became of one row of a call on several: refused. */
export function refusedRow(id: number, problem: Problem): RowResult {
  const { code, text, key, params, obstacles, data } = bounded(problem)
  const warnings = data?.['warnings']
  return { ID: id, ok: false, code, text, key, ...(params === undefined ? {} : { params }), ...(obstacles === undefined ? {} : { obstacles }), ...(Array.isArray(warnings) ? { warnings } : {}) }
}

/** A refusal as data, for those who do not throw it. */
export function problem(key: string, params?: SentenceParams): Problem {
  return { code: problemCodeOf(key), ...said(params === undefined ? { key: `problem.${key}` } : { key: `problem.${key}`, params }) }
}

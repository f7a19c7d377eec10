import type { FieldProblem, Problem, ProblemCode } from '#api/problems.ts'

/** A refusal the user can meet. Thrown inside a transaction it rolls everything back; the HTTP layer turns it into an envelope. */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.text}`)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

/** Refuses the command. `text` says what happened and what to do next. */
export function fail(code: ProblemCode, text: string, extra: Omit<Problem, 'code' | 'text'> = {}): never {
  throw new ProblemError({ code, text, ...extra })
}

/** Refuses input: one entry for each wrong field. */
export function invalid(errors: readonly FieldProblem[]): never {
  const first = errors[0]
  throw new ProblemError({
    code: 'VALIDATION_FAILED',
    text: errors.length === 1 && first ? first.text : `${errors.length} fields need attention.`,
    errors,
  })
}

import os from 'node:os'
import { problems, type Problem } from '#api/problems.ts'

const hostname = os.hostname()

/** Every answer in the one shape; `data` always carries the host that answered, unless it is a text. */
export function success(data: object | string, message = 'OK'): object {
  return { code: 200, status: 'success', message, data: typeof data === 'string' ? data : { ...data, hostname } }
}

/** A refusal: HTTP status and body. */
export function refusal(problem: Problem): { readonly statusCode: number; readonly body: object } {
  const statusCode = problems[problem.code]
  const body = {
    code: statusCode,
    status: problem.code,
    message: problem.text,
    data: { key: problem.key, params: problem.params ?? {}, ...problem.data, ...(problem.errors === undefined ? {} : { errors: problem.errors }), ...(problem.obstacles === undefined ? {} : { obstacles: problem.obstacles }), hostname },
  }
  return { statusCode, body }
}

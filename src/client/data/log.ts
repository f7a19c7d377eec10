import type { Refusal } from './http.ts'

/** What went wrong beside the work of the user: only noted, for whoever looks into the console. */
export function logFailure(what: string, problem: Refusal): void {
  // oxlint-disable-next-line no-console -- the one place that notes
  console.info(`${what}: ${problem.code} ${problem.text}`)
}

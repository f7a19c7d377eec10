import type { RowResult } from '#api/data.ts'
import type { Said } from '#api/problems.ts'
import type { CommandContext } from '#server/context.ts'
import { ProblemError, refusedRow } from '#server/problemError.ts'

/** Does the work on each record by itself, the smallest id first so that two such calls never wait for each other: a refusal is told at its row, the others go through. */
export async function eachRow(context: CommandContext, ids: readonly number[], work: (own: CommandContext, id: number) => Promise<Said>): Promise<{ readonly results: readonly RowResult[] }> {
  const results: RowResult[] = []
  for (const id of ids.toSorted((a, b) => a - b)) {
    try {
      results.push(await context.apart(async (own) => ({ ID: id, ok: true, ...(await work(own, id)) })))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      results.push(refusedRow(id, error.problem))
    }
  }
  return { results }
}

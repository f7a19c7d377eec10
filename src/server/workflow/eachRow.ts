import type { RowResult } from '#api/data.ts'
import type { Said } from '#api/problems.ts'
import type { CommandContext } from '#server/context.ts'
import { ProblemError, refusedRow } from '#server/problemError.ts'

type Work = (own: CommandContext, id: number) => Promise<Said>
type Results = { readonly results: readonly RowResult[] }

/** Does the work on each record by itself, the smallest id first so that two such calls never wait for each other: a refusal is told at its row, the others go through. */
export function eachRow(context: CommandContext, ids: readonly number[], work: Work): Promise<Results> {
  return eachInTurn(context, ids.toSorted((a, b) => a - b), work)
}

/** The same in an order of one's own, for records that are locked already. */
export async function eachInTurn(context: CommandContext, ids: readonly number[], work: Work): Promise<Results> {
  const results: RowResult[] = []
  for (const id of ids) {
    try {
      results.push(await context.apart(async (own) => ({ ID: id, ok: true, ...(await work(own, id)) })))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      results.push(refusedRow(id, error.problem))
    }
  }
  return { results }
}

import { accept } from '#base/result.ts'
import { emptyRow } from '../grid/gridModel.ts'
import type { Answer } from '../data/http.ts'
import type { FormSession } from './formSession.ts'
import type { FormCalls } from './formState.ts'

/** Asks what a record begins with whose lines are brought along by the ids of their candidates; answers how to take it over. */
export async function bringAlong(session: FormSession, calls: FormCalls, ids: string): Promise<Answer<() => void>> {
  const { lines } = session.screen
  if (lines?.compute === undefined) return accept(() => undefined)
  const answer = await calls.compute(lines.compute, { ...session.newHeader(), Brought: ids, [lines.wire]: [] }, new AbortController().signal)
  if (!answer.ok) return answer
  return accept(() => {
    const { Lines: found, ...header } = answer.value.record
    session.store.load(session.store.base, { ...session.store.base, ...header })
    const grid = session.grids.get(lines.wire)
    grid?.edit(found.map((values) => emptyRow(grid.newKey(), values)))
  })
}

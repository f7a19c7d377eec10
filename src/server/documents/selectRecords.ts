import type { ListQuery, SelectionAnswer } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import { sql } from '#server/db/sql.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { listRecords } from './listRecords.ts'
import type { ListRequest } from './listQuestion.ts'

/** At most so many rows are taken up by one filter. */
export const selectionLimit = 10_000
const pageLength = 1_000

/**
 * Every row of the filter, for work on all of them. `expected` is the number the user saw: when the list has moved meanwhile he decides
 * anew, so that nothing is done to rows nobody has looked at. All pages come from one state of the database.
 */
export async function selectRecords(request: ListRequest, expected: number): Promise<SelectionAnswer> {
  if (expected > selectionLimit) return invalid([wrong('count', 'TOO_LARGE.selection', { limit: selectionLimit })])
  return request.services.database.transaction(async (queries) => {
    await queries.run(sql`set transaction isolation level repeatable read, read only`)
    const rows: WireRecord[] = []
    let after: string | undefined
    do {
      const query: ListQuery = { ...request.query, length: pageLength, count: after === undefined, ...(after === undefined ? {} : { after }) }
      const page = await listRecords({ ...request, queries, query })
      if (after === undefined && page.recordsTotal !== expected) {
        fail('SELECTION_CHANGED.count', { now: page.recordsTotal, before: expected }, { data: { count: page.recordsTotal } })
      }
      rows.push(...page.rows)
      after = page.next
    } while (after !== undefined && rows.length < selectionLimit)
    if (rows.length !== expected) fail('SELECTION_CHANGED.count', { now: rows.length, before: expected }, { data: { count: rows.length } })
    return { rows }
  })
}

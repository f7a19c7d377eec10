import type { CountAnswer } from '#api/data.ts'
import { as, RecordQuery } from './columns.ts'
import { conditionSql } from './conditionSql.ts'
import { columnsAsked, conditionScope, parseFilter, whereOf, type ListRequest } from './listQuestion.ts'
import { join, sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'

/** Counting stops here: beyond it a number tells nothing that "more" does not. */
export const countLimit = 1_000
const mostFilters = 40

/** How many rows each of several filters has, over the same search and scope; one more than the limit means more. One question. */
export async function countRecords(request: ListRequest, filters: string): Promise<CountAnswer> {
  const wanted = parseFilter(filters)
  if (!Array.isArray(wanted) || wanted.length > mostFilters) return invalid([wrong('filters', 'WRONG_TYPE.list', { limit: mostFilters })])
  if (wanted.length === 0) return { counts: [], limit: countLimit }
  const { services, user, entity, queries } = request
  const columns = columnsAsked(request)
  const counts = wanted.map((filter: unknown, i) => {
    const builder = new RecordQuery(services.metadata, entity)
    const condition = whereOf(request, builder, columns)
    const narrowed = filter === null ? condition : sql`${condition} and ${conditionSql(filter, conditionScope(services, user, builder), 'filters')}`
    return as(sql`(select count(*) from (select 1 from ${builder.from()} where ${narrowed} limit ${countLimit + 1}) c)`, `c${i}`)
  })
  const row = await queries.first(sql`select ${join(counts)}`)
  return { counts: wanted.map((_, i) => Number(row?.[`c${i}`] ?? 0)), limit: countLimit }
}

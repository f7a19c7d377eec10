import type { Row } from '#server/context.ts'
import { ident, join, sql, trusted } from '#server/db/sql.ts'
import { RecordQuery, type ColumnRef } from './columns.ts'
import { fieldMap } from './entities.ts'
import { orderAsked, orderValue } from './listOrder.ts'
import { columnsAsked, whereOf, type ListRequest } from './listQuestion.ts'

/**
 * Ids of all rows of a list's filter within the user's scope, in its order. What is read by them afterwards, slice by slice, neither repeats
 * nor skips a row, whatever is saved meanwhile; other people's statements run between the slices.
 */
export async function selectIds(request: ListRequest): Promise<readonly number[]> {
  const { services, queries, entity } = request
  if (!fieldMap(entity).has('id')) throw new Error(`${entity.id} has no id to read its rows by`)
  const builder = new RecordQuery(services.metadata, entity)
  const condition = whereOf(request, builder, columnsAsked(request))
  const order = orderAsked(request)
  const values = order.map(({ column, dir }) => sql`${orderValue(builder, column).sorted} ${trusted(`${dir}${column.isNullable ? ' nulls last' : ''}`)}`)
  // One value instead of a row each: a million ids are a few megabytes.
  const row = await queries.first<{ ids: string | null }>(sql`select array_agg(t.id order by ${join(values)})::text as ids from ${builder.from()} where ${condition}`)
  return row?.ids == null || row.ids === '{}' ? [] : row.ids.slice(1, -1).split(',').map(Number)
}

/** The rows of these ids by wire names, in the order of the ids; one deleted meanwhile is left out. */
export async function recordsByIds({ services, queries, entity }: Pick<ListRequest, 'services' | 'queries' | 'entity'>, columns: readonly ColumnRef[], ids: readonly number[]): Promise<readonly Row[]> {
  const builder = new RecordQuery(services.metadata, entity)
  const select = columns.flatMap((column) => builder.select(column))
  const wanted = sql`(select t.*, w.n as _n from unnest(${[...ids]}::bigint[]) with ordinality w(id, n) join ${ident(entity.table)} t on t.id = w.id)`
  return queries.rows(sql`select ${join(select)} from ${builder.from(wanted)} order by t._n`)
}

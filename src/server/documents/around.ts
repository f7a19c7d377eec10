import type { AroundAnswer } from '#api/data.ts'
import { scopeCondition } from '#server/access/scope.ts'
import { join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { as, RecordQuery } from './columns.ts'
import { afterCondition, orderAsked, orderValue, type OrderEntry, type OrderValue } from './listOrder.ts'
import { columnsAsked, whereOf, type ListRequest } from './listQuestion.ts'
import { notInScope } from './readRecord.ts'

/**
 * The record before and after one in a list as it is asked for, and its place among them. The record itself need not be in the list any more: what was
 * done to it may have taken it out, and its neighbours are still those of where it stood.
 */
export async function aroundRecord(request: ListRequest, id: number): Promise<AroundAnswer> {
  const { services, queries, entity } = request
  const columns = columnsAsked(request)
  const order = orderAsked(request)
  const builder = new RecordQuery(services.metadata, entity)
  const condition = whereOf(request, builder, columns)
  const values = order.map(({ column }) => orderValue(builder, column))
  const from = builder.from()
  const scope = scopeCondition(services.metadata, request.user, entity, 't')
  const own = await queries.first(sql`select ${join(values.map((value, i) => as(sql`${value.sorted}::text`, `k${i}`)))}, (${condition}) as is_in from ${from} where t.id = ${id} ${scope ? sql`and ${scope}` : sql``}`)
  if (!own) return notInScope(entity)
  const key = Buffer.from(JSON.stringify(values.map((_, i) => own[`k${i}`]))).toString('base64url')
  const after = afterCondition(order, values, key)
  const before = beforeCondition(order, values, key, after)
  const one = (where: Sql, how: 'forward' | 'back'): Promise<{ id: number } | undefined> =>
    queries.first<{ id: number }>(sql`select t.id from ${from} where ${condition} and t.id <> ${id} and ${where} order by ${orderBy(order, values, how)} limit 1`)
  const [next, previous, counted] = await Promise.all([
    one(after, 'forward'),
    one(before, 'back'),
    queries.first<{ before: number; total: number }>(sql`select count(*) filter (where t.id <> ${id} and ${before}) as before, count(*) as total from ${from} where ${condition}`),
  ])
  return {
    Previous: previous?.id ?? null,
    Next: next?.id ?? null,
    Position: own['is_in'] === true ? (counted?.before ?? 0) + 1 : null,
    Total: counted?.total ?? 0,
  }
}

function beforeCondition(order: readonly OrderEntry[], values: readonly OrderValue[], key: string, after: Sql): Sql {
  // Without empty values the order turned round says it in one range; with them, what does not come after comes before.
  if (order.some(({ column }) => column.isNullable)) return sql`not coalesce(${after}, false)`
  return afterCondition(order.map((entry) => ({ ...entry, dir: entry.dir === 'asc' ? 'desc' : 'asc' })), values, key)
}

function orderBy(order: readonly OrderEntry[], values: readonly OrderValue[], how: 'forward' | 'back'): Sql {
  return join(order.map((entry, i) => {
    const isAscending = (entry.dir === 'asc') === (how === 'forward')
    const nulls = entry.column.isNullable ? ` nulls ${how === 'forward' ? 'last' : 'first'}` : ''
    return sql`${values[i]?.sorted ?? sql`t.id`} ${trusted(`${isAscending ? 'asc' : 'desc'}${nulls}`)}`
  }))
}

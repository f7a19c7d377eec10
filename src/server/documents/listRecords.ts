import type { ListAnswer } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Row } from '#server/context.ts'
import { ident, join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { as, RecordQuery } from './columns.ts'
import { fieldMap } from './entities.ts'
import { afterCondition, orderAsked, orderValue } from './listOrder.ts'
import { columnsAsked, whereOf, type ActionsOf, type ListRequest } from './listQuestion.ts'
import { listTotals } from './listTotals.ts'
import { columnsOfWhen } from '#server/workflow/existing.ts'

/** Columns that decide what may be done, read for each row beside those asked for and those that say which transitions there are. */
const actionColumns = ['status', 'pending_transition', 'created_by', 'submitted_by', 'is_active'] as const

/** Rows of one answer at most. */
const longestPage = 1_000

/** One page of an entity's rows within the user's scope, with count and sums over the whole filter. */
export async function listRecords(request: ListRequest): Promise<ListAnswer> {
  const { services, queries, entity, query } = request
  const columns = columnsAsked(request)
  const order = orderAsked(request)
  const hasId = fieldMap(entity).has('id')
  const deciding = new Set([...actionColumns, ...columnsOfWhen(services.metadata.workflows[entity.id])])
  const extras = [...deciding].filter((name) => request.actionsOf && fieldMap(entity).has(name))

  // The page is found first, with only the joins that filter and order need; code and name of references are looked up for its rows alone.
  const inner = new RecordQuery(services.metadata, entity)
  const condition = whereOf(request, inner, columns)
  const values = order.map(({ column }) => orderValue(inner, column))
  const after = query.after === undefined ? undefined : afterCondition(order, values, query.after)
  const length = query.isWhole === true ? longestPage : pageLength(query.length)
  const offset = query.after === undefined ? (page(query.page) - 1) * length : 0
  const direction = order.map((entry) => trusted(`${entry.dir}${entry.column.isNullable ? ' nulls last' : ''}`))
  const keys = values.map((value, i) => as(value.sorted, `_k${i}`))
  const rowsOfPage = sql`select ${join([sql`t.*`, ...keys])} from ${inner.from()} where ${both(condition, after)}
    order by ${join(values.map((value, i) => sql`${value.sorted} ${direction[i]}`))} limit ${length + 1} offset ${offset}`
  const outer = new RecordQuery(services.metadata, entity)
  const select = [
    ...columns.flatMap((column) => outer.select(column)),
    ...extras.map((name) => as(sql`t.${ident(name)}`, `_${name}`)),
    ...values.map((_, i) => as(sql`t.${ident(`_k${i}`)}::text`, `_key${i}`)),
  ]
  const statement = sql`select ${join(select)} from ${outer.from(sql`(${rowsOfPage})`)} order by ${join(values.map((_, i) => sql`t.${ident(`_k${i}`)} ${direction[i]}`))}`
  const found = await queries.rows(statement)
  if (query.isWhole === true && found.length > length) invalid([wrong('length', 'TOO_LARGE.all', { limit: length })])

  const totals = query.count === false ? undefined : await listTotals(request)
  const rows = found.slice(0, length).map((row) => finish(row, request.actionsOf, hasId))
  const last = found.length > length ? found[length - 1] : undefined
  return {
    recordsTotal: totals?.count ?? -1,
    rows,
    totals: totals?.totals ?? {},
    ...(totals?.currencies === undefined ? {} : { currencies: totals.currencies }),
    ...(last === undefined ? {} : { next: Buffer.from(JSON.stringify(values.map((_, i) => last[`_key${i}`]))).toString('base64url') }),
  }
}

function pageLength(length: number | undefined): number {
  if (length === undefined) return 5
  return Number.isInteger(length) && length >= 1 && length <= longestPage ? length : invalid([wrong('length', 'TOO_LARGE.between', { min: 1, max: longestPage })])
}

function page(number: number | undefined): number {
  if (number === undefined) return 1
  if (number > 10_000_000) return invalid([wrong('page', 'TOO_LARGE', { limit: 10_000_000 })])
  return Number.isInteger(number) && number >= 1 ? number : invalid([wrong('page', 'TOO_SMALL', { limit: 1 })])
}

function both(a: Sql, b: Sql | undefined): Sql {
  return b === undefined ? a : sql`${a} and ${b}`
}

/** The wire record: helper columns taken off, actions put on. */
function finish(row: Row, actionsOf: ActionsOf | undefined, hasId: boolean): WireRecord {
  const record: Row = {}
  const inner: Row = {}
  for (const [key, value] of Object.entries(row)) {
    if (key.startsWith('_')) inner[key.slice(1)] = value
    else record[key] = value
  }
  if (actionsOf && hasId) record['Actions'] = actionsOf(inner)
  return { ...record, ID: Number(row['ID'] ?? 0) }
}

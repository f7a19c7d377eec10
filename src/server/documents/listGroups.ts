import { referenceNames } from '#base/wireName.ts'
import type { GroupAnswer, GroupQuery, RowGroup } from '#api/data.ts'
import { isGroupable as isGroupableType } from '#api/viewFits.ts'
import { spans, type Span } from '#api/view.ts'
import type { EntityField } from '#meta/resolved.ts'
import type { Row } from '#server/context.ts'
import { join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { as, RecordQuery, sortable, visibleColumn, type ColumnRef } from './columns.ts'
import { isReference } from './listOrder.ts'
import { columnsAsked, totalsAsked, whereOf, type ListRequest } from './listQuestion.ts'
import { currencyOrder } from './currencyOrder.ts'
import { apart, currencyOf, isAmount, sumsOf, totalsOf } from './listTotals.ts'

export type GroupRequest = ListRequest & { readonly query: GroupQuery }

const mostGroups = 500

/** May rows be put together by this column? */
export function isGroupable(field: Pick<EntityField, 'type' | 'hidden'>): boolean {
  return !field.hidden && isGroupableType(field.type)
}

/** The groups of one column over the whole filter, each with its count and sums: one page of them. */
export async function listGroups(request: GroupRequest): Promise<GroupAnswer> {
  const { services, queries, entity, query } = request
  const group = groupedBy(request)
  const columns = totalsAsked(request)
  const builder = new RecordQuery(services.metadata, entity)
  const condition = whereOf(request, builder, columnsAsked(request))
  const key = keysOf(builder, group)
  const currency = currencyOf(builder, columns)
  const names = join(key.map(({ name }) => trusted(name)))
  const places = join(key.map((_, i) => trusted(String(i + 1))))
  const sums = sumsOf(builder, columns)
  const length = query.length ?? 50
  if (!Number.isInteger(length) || length < 1 || length > mostGroups) return invalid([wrong('length', 'TOO_LARGE.between', { min: 1, max: mostGroups })])
  const offset = (Math.max(query.page ?? 1, 1) - 1) * length
  // Grouped by currency too, then put together: amounts of two currencies are never added up.
  const inner = sql`select ${join([...key.map(({ value, name }) => as(value, name)), ...(currency === undefined ? [] : [as(currency, 'c')]), as(sql`count(*)`, 'n'), ...sums])}
    from ${builder.from()} where ${condition} group by ${places}${currency === undefined ? sql`` : sql`, ${trusted(String(key.length + 1))}`}`
  const parts = [sql`'c', c`, sql`'n', n`, ...columns.map((_, i) => sql`${trusted(`'s${i}', s${i}`)}`)]
  const whole = columns.map((_, i) => as(sql`sum(${trusted(`s${i}`)}::numeric)::text`, `s${i}`))
  const place = columns.findIndex(({ name }) => name === query.order)
  const isByAmount = currency !== undefined && columns[place] !== undefined && isAmount(columns[place])
  const lead = isByAmount ? leadOf(place) : []
  const groups = currency === undefined ? inner : sql`select ${join([names, as(sql`sum(n)`, 'n'), as(sql`jsonb_agg(jsonb_build_object(${join(parts)}) order by ${currencyOrder(sql`c`)})`, 'parts'), ...whole, ...lead])} from (${inner}) i group by ${names}`
  const rows = await queries.rows(sql`select g.*, count(*) over () as groups from (${groups}) g order by ${orderOf(request, builder, group, place, isByAmount)} limit ${length} offset ${offset}`)
  return {
    groupsTotal: Number(rows[0]?.['groups'] ?? 0),
    groups: rows.map((row) => groupOf(row, group, columns, currency !== undefined)),
  }
}

export interface GroupColumn {
  readonly column: ColumnRef
  readonly by: Span | undefined
}

/** `status`, `customer_id`, `doc_date:month`. */
function groupedBy({ services, user, entity, query }: GroupRequest): GroupColumn {
  const [name = '', span, ...more] = query.by.split(':')
  const column = visibleColumn(services.metadata, user, entity, name)
  if (!column || !isGroupable(column.field) || more.length > 0) return invalid([wrong('by', 'UNKNOWN_FIELD.group', { column: name.slice(0, 80) })])
  const by = spans.find((one) => one === span)
  const isDay = column.field.type === 'date' || column.field.type === 'datetime'
  if (span !== undefined && (by === undefined || !isDay)) return invalid([wrong('by', 'NOT_A_CHOICE', { choices: spans })])
  return { column, by }
}

interface Key {
  readonly value: Sql
  readonly name: string
}

/** Value of the group; of a reference with code and name. */
function keysOf(builder: RecordQuery, group: GroupColumn): readonly Key[] {
  const { column } = group
  const value = groupValue(builder, group)
  if (!isReference(column)) return [{ value, name: 'g' }]
  const { code, name } = builder.display(column.field)
  return [{ value: builder.value(column), name: 'g' }, { value: sql`${code}::text`, name: 'gc' }, { value: sql`${name}::text`, name: 'gn' }, { value, name: 'go' }]
}

/** What groups stand in order by: their value, what is read first of a reference, the first day of a span. */
export function groupValue(builder: RecordQuery, { column, by }: GroupColumn): Sql {
  if (isReference(column)) return builder.shown(column.field).value
  const value = builder.value(column)
  const day = column.field.type === 'datetime' ? sql`(${value} at time zone 'Asia/Jakarta')::date` : value
  return by === undefined ? day : sql`date_trunc(${trusted(`'${by}'`)}, ${day}::timestamp)::date`
}

/** The first currency a group has a sum in and that sum: it ranks by these. */
function leadOf(place: number): readonly Sql[] {
  const sum = trusted(`s${place}`)
  const first = (value: Sql): Sql => sql`(array_agg(${value} order by ${currencyOrder(sql`c`)}) filter (where ${sum} is not null))[1]`
  return [as(first(sql`c`), 'lead_currency'), as(first(sql`${sum}::numeric`), 'lead_sum')]
}

/** `place`: of the sum asked for; an amount is compared within its currency. */
function orderOf({ query }: GroupRequest, builder: RecordQuery, { column }: GroupColumn, place: number, isByAmount: boolean): Sql {
  const dir = trusted(query.sort === 'desc' ? 'desc' : 'asc')
  const value = isReference(column) ? sortable(sql`go`, builder.shown(column.field).type) : sortable(sql`g`, column.field.type)
  if (isByAmount) return sql`${currencyOrder(sql`lead_currency`)}, lead_sum ${dir} nulls last, ${value} nulls last, g`
  // Of two that are called the same each keeps its place.
  if (place >= 0) return sql`${trusted(`s${place}`)}::numeric ${dir} nulls last, ${value} nulls last, g`
  if (query.order === 'count') return sql`n ${dir}, ${value} nulls last, g`
  return sql`${value} ${dir} nulls last, g`
}

function groupOf(row: Row, { column }: GroupColumn, columns: readonly ColumnRef[], hasCurrency: boolean): RowGroup {
  const names = referenceNames(column.name)
  const shown = isReference(column) ? { [names.code]: row['gc'], [names.name]: row['gn'] } : {}
  const value = row['g'] ?? null
  const record = { [column.wire]: value, ...shown }
  if (!hasCurrency) return { value, record, count: Number(row['n']), totals: totalsOf(columns, row) }
  const parts: unknown = row['parts']
  return { value, record, ...apart(columns, Array.isArray(parts) ? parts : []) }
}

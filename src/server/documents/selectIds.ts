import type { Row } from '#server/context.ts'
import { ident, join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { as, RecordQuery, sortable, type ColumnRef } from './columns.ts'
import { fieldMap } from './entities.ts'
import { groupValue, type GroupColumn } from './listGroups.ts'
import { isReference, orderAsked, orderValue } from './listOrder.ts'
import { columnsAsked, whereOf, type ListRequest } from './listQuestion.ts'

/** Groups lead the order of their rows, outer ones first: by a sum over their rows, else by their value. */
export interface GroupLead extends GroupColumn {
  readonly dir: 'asc' | 'desc'
  readonly sum?: ColumnRef | undefined
}

/**
 * Ids of all rows of a list's filter within the user's scope, in its order, those of a group together. What is read by them afterwards, slice by slice,
 * neither repeats nor skips a row, whatever is saved meanwhile; other people's statements run between the slices.
 */
export async function selectIds(request: ListRequest, groups: readonly GroupLead[] = []): Promise<readonly number[]> {
  const { services, queries, entity } = request
  if (!fieldMap(entity).has('id')) throw new Error(`${entity.id} has no id to read its rows by`)
  const builder = new RecordQuery(services.metadata, entity)
  const condition = whereOf(request, builder, columnsAsked(request))
  const order = orderAsked(request)
  const keys = groups.map((group) => groupValue(builder, group))
  const parts = groups.map((group, i) => (isReference(group.column) ? builder.value(group.column) : (keys[i] ?? sql`null`)))
  const leads = groups.flatMap(({ dir, sum, column }, i): Place[] => {
    const isNamed = isReference(column)
    const value = { value: sortable(keys[i] ?? sql`null`, isNamed ? builder.shown(column.field).type : column.field.type), dir: `${sum === undefined ? dir : 'asc'} nulls last` }
    // Two records may be called the same: their rows stay apart.
    const values = isNamed ? [value, { value: builder.value(column), dir: 'asc nulls last' }] : [value]
    return sum === undefined ? values : [{ value: sql`sum(${builder.value(sum)}) over (partition by ${join(parts.slice(0, i + 1))})`, dir: `${dir} nulls last` }, ...values]
  })
  const places = [...leads, ...order.map(({ column, dir }): Place => ({ value: orderValue(builder, column).sorted, dir: `${dir}${column.isNullable ? ' nulls last' : ''}` }))]
  const values = join(places.map(({ value }, i) => as(value, `o${i}`)))
  const by = join(places.map(({ dir }, i) => trusted(`i.o${i} ${dir}`)))
  // One value instead of a row each: a million ids are a few megabytes.
  const row = await queries.first<{ ids: string | null }>(sql`select array_agg(i.id order by ${by})::text as ids from (select t.id as id, ${values} from ${builder.from()} where ${condition}) i`)
  return row?.ids == null || row.ids === '{}' ? [] : row.ids.slice(1, -1).split(',').map(Number)
}

interface Place {
  readonly value: Sql
  readonly dir: string
}

/** The rows of these ids by wire names, in the order of the ids; one deleted meanwhile is left out. */
export async function recordsByIds({ services, queries, entity }: Pick<ListRequest, 'services' | 'queries' | 'entity'>, columns: readonly ColumnRef[], ids: readonly number[]): Promise<readonly Row[]> {
  const builder = new RecordQuery(services.metadata, entity)
  const select = columns.flatMap((column) => builder.select(column))
  const wanted = sql`(select t.*, w.n as _n from unnest(${[...ids]}::bigint[]) with ordinality w(id, n) join ${ident(entity.table)} t on t.id = w.id)`
  return queries.rows(sql`select ${join(select)} from ${builder.from(wanted)} order by t._n`)
}

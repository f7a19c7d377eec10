import type { ListQuery } from '#api/data.ts'
import { isAmountType } from '#meta/amount.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { requireEntityGuard } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { columnRef, isDecimalType, visibleColumn, type ColumnRef, type RecordQuery } from './columns.ts'
import { conditionSql, likeText, type ConditionScope } from './conditionSql.ts'
import { fieldMap, isDocument, knownEntity } from './entities.ts'

/** Works out, for each row, what the user may do with it. The row holds the columns of `actionColumns` that the entity has. */
export type ActionsOf = (row: Row) => readonly string[]

export interface ListRequest {
  readonly services: Services
  readonly queries: Queries
  readonly user: User
  readonly entity: ResolvedEntity
  readonly query: ListQuery
  /** Absent: rows carry no Actions. */
  readonly actionsOf?: ActionsOf
  /** A condition of the server beside the user's filter, over table alias `t`. */
  readonly where?: Sql
  /** The caller has asked another permission than that of the list: an approval queue. */
  readonly isPermitted?: boolean
}

/** Scope, filter, search and the server's own condition: the one `where` of rows, count and sums. Refused unless the user may list such records. */
export function whereOf(request: ListRequest, builder: RecordQuery, columns: readonly ColumnRef[]): Sql {
  const { services, user, entity, query } = request
  if (request.isPermitted !== true) requireEntityGuard(services.metadata, user, entity, 'list')
  const parts = [request.where, scopeCondition(services.metadata, user, entity, 't')].filter((part) => part !== undefined)
  if (query.filter !== undefined && query.filter !== '') parts.push(conditionSql(parseFilter(query.filter), conditionScope(services, user, builder)))
  const words = (query.search ?? '').trim().slice(0, 200)
  if (words !== '') parts.push(searchCondition(services, entity, columns, words))
  return parts.length === 0 ? sql`true` : join(parts, ' and ')
}

/** Columns of the entity and of the records it refers to, for filters over alias `t`. */
export function conditionScope(services: Services, user: User, builder: RecordQuery): ConditionScope {
  return {
    column: (name) => {
      const column = visibleColumn(services.metadata, user, builder.entity, name)
      return column && column.field.type !== 'json' ? { field: column.field, value: builder.value(column), isInCapitals: isDocumentNumber(services, builder.entity, column) } : undefined
    },
    user: (name) => userFact(user, name),
    today: services.clock.today(),
    reference: (field, pattern) => {
      const { code, name } = builder.display({ ...field, nullable: true, hidden: false })
      return sql`(${code}::text ilike ${pattern} or ${name}::text ilike ${pattern})`
    },
  }
}

/** Drawn from a number series, which writes capitals. */
function isDocumentNumber({ metadata }: Services, entity: ResolvedEntity, { field, over }: ColumnRef): boolean {
  if (field.name !== 'code') return false
  const target = over === undefined ? entity : knownEntity(metadata, fieldMap(entity).get(over)?.entity ?? '')
  return isDocument(target)
}

/** Facts about the user that conditions and defaults may name. */
export function userFact(user: User, name: string): string | number | undefined {
  switch (name) {
    case 'id':
    case 'user_id':
      return user.id
    case 'email':
      return user.email
    case 'role':
      return user.roleCode
    case 'operating_unit_id':
      return user.operatingUnits === 'all' ? undefined : user.operatingUnits[0]
    case 'territory_id':
      return user.territories === 'all' ? undefined : user.territories[0]
    default:
      return undefined
  }
}

/**
 * Every search column, and code and name of the references shown. References are found first and compared by id, so that each part of the
 * `or` can use its own index.
 */
function searchCondition(services: Services, entity: ResolvedEntity, columns: readonly ColumnRef[], words: string): Sql {
  const pattern = `%${likeText(words)}%`
  const own = entity.search.flatMap((name) => {
    const column = columnRef(services.metadata, entity, name)
    return column && column.over === undefined && column.field.type !== 'ref' ? [sql`t.${ident(name)} ilike ${pattern}`] : []
  })
  const draft = /^draft-(\d{1,9})$/i.exec(words)
  const drafts = draft && fieldMap(entity).has('pending_transition') ? [sql`t.id = ${Number(draft[1])}`] : []
  const tests = [...own, ...referenceTests(services, columns, pattern), ...periodTests(columns, words), ...drafts]
  return tests.length === 0 ? sql`false` : sql`(${join(tests, ' or ')})`
}

/** A month as it is shown (10/2026) or as it is kept (202610) is one of those the columns have. */
function periodTests(columns: readonly ColumnRef[], words: string): readonly Sql[] {
  const [, month, year] = /^(0?[1-9]|1[0-2])[/.-](\d{4})$/.exec(words) ?? []
  const period = month === undefined ? words : `${year}${month.padStart(2, '0')}`
  return /^\d{6}$/.test(period) ? columns.filter(({ field, over }) => field.type === 'period' && over === undefined).map(({ field }) => sql`t.${ident(field.name)} = ${period}`) : []
}

/** Code and name of the records the columns refer to are like the pattern. */
export function referenceTests(services: Services, columns: readonly ColumnRef[], pattern: string): readonly Sql[] {
  const shown = new Map(columns.filter((column) => column.field.type === 'ref' && column.over === undefined).map((column) => [column.field.name, column]))
  return [...shown.values()].flatMap((column) => {
    const target = column.field.entity === undefined ? undefined : knownEntity(services.metadata, column.field.entity)
    if (!target || (target.base !== 'master' && target.base !== 'document')) return []
    const tests = [...new Set(target.display)].flatMap((name) => {
      const field = fieldMap(target).get(name)
      return field && !field.hidden && ['code', 'text', 'longtext', 'email'].includes(field.type) ? [sql`${ident(name)} ilike ${pattern}`] : []
    })
    if (tests.length === 0) return []
    return [sql`t.${ident(column.field.name)} = any(array(select id from ${ident(target.table)} where ${join(tests, ' or ')} limit 10000))`]
  })
}

export function columnsAsked({ services, user, entity, query }: ListRequest): readonly ColumnRef[] {
  const always = ['id', 'version', 'status'].filter((name) => fieldMap(entity).has(name))
  const names = list(query.columns)
  if (names.length > 100) return invalid([wrong('columns', 'TOO_LONG.columns', { limit: 100 })])
  const wanted = names.length > 0 ? names : entity.fields.filter((field) => !field.hidden && field.type !== 'json').map((field) => field.name)
  return [...new Set([...always, ...wanted])].map(
    (name) =>
      visibleColumn(services.metadata, user, entity, name) ?? invalid([wrong('columns', 'UNKNOWN_FIELD.column', { column: name.slice(0, 80) })]),
  )
}

/** Columns to add up. Amounts of which nobody knows the currency are not. */
export function totalsAsked({ services, user, entity, query }: ListRequest): readonly ColumnRef[] {
  return list(query.totals).map((name) => {
    const column = visibleColumn(services.metadata, user, entity, name)
    return column && (isDecimalType(column.field.type) || column.field.type === 'integer') && (entity.currency !== undefined || !isAmountType(column.field.type))
      ? column
      : invalid([wrong('totals', 'UNKNOWN_FIELD.total', { column: name.slice(0, 80) })])
  })
}

/** A condition that came as JSON text. */
export function parseFilter(text: string): unknown {
  if (text.length > 50_000) return invalid([wrong('filter', 'TOO_LONG.filter')])
  try {
    return JSON.parse(text)
  } catch {
    return invalid([wrong('filter', 'WRONG_TYPE.json')])
  }
}

/** Names of a comma list. */
export function list(text: string | undefined): string[] {
  return (text ?? '').split(',').map((part) => part.trim()).filter((part) => part !== '')
}

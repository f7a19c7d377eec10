import { dayText } from '#base/date.ts'
import { grouped, isDecimal } from '#base/decimal.ts'
import { halfWidth, plainText } from '#base/unseen.ts'
import { referenceNames } from '#base/wireName.ts'
import type { LookupAnswer, LookupQuery, ResolveAnswer } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { lookupColumns, requireLookup } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { as, RecordQuery, sortable, visibleColumn, type ColumnRef } from './columns.ts'
import { conditionSql, likeText, type ConditionScope } from './conditionSql.ts'
import { fieldMap } from './entities.ts'
import { conditionScope, referenceTests } from './listQuestion.ts'
import { isId } from './parseValue.ts'

/**
 * Records to choose from: ID, Code, Name and the columns asked for, active ones only; a code that begins with the search text stands first.
 * Refused unless a screen of the user's menu lets him choose one; columns beyond what his screens ask for do not exist for him.
 * With `ids` exactly those, active or not, to name values already stored.
 */
export async function lookup(services: Services, queries: Queries, user: User, entity: ResolvedEntity, query: LookupQuery): Promise<LookupAnswer> {
  requireLookup(services.metadata, user, entity)
  const builder = new RecordQuery(services.metadata, entity)
  const columns = columnsAsked(services, user, entity, query.columns)
  const told = columnsTold(services, user, entity)
  const select = selectOf(builder, [...columns, ...told])
  const [codeName, nameName] = entity.display
  const code = sql`t.${ident(codeName)}`
  const conditions: Sql[] = [sql`true`]
  const scope = scopeCondition(services.metadata, user, entity, 't')
  if (scope) conditions.push(scope)
  const words = plainText((query.search ?? '').slice(0, 200))
  let order = sql`${sortable(sql`${code}::text`, 'code')}, t.id`
  if (query.ids !== undefined) {
    conditions.push(sql`t.id = any(${idsOf(query.ids)}::bigint[])`)
  } else {
    if (fieldMap(entity).has('is_active')) conditions.push(sql`t.is_active`)
    if (words !== '') {
      const pattern = `%${likeText(words)}%`
      const searched = [...new Set([...entity.search, codeName, nameName])].filter((name) => isTextual(entity, name))
      conditions.push(sql`(${join([...searched.map((name) => sql`t.${ident(name)} ilike ${pattern}`), ...referenceTests(services, told, pattern), ...amountTests(told, words), ...shownTests(entity, words)], ' or ')})`)
      order = sql`(${code}::text ilike ${`${likeText(words)}%`}) desc, ${order}`
    }
  }
  if (query.filter !== undefined && query.filter !== '') conditions.push(conditionSql(parse(query.filter), filterScope(services, user, builder)))
  const length = Math.min(Math.max(query.length ?? 20, 1), 1_000)
  const rows = await queries.rows(sql`select ${join(select)} from ${builder.from()} where ${join(conditions, ' and ')} order by ${order} limit ${length}`)
  return { records: rows.map((row) => about(told, wire(row))) }
}

/** What tells records apart whose name is their code (documents): the columns of their search window. */
function columnsTold(services: Services, user: User, entity: ResolvedEntity): readonly ColumnRef[] {
  return entity.display[0] === entity.display[1] ? columnsAsked(services, user, entity, (entity.lookup?.columns ?? []).filter((name) => isOffered(services, user, entity, name)).join(',')) : []
}

/** The number typed is one of these amounts. */
function amountTests(columns: readonly ColumnRef[], words: string): readonly Sql[] {
  const amount = words.replaceAll(',', '')
  return isDecimal(amount, 2) ? columns.filter(({ field }) => field.type === 'money').map(({ field }) => sql`t.${ident(field.name)} = ${amount}::numeric`) : []
}

/** A record as lookups show it, copied from one: its code and behind it its name. */
function shownTests(entity: ResolvedEntity, words: string): readonly Sql[] {
  const [code, name] = entity.display
  const shown = /^(\S+) (.+)$/.exec(words)
  return shown === null ? [] : [sql`(lower(t.${ident(code)}::text) = ${(shown[1] ?? '').toLowerCase()} and t.${ident(name)}::text ilike ${`${likeText(shown[2] ?? '')}%`})`]
}

/** Says in a line what tells the record apart. */
function about(columns: readonly ColumnRef[], record: WireRecord): WireRecord {
  const parts = columns.flatMap(({ field, wire: key }) => {
    const value = record[field.type === 'ref' ? referenceNames(field.name).name : key]
    if (typeof value !== 'string' || field.choices !== undefined) return []
    return [field.type === 'date' ? dayText(value) : field.type === 'money' ? grouped(value) : value]
  })
  return parts.length === 0 ? record : { ...record, About: parts.join(' · ') }
}

/** Codes as typed or pasted → records, one for each, in order; null where nothing active in scope has that code. One question. */
export async function resolveCodes(
  services: Services,
  queries: Queries,
  user: User,
  entity: ResolvedEntity,
  codes: readonly string[],
  columns: readonly string[],
  filter: unknown,
): Promise<ResolveAnswer> {
  requireLookup(services.metadata, user, entity)
  const builder = new RecordQuery(services.metadata, entity)
  const told = columnsTold(services, user, entity)
  const select = selectOf(builder, [...columnsAsked(services, user, entity, columns.join(',')), ...told])
  const wanted = codes.map((code) => halfWidth(plainText(code)).toLowerCase())
  // What a lookup shows has the name behind the code.
  const beginnings = wanted.flatMap((text) => (text.includes(' ') ? [text, text.slice(0, text.indexOf(' '))] : [text]))
  const conditions: Sql[] = [sql`lower(t.${ident(entity.display[0])}::text) = any(${[...new Set(beginnings)]}::text[])`]
  const scope = scopeCondition(services.metadata, user, entity, 't')
  if (scope) conditions.push(scope)
  if (fieldMap(entity).has('is_active')) conditions.push(sql`t.is_active`)
  if (filter !== undefined && filter !== null) conditions.push(conditionSql(filter, filterScope(services, user, builder)))
  const rows = await queries.rows(sql`select ${join(select)} from ${builder.from()} where ${join(conditions, ' and ')} order by t.id`)
  const found = new Map<string, WireRecord>()
  for (const row of rows) {
    const key = String(row['Code']).toLowerCase()
    const shown = `${key} ${halfWidth(plainText(String(row['Name'] ?? ''))).toLowerCase()}`
    for (const text of [key, shown]) if (!found.has(text)) found.set(text, about(told, wire(row)))
  }
  return { records: wanted.map((code) => found.get(code) ?? null) }
}

function selectOf(builder: RecordQuery, columns: readonly ColumnRef[]): readonly Sql[] {
  const [code, name] = builder.entity.display
  const own = new Set(['ID', 'Code', 'Name'])
  return [
    as(sql`t.id`, 'ID'),
    as(sql`t.${ident(code)}::text`, 'Code'),
    as(sql`t.${ident(name)}::text`, 'Name'),
    ...[...new Map(columns.map((column) => [column.wire, column])).values()].filter((column) => !own.has(column.wire)).flatMap((column) => builder.select(column)),
  ]
}

function columnsAsked(services: Services, user: User, entity: ResolvedEntity, names: string | undefined): readonly ColumnRef[] {
  const list = [...new Set((names ?? '').split(',').map((name) => name.trim()).filter((name) => name !== ''))]
  return list.map((name) => (isOffered(services, user, entity, name) ? visibleColumn(services.metadata, user, entity, name) : undefined) ?? invalid([wrong('columns', 'UNKNOWN_FIELD.column', { column: name.slice(0, 80) })]))
}

/** Whoever may only choose filters by what his choosing knows. */
function filterScope(services: Services, user: User, builder: RecordQuery): ConditionScope {
  const scope = conditionScope(services, user, builder)
  return { ...scope, column: (name) => (isOffered(services, user, builder.entity, name) ? scope.column(name) : undefined) }
}

function isOffered(services: Services, user: User, entity: ResolvedEntity, name: string): boolean {
  const offered = lookupColumns(services.metadata, user, entity)
  return offered === 'all' || offered?.has(name) === true || name === 'id' || entity.display.includes(name)
}

function isTextual(entity: ResolvedEntity, name: string): boolean {
  const field = fieldMap(entity).get(name)
  return field !== undefined && !field.hidden && ['code', 'text', 'longtext', 'email', 'enum'].includes(field.type)
}

function idsOf(text: string): number[] {
  const parts = text.split(',').filter((part) => part !== '')
  const ids = parts.map(Number)
  return ids.length <= 1_000 && ids.every(isId) && parts.every((part) => /^\d+$/.test(part)) ? ids : invalid([wrong('ids', 'WRONG_TYPE.id-list', { limit: 1_000 })])
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return invalid([wrong('filter', 'WRONG_TYPE.json')])
  }
}

function wire(row: Row): WireRecord {
  return { ...row, ID: Number(row['ID']) }
}

import { isDate } from '#base/date.ts'
import { fixed } from '#base/decimal.ts'
import type { ListAnswer, ListQuery } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { invalid } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { as, columnRef, isDecimalType, RecordQuery, sortable, sqlType, type ColumnRef } from './columns.ts'
import { conditionSql, likeText, type ConditionScope } from './conditionSql.ts'
import { fieldMap, knownEntity } from './entities.ts'

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
}

/** Columns that decide what may be done, read for each row beside those asked for. */
const actionColumns = ['status', 'pending_transition', 'created_by', 'submitted_by', 'is_active'] as const

/** One page of an entity's rows within the user's scope, with count and sums over the whole filter. */
export async function listRecords(request: ListRequest): Promise<ListAnswer> {
  const { services, queries, entity, query } = request
  const columns = columnsAsked(request)
  const order = orderAsked(request)
  const hasId = fieldMap(entity).has('id')
  const extras = actionColumns.filter((name) => request.actionsOf && fieldMap(entity).has(name))

  // The page is found first, with only the joins that filter and order need; code and name of references are looked up for its rows alone.
  const inner = new RecordQuery(services.metadata, entity)
  const condition = whereOf(request, inner, columns)
  const values = order.map(({ column }) => orderValue(inner, column))
  const after = query.after === undefined ? undefined : afterCondition(order, values, query.after)
  const length = pageLength(query.length)
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

  const totalColumns = totalsAsked(request)
  const totals = query.count === false ? undefined : await totalsOf(request, totalColumns)
  const rows = found.slice(0, length).map((row) => finish(row, request.actionsOf, hasId))
  const last = found.length > length ? found[length - 1] : undefined
  return {
    recordsTotal: totals?.count ?? -1,
    rows,
    records: rows,
    totals: totals?.sums ?? {},
    ...(last === undefined ? {} : { next: Buffer.from(JSON.stringify(values.map((_, i) => last[`_key${i}`]))).toString('base64url') }),
  }
}

/** Count and sums over the whole filter; its own statement, without the columns and joins of the page. */
async function totalsOf(request: ListRequest, columns: readonly ColumnRef[]): Promise<{ readonly count: number; readonly sums: Record<string, string> }> {
  const builder = new RecordQuery(request.services.metadata, request.entity)
  const condition = whereOf(request, builder, columnsAsked(request))
  const sums = columns.map((column, i) => as(sql`coalesce(sum(${builder.value(column)}), 0)::text`, `s${i}`))
  const row = await request.queries.first(sql`select ${join([as(sql`count(*)`, 'n'), ...sums])} from ${builder.from()} where ${condition}`)
  return {
    count: Number(row?.['n'] ?? 0),
    sums: Object.fromEntries(columns.map((column, i) => [column.name, fixed(String(row?.[`s${i}`] ?? '0'), decimalPlaces[column.field.type] ?? 0)])),
  }
}

/** Scope, filter, search and the server's own condition: the one `where` of rows, count and sums. */
function whereOf(request: ListRequest, builder: RecordQuery, columns: readonly ColumnRef[]): Sql {
  const { services, user, entity, query } = request
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
      const column = columnRef(services.metadata, builder.entity, name)
      return column && column.field.type !== 'json' ? { field: column.field, value: builder.value(column) } : undefined
    },
    user: (name) => userFact(user, name),
    today: services.clock.today(),
    reference: (field, pattern) => {
      const { code, name } = builder.display({ ...field, nullable: true, hidden: false })
      return sql`(${code}::text ilike ${pattern} or ${name}::text ilike ${pattern})`
    },
  }
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
  const shown = new Map(columns.filter((column) => column.field.type === 'ref' && column.over === undefined).map((column) => [column.field.name, column]))
  const references = [...shown.values()].flatMap((column) => {
    const target = column.field.entity === undefined ? undefined : knownEntity(services.metadata, column.field.entity)
    if (!target || (target.base !== 'master' && target.base !== 'document')) return []
    const tests = [...new Set(target.display)].flatMap((name) => {
      const field = fieldMap(target).get(name)
      return field && !field.hidden && ['code', 'text', 'longtext', 'email'].includes(field.type) ? [sql`${ident(name)} ilike ${pattern}`] : []
    })
    if (tests.length === 0) return []
    return [sql`t.${ident(column.field.name)} = any(array(select id from ${ident(target.table)} where ${join(tests, ' or ')} limit 10000))`]
  })
  const draft = /^draft-(\d{1,9})$/i.exec(words)
  const drafts = draft && fieldMap(entity).has('pending_transition') ? [sql`t.id = ${Number(draft[1])}`] : []
  const tests = [...own, ...references, ...drafts]
  return tests.length === 0 ? sql`false` : sql`(${join(tests, ' or ')})`
}

interface OrderEntry {
  readonly column: ColumnRef
  readonly dir: 'asc' | 'desc'
}

function orderAsked({ services, entity, query }: ListRequest): readonly OrderEntry[] {
  const names = list(query.order)
  const dirs = list(query.sort)
  if (names.length > 8) return invalid([{ field: 'order', code: 'TOO_LONG', text: 'At most 8 columns to sort by.' }])
  const entries = names.map((name, i): OrderEntry => {
    const column = columnRef(services.metadata, entity, name)
    if (!column || column.field.type === 'json' || column.field.type === 'textlist') {
      return invalid([{ field: 'order', code: 'UNKNOWN_FIELD', text: `The list cannot be sorted by ${name.slice(0, 80)}.` }])
    }
    const dir = (dirs[i] ?? 'asc').toLowerCase()
    if (dir !== 'asc' && dir !== 'desc') return invalid([{ field: 'sort', code: 'NOT_A_CHOICE', text: 'Sort by asc or desc.' }])
    return { column, dir }
  })
  if (entries.length === 0) {
    for (const [name, dir] of [['doc_date', 'desc'], ['code', 'asc']] as const) {
      const column = columnRef(services.metadata, entity, name)
      if (column && (name === 'doc_date' || entity.base === 'master')) {
        entries.push({ column, dir })
        break
      }
    }
  }
  const id = columnRef(services.metadata, entity, 'id')
  // The key makes the order total: pages neither repeat nor skip a row.
  if (id && !entries.some((entry) => entry.column.name === 'id')) entries.push({ column: id, dir: entries[0]?.dir ?? 'desc' })
  if (entries.length === 0) for (const name of entity.key[0] ?? entity.display) pushColumn(services, entity, name, entries)
  return entries
}

function pushColumn(services: Services, entity: ResolvedEntity, name: string, entries: OrderEntry[]): void {
  const column = columnRef(services.metadata, entity, name)
  if (column) entries.push({ column, dir: 'asc' })
}

interface OrderValue {
  readonly plain: Sql
  readonly sorted: Sql
  readonly type: Sql
  readonly collation: Sql
}

/** A reference sorts by the code shown for it. */
function orderValue(builder: RecordQuery, column: ColumnRef): OrderValue {
  const isReference = column.field.type === 'ref' && column.over === undefined
  const plain = isReference ? sql`${builder.display(column.field).code}::text` : builder.value(column)
  const type = isReference ? 'code' : column.field.type
  const sorted = sortable(plain, type)
  return { plain, sorted, type: sqlType(type), collation: sorted === plain ? sql`` : sql` collate ${trusted(type === 'code' || type === 'enum' || type === 'period' ? '"C"' : '"und-x-icu"')}` }
}

/** Rows after the one whose order values are in `key`. */
function afterCondition(order: readonly OrderEntry[], values: readonly OrderValue[], key: string): Sql {
  const parsed = parseKey(key, order)
  const bound = values.map((value, i) => {
    const text = parsed[i]
    return text === null ? undefined : sql`(${text}::${value.type}${value.collation})`
  })
  const [first] = order
  const isUniform = order.every((entry) => entry.dir === first?.dir && !entry.column.isNullable)
  if (isUniform && first) {
    // A row comparison is one range of the index.
    return sql`(${join(values.map((value) => value.sorted))}) ${trusted(first.dir === 'asc' ? '>' : '<')} (${join(bound)})`
  }
  const branches: Sql[] = []
  const equal: Sql[] = []
  order.forEach((entry, i) => {
    const value = values[i]
    if (!value) return
    const limit = bound[i]
    const beyond = limit && sql`${value.sorted} ${trusted(entry.dir === 'asc' ? '>' : '<')} ${limit}`
    // Nulls stand last in both directions: nothing comes after them, and they come after every value.
    const test = beyond && entry.column.isNullable ? sql`(${beyond} or ${value.plain} is null)` : beyond
    if (test) branches.push(join([...equal, test], ' and '))
    equal.push(limit ? sql`${value.plain} = ${limit}` : sql`${value.plain} is null`)
  })
  return branches.length === 0 ? sql`false` : sql`(${join(branches.map((branch) => sql`(${branch})`), ' or ')})`
}

function parseKey(key: string, order: readonly OrderEntry[]): readonly (string | null)[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(key, 'base64url').toString('utf8'))
    if (Array.isArray(parsed) && parsed.length === order.length && parsed.every((part, i) => part === null || (typeof part === 'string' && isKeyText(part, order[i])))) return parsed
  } catch {
    // Reported below like any other foreign key.
  }
  return invalid([{ field: 'after', code: 'WRONG_TYPE', text: 'This position belongs to another list. Start from the first page.' }])
}

/** Could the database have written this text for a value of the column? */
function isKeyText(text: string, entry: OrderEntry | undefined): boolean {
  const { type = 'text' } = entry?.column.field ?? {}
  const isCode = type === 'ref' && entry?.column.over === undefined
  if (isDecimalType(type)) return /^-?\d{1,20}(\.\d{1,10})?$/.test(text)
  if (!isCode && (type === 'id' || type === 'ref' || type === 'integer' || type === 'status')) return /^-?\d{1,18}$/.test(text)
  if (type === 'date') return isDate(text)
  if (type === 'boolean') return text === 'true' || text === 'false'
  if (type === 'datetime') {
    return /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?[+-]\d{2}(:\d{2})?$/.test(text) && !Number.isNaN(Date.parse(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00')))
  }
  return text.length < 5_000 && !text.includes('\u0000')
}

function columnsAsked({ services, entity, query }: ListRequest): readonly ColumnRef[] {
  const always = ['id', 'version', 'status'].filter((name) => fieldMap(entity).has(name))
  const names = list(query.columns)
  if (names.length > 100) return invalid([{ field: 'columns', code: 'TOO_LONG', text: 'At most 100 columns.' }])
  const wanted = names.length > 0 ? names : entity.fields.filter((field) => !field.hidden && field.type !== 'json').map((field) => field.name)
  return [...new Set([...always, ...wanted])].map(
    (name) =>
      columnRef(services.metadata, entity, name) ?? invalid([{ field: 'columns', code: 'UNKNOWN_FIELD', text: `There is no column ${name.slice(0, 80)}.` }]),
  )
}

function totalsAsked({ services, entity, query }: ListRequest): readonly ColumnRef[] {
  return list(query.totals).map((name) => {
    const column = columnRef(services.metadata, entity, name)
    return column && (isDecimalType(column.field.type) || column.field.type === 'integer')
      ? column
      : invalid([{ field: 'totals', code: 'UNKNOWN_FIELD', text: `There is nothing to add up in ${name.slice(0, 80)}.` }])
  })
}

function parseFilter(text: string): unknown {
  if (text.length > 50_000) return invalid([{ field: 'filter', code: 'TOO_LONG', text: 'The filter is too long.' }])
  try {
    return JSON.parse(text)
  } catch {
    return invalid([{ field: 'filter', code: 'WRONG_TYPE', text: 'The filter is not JSON.' }])
  }
}

function list(text: string | undefined): string[] {
  return (text ?? '').split(',').map((part) => part.trim()).filter((part) => part !== '')
}

function pageLength(length: number | undefined): number {
  if (length === undefined) return 5
  return Number.isInteger(length) && length >= 1 && length <= 1_000 ? length : invalid([{ field: 'length', code: 'TOO_LARGE', text: 'Between 1 and 1000 rows a page.' }])
}

function page(number: number | undefined): number {
  if (number === undefined) return 1
  return Number.isInteger(number) && number >= 1 && number <= 10_000_000 ? number : invalid([{ field: 'page', code: 'TOO_SMALL', text: 'Pages count from 1.' }])
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

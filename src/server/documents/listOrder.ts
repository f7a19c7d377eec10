import { isDate } from '#base/date.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { columnRef, isDecimalType, sortable, sqlType, visibleColumn, type ColumnRef, type RecordQuery } from './columns.ts'
import { list, type ListRequest } from './listQuestion.ts'

export interface OrderEntry {
  readonly column: ColumnRef
  readonly dir: 'asc' | 'desc'
}

/** Columns the rows are sorted by, the key last. */
export function orderAsked({ services, user, entity, query }: ListRequest): readonly OrderEntry[] {
  const names = list(query.order)
  const dirs = list(query.sort)
  if (names.length > 8) return invalid([wrong('order', 'TOO_LONG.columns', { limit: 8 })])
  const entries = names.map((name, i): OrderEntry => {
    const column = visibleColumn(services.metadata, user, entity, name)
    if (!column || column.field.type === 'json' || column.field.type === 'textlist') {
      return invalid([wrong('order', 'UNKNOWN_FIELD.sort', { column: name.slice(0, 80) })])
    }
    const dir = (dirs[i] ?? 'asc').toLowerCase()
    if (dir !== 'asc' && dir !== 'desc') return invalid([wrong('sort', 'NOT_A_CHOICE', { choices: ['asc', 'desc'] })])
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

export interface OrderValue {
  readonly plain: Sql
  readonly sorted: Sql
  readonly type: Sql
  readonly collation: Sql
}

/** A reference sorts by what is read first of it. */
export function orderValue(builder: RecordQuery, column: ColumnRef): OrderValue {
  const { value: plain, type } = isReference(column) ? builder.shown(column.field) : { value: builder.value(column), type: column.field.type }
  const sorted = sortable(plain, type)
  return { plain, sorted, type: sqlType(type), collation: sorted === plain ? sql`` : sql` collate ${trusted(type === 'code' || type === 'enum' || type === 'period' ? '"C"' : '"und-x-icu"')}` }
}

/** Shown as a record, not as a value of it. */
export function isReference(column: ColumnRef): boolean {
  return column.field.type === 'ref' && column.over === undefined
}

/** Rows after the one whose order values are in `key`. */
export function afterCondition(order: readonly OrderEntry[], values: readonly OrderValue[], key: string): Sql {
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
  return invalid([wrong('after', 'WRONG_TYPE.position')])
}

/** Could the database have written this text for a value of the column? */
function isKeyText(text: string, entry: OrderEntry | undefined): boolean {
  const { type = 'text' } = entry?.column.field ?? {}
  const isShown = entry !== undefined && isReference(entry.column)
  if (isDecimalType(type)) return /^-?\d{1,20}(\.\d{1,10})?$/.test(text)
  if (!isShown && (type === 'id' || type === 'ref' || type === 'integer' || type === 'status')) return /^-?\d{1,18}$/.test(text)
  if (type === 'date') return isDate(text)
  if (type === 'boolean') return text === 'true' || text === 'false'
  if (type === 'datetime') {
    return /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?[+-]\d{2}(:\d{2})?$/.test(text) && !Number.isNaN(Date.parse(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00')))
  }
  return text.length < 5_000 && !text.includes('\u0000')
}

import { plainText } from '#base/unseen.ts'
import { shortestSearch, type SearchHit } from '#api/search.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { hasEntityGuard } from '#server/access/guards.ts'
import { openablePages } from '#server/access/openable.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, User } from '#server/context.ts'
import { as, isTextType } from './columns.ts'
import { likeText } from './conditionSql.ts'
import { fieldMap, isDocument, knownEntity } from './entities.ts'
import { ident, join, plannedAnew, sql, type Sql } from '#server/db/sql.ts'
import type { Services } from '#server/services.ts'

/** Of each entity so many candidates are read and ranked; the newest of a number that occurs often. */
const candidates = 24

interface Found extends Record<string, unknown> {
  readonly entity: string
  readonly id: number
  readonly code: string
  readonly name: string | null
  readonly date: string | null
  readonly status: number | null
}

/**
 * Records whose code or searched fields contain every word, over every entity that may be found, whose records the user may see and whose
 * page is in his menu. One statement, however many entities.
 */
export async function searchEverything(services: Services, queries: Queries, user: User, typed: string, length: number): Promise<readonly SearchHit[]> {
  const words = plainText(typed.slice(0, 100)).toLowerCase().split(/\s+/).filter((word) => word !== '')
  // A word too short for the index narrows what the others find; alone it would walk through whole tables.
  if (!words.some((word) => word.length >= shortestSearch)) return []
  const { metadata } = services
  const mayOpen = openablePages(metadata, user)
  const entities = Object.values(metadata.entities).filter(
    (entity) => entity.find && entity.page !== undefined && hasEntityGuard(metadata, user, entity, 'view') && mayOpen(entity.page),
  )
  if (entities.length === 0) return []
  const parts = entities.map((entity) => candidatesOf(services, user, entity, words))
  const rows = await queries.rows<Found>(plannedAnew(join(parts, ' union all ')))
  const ranked = rows.map((row) => ({ row, rank: rankOf(row, words) })).toSorted((a, b) => a.rank - b.rank || later(a.row, b.row))
  const taken = new Map<string, number>()
  return ranked.flatMap(({ row }) => {
    const count = (taken.get(row.entity) ?? 0) + 1
    taken.set(row.entity, count)
    return count > length ? [] : [hitOf(row, knownEntity(metadata, row.entity))]
  })
}

/** The newest matching rows of one entity; name, customer and day are read for these alone. */
function candidatesOf(services: Services, user: User, entity: ResolvedEntity, words: readonly string[]): Sql {
  const fields = fieldMap(entity)
  const [code, name] = entity.display
  const customer = fields.get('customer_id')
  const scope = scopeCondition(services.metadata, user, entity, 't')
  const searched = [...new Set([code, ...entity.search])].filter((column) => isTextType(fields.get(column)?.type))
  const conditions = words.map((word) => matches(entity, searched, word))
  if (scope) conditions.push(scope)
  if (fields.has('is_active')) conditions.push(sql`t.is_active`)
  const found = sql`select t.* from ${ident(entity.table)} t where ${join(conditions, ' and ')} order by t.id desc limit ${candidates}`
  const shownCode = isDocument(entity) ? sql`coalesce(t.code, 'DRAFT-' || t.id)` : sql`t.${ident(code)}`
  const shownName = name === code ? (customer ? sql`c.name` : sql`null`) : sql`t.${ident(name)}`
  return sql`(select ${join([
    as(sql`${entity.id}::text`, 'entity'),
    as(sql`t.id`, 'id'),
    as(sql`${shownCode}::text`, 'code'),
    as(sql`${shownName}::text`, 'name'),
    as(fields.has('doc_date') ? sql`t.doc_date` : sql`null::date`, 'date'),
    as(isDocument(entity) ? sql`t.status::bigint` : sql`null::bigint`, 'status'),
  ])} from (${found}) t ${customer && name === code ? sql`left join customer c on c.id = t.customer_id` : sql``})`
}

function matches(entity: ResolvedEntity, searched: readonly string[], word: string): Sql {
  const pattern = `%${likeText(word)}%`
  const draft = isDocument(entity) ? /^draft-?(\d{1,9})$/.exec(word) : null
  const tests = searched.map((column) => sql`t.${ident(column)} ilike ${pattern}`)
  if (draft) tests.push(sql`(t.id = ${Number(draft[1])} and t.code is null)`)
  return sql`(${join(tests, ' or ')})`
}

/** Smaller is better: the code itself, its end (people type the last digits of a number), its beginning, the beginning of the name, a word of it, anything else. */
function rankOf(row: Found, words: readonly string[]): number {
  const text = words.join(' ')
  const code = row.code.toLowerCase()
  const name = row.name?.toLowerCase() ?? ''
  if (code === text) return 0
  if (code.endsWith(text)) return 1
  if (code.startsWith(text)) return 2
  if (name.startsWith(text)) return 3
  if (words.every((word) => name.includes(` ${word}`) || name.startsWith(word))) return 4
  return 5
}

/** Of documents that fit as well the newest comes first, of masters the first by name. */
function later(a: Found, b: Found): number {
  return a.date === null && b.date === null ? (a.name ?? a.code).localeCompare(b.name ?? b.code) : b.id - a.id
}

function hitOf(row: Found, entity: ResolvedEntity): SearchHit {
  return {
    Entity: entity.id,
    ID: row.id,
    Code: row.code,
    Name: row.name,
    Date: row.date,
    Status: row.status,
    Url: (entity.page ?? '').replace('{ID}', String(row.id)),
  }
}

import type { FieldProblem, Obstacle } from '#api/problems.ts'
import { wireName } from '#base/wireName.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { SentenceParams, SentenceValue } from '#meta/sentence.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, User } from '#server/context.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'
import { said, tell } from '#server/sentences.ts'
import type { Services } from '#server/services.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { knownEntity } from './entities.ts'
import { listPlace, recordPlace } from './places.ts'
import { hookKey } from './readRecord.ts'

/** Rows beyond this are not counted: "more than" says enough. */
export const mostCounted = 1_000
/** So many records are named where no list can show them all. */
const mostNamed = 3

/** Where a record is referred to: in words, and where that is seen. */
export interface Uses {
  readonly sentences: readonly SentenceValue[]
  readonly obstacles: readonly Obstacle[]
}

interface Use {
  readonly other: ResolvedEntity
  readonly fields: readonly string[]
  /** Field of the record whose value the other's fields hold. */
  readonly by: string
}

/** Where a record is referred to, most uses first, each as "what (how many)". Its own lines and the traces of who changed what do not count. */
export async function usedIn(services: Services, tx: Queries, user: User, entity: ResolvedEntity, id: number): Promise<Uses> {
  const uses = usesOf(services, entity)
  const found = (await counted(tx, entity, uses, [id])).get(id) ?? []
  const sentences: SentenceValue[] = []
  const obstacles: Obstacle[] = []
  for (const { name, n } of found) {
    const sentence = useSentence({ name, n })
    sentences.push(sentence)
    const use = uses.find(({ other }) => other.id === name)
    const path = use?.by === 'id' ? listPlace(services, user, name, use.fields.map((field) => ({ field, op: 'eq', value: id })), 'any') : undefined
    if (path === undefined && use !== undefined) obstacles.push({ ...said(sentence) }, ...(await named(services, tx, user, use, entity, id)))
    else obstacles.push({ ...said(sentence), ...(path === undefined ? {} : { path }) })
  }
  return { sentences, obstacles }
}

/** Where each of many records is referred to, in words; one question for all of them. Records without a use are left out. */
export async function usesOfAll(services: Services, tx: Queries, entity: ResolvedEntity, ids: readonly number[]): Promise<ReadonlyMap<number, readonly SentenceValue[]>> {
  const found = await counted(tx, entity, usesOf(services, entity), ids)
  return new Map([...found].map(([id, counts]) => [id, counts.map(useSentence)]))
}

interface Count {
  readonly name: string
  readonly n: number
}

/** A use in words: "what (how many)". */
export function useSentence({ name, n }: Count): { readonly key: 'problem.IN_USE.use'; readonly params: SentenceParams } {
  return { key: 'problem.IN_USE.use', params: { what: { key: `entity.${name}` }, count: n > mostCounted ? `${mostCounted}+` : n } }
}

function usesOf(services: Services, entity: ResolvedEntity): readonly Use[] {
  const own = new Set([...entity.lines.map((line) => line.entity), ...Object.keys(services.hooks[hookKey(entity)]?.belongings ?? {})])
  const named = Object.values(services.metadata.entities).flatMap((other): readonly Use[] => {
    if (other.base === 'view' || own.has(other.id) || entity.usedBy?.includes(other.base) === false) return []
    const fields = other.fields.filter((field) => field.type === 'ref' && field.entity === entity.id && field.trace !== true).map(({ name }) => name)
    return fields.length === 0 ? [] : [{ other, fields, by: 'id' }]
  })
  const shared = Object.entries(entity.usedAs ?? {}).flatMap(([by, others]) => Object.entries(others).map(([other, field]): Use => ({ other: knownEntity(services.metadata, other), fields: [field], by })))
  return [...named, ...shared]
}

/** How often each record is named by whom, most first. */
async function counted(tx: Queries, entity: ResolvedEntity, uses: readonly Use[], ids: readonly number[]): Promise<ReadonlyMap<number, readonly Count[]>> {
  if (uses.length === 0 || ids.length === 0) return new Map()
  const counts = uses.map((use) => sql`select ${use.other.id}::text as name, (select count(*) from (select 1 from ${ident(use.other.table)} t where ${refers(use, entity, sql`w.id`)} limit ${mostCounted + 1}) found)::int as n`)
  const rows = await tx.rows<{ id: number; name: string; n: number }>(sql`
    select w.id, c.name, c.n from unnest(${[...ids]}::bigint[]) w(id) cross join lateral (${join(counts, ' union all ')}) c where c.n > 0`)
  const found = new Map<number, Count[]>()
  for (const row of rows.toSorted((a, b) => b.n - a.n || (a.name < b.name ? -1 : 1))) found.set(row.id, [...(found.get(row.id) ?? []), row])
  return found
}

/** Fields of a record that would change though records counted or booked by it are there: each with where those are. */
export async function keptFields(services: Services, tx: Queries, entity: ResolvedEntity, id: number, changed: ReadonlySet<string>): Promise<readonly FieldProblem[]> {
  const fields = Object.entries(entity.keptOnce ?? {}).filter(([field]) => changed.has(field))
  if (fields.length === 0) return []
  const named = new Set(fields.flatMap(([, others]) => others))
  const found = (await counted(tx, entity, usesOf(services, entity).filter(({ other }) => named.has(other.id)), [id])).get(id) ?? []
  return fields.flatMap(([field, others]) => {
    const where = found.filter(({ name }) => others.includes(name)).map(useSentence)
    return where.length === 0 ? [] : [wrong(wireName(field), 'READ_ONLY.used', { where })]
  })
}

/** Whoever takes a record that is used off is told where; its uses stay, so that he may. */
export async function warnOfUses(context: CommandRun, entity: ResolvedEntity, id: number): Promise<void> {
  const { sentences, obstacles } = await usedIn(context.services, context.tx, context.user, entity, id)
  if (sentences.length > 0) context.warn(`used-${entity.id}-${id}`, 'IN_USE', tell('warning.deactivate', { where: sentences }), obstacles)
}

function refers({ other, fields, by }: Use, entity: ResolvedEntity, id: number | Sql): Sql {
  const isItself = other.id === entity.id ? sql`and t.id <> ${id}` : sql``
  const value = by === 'id' ? sql`${id}` : sql`(select o.${ident(by)} from ${ident(entity.table)} o where o.id = ${id})`
  return sql`(${join(fields.map((field) => sql`t.${ident(field)} = ${value}`), ' or ')}) ${isItself}`
}

/** A few of the records themselves, the document of a line in its stead, as far as the user may see them. */
async function named(services: Services, tx: Queries, user: User, use: Use, entity: ResolvedEntity, id: number): Promise<readonly Obstacle[]> {
  const { metadata } = services
  const { other } = use
  const shown = other.parent === undefined ? other : knownEntity(metadata, other.parent)
  if (shown.page === undefined || recordPlace(services, user, shown, 1) === undefined) return []
  const scope = scopeCondition(metadata, user, shown, 'h')
  const joined = other.parent === undefined ? sql`h.id = t.id` : sql`h.id = t.${ident(`${other.parent}_id`)}`
  const rows = await tx.rows<{ id: number; name: string }>(sql`
    select h.id, coalesce(h.${ident(shown.display[0])}::text, '#' || h.id) as name from ${ident(shown.table)} h
    where exists (select 1 from ${ident(other.table)} t where ${joined} and (${refers(use, entity, id)})) ${scope ? sql`and ${scope}` : sql``} order by h.id desc limit ${mostNamed}`)
  return rows.flatMap((row) => {
    const path = recordPlace(services, user, shown, row.id)
    return path === undefined ? [] : [{ ...said({ key: 'problem.IN_USE.record', params: { what: { key: shown.title }, name: row.name } }), path }]
  })
}

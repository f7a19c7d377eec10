import type { Obstacle } from '#api/problems.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Reliance, ResolvedEntity } from '#meta/resolved.ts'
import type { Sentence } from '#meta/sentence.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Row } from '#server/context.ts'
import { forgetMarks } from '#server/db/remembered.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { said, tell } from '#server/sentences.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { conditionSql } from './conditionSql.ts'
import { knownEntity } from './entities.ts'
import { scopeOf } from './fitting.ts'
import { recordPlace } from './places.ts'

/** So many are named; how many there are besides is said. */
const mostNamed = 5

interface Watched {
  readonly entity: ResolvedEntity
  readonly reliance: Reliance
}

/**
 * To be called before a record is changed or deleted; what it answers is called after that. What found all it relies on before and no longer does
 * is then refused, or warned about. `changed`: fields that are written; absent: all of them go.
 */
export async function watchReliances(context: CommandRun, entity: ResolvedEntity, id: number, changed?: ReadonlySet<string>): Promise<() => Promise<void>> {
  const watched = watchedAfter(context.metadata, entity.id).filter(({ reliance }) => {
    const fields = reliance.after[entity.id] ?? []
    return changed === undefined || fields.length === 0 || fields.some((field) => changed.has(field))
  })
  if (watched.length === 0) return () => Promise.resolve()
  // Two who each take the other's place away wait for one another.
  await context.tx.run(sql`select pg_advisory_xact_lock(1634891124)`)
  const before = await without(context, watched)
  return async () => {
    forgetMarks(context.tx)
    const after = await without(context, watched)
    const refused: Lost[] = []
    for (const [at, one] of watched.entries()) {
      const known = new Set(before[at])
      const lost = (after[at] ?? []).filter((row) => !known.has(row))
      if (lost.length === 0) continue
      const told = await name(context, one, lost)
      if (one.reliance.warn === true) context.warn(`relied-${one.entity.id}-${one.reliance.id}-${id}`, 'IN_USE', tell('warning.relied', { where: told.sentences }), told.obstacles)
      else refused.push(told)
    }
    if (refused.length > 0) fail('IN_USE.relied', { where: refused.flatMap(({ sentences }) => sentences) }, { obstacles: refused.flatMap(({ obstacles }) => obstacles) })
  }
}

const byChanged = new WeakMap<Metadata, ReadonlyMap<string, readonly Watched[]>>()

function watchedAfter(metadata: Metadata, changed: string): readonly Watched[] {
  let known = byChanged.get(metadata)
  if (known === undefined) {
    const found = new Map<string, Watched[]>()
    for (const entity of Object.values(metadata.entities)) {
      for (const reliance of entity.reliances ?? []) for (const id of Object.keys(reliance.after)) found.set(id, [...(found.get(id) ?? []), { entity, reliance }])
    }
    known = found
    byChanged.set(metadata, known)
  }
  return known.get(changed) ?? []
}

/** Ids of the records that do not find what they rely on, for each reliance. */
async function without(context: CommandRun, watched: readonly Watched[]): Promise<readonly (readonly number[])[]> {
  const rows = await context.tx.rows<{ at: number; id: number }>(join(watched.map((one, at) => sql`(select ${at}::integer as at, t.id ${lacking(context, one)})`), ' union all '))
  return watched.map((_, at) => rows.filter((row) => row.at === at).map((row) => row.id))
}

function lacking(context: CommandRun, { entity, reliance: { on, by, when, where } }: Watched): Sql {
  const other = knownEntity(context.metadata, on)
  const pairs = Object.entries(by).map(([own, there]) => sql`o.${ident(there)} = t.${ident(own)}`)
  const found = [...pairs, ...(where === undefined ? [] : [conditionSql(where, scopeOf(context, other, 'o'))])]
  return sql`from ${ident(entity.table)} t where ${when === undefined ? sql`true` : conditionSql(when, scopeOf(context, entity, 't'))}
    and not exists (select 1 from ${ident(other.table)} o where ${found.length === 0 ? sql`true` : join(found, ' and ')})`
}

interface Lost {
  readonly sentences: readonly Sentence[]
  readonly obstacles: readonly Obstacle[]
}

/** What would be lost, as far as the user may see it, each with its page: that of the document a record speaks of, or its own. */
async function name(context: CommandRun, { entity, reliance }: Watched, ids: readonly number[]): Promise<Lost> {
  const { services, tx, user, metadata } = context
  const scope = scopeCondition(metadata, user, entity, 't')
  const rows = await tx.rows<Row & { id: number }>(sql`
    select * from ${ident(entity.table)} t where t.id = any(${[...ids]}::bigint[]) ${scope ? sql`and ${scope}` : sql``} order by t.id limit ${mostNamed}`)
  const named = rows.map((row) => {
    const sentence: Sentence = { key: reliance.label, params: Object.fromEntries(entity.fields.filter(({ hidden }) => !hidden).map((field) => [field.name, textOf(row[field.name])])) }
    const document = typeof row['doc_type'] === 'string' && typeof row['doc_id'] === 'number' ? metadata.entities[row['doc_type']] : undefined
    const path = document === undefined ? recordPlace(services, user, entity, row.id) : recordPlace(services, user, document, Number(row['doc_id']))
    return { sentence, obstacle: { ...said(sentence), ...(path === undefined ? {} : { path }) } }
  })
  const more = ids.length - named.length
  const rest: readonly Sentence[] = more > 0 ? [{ key: 'problem.IN_USE.use', params: { what: { key: entity.title }, count: named.length === 0 ? more : `+${more}` } }] : []
  return { sentences: [...named.map(({ sentence }) => sentence), ...rest], obstacles: [...named.map(({ obstacle }) => obstacle), ...rest.map((sentence) => said(sentence))] }
}

function textOf(value: unknown): string {
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value)
}

import { mostCounted, type FirstStepRecord, type HomeCountRecord } from '#api/home.ts'
import { hasEntityGuard } from '#server/access/guards.ts'
import { openablePages } from '#server/access/openable.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, User } from '#server/context.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'
import { as, RecordQuery } from '#server/documents/columns.ts'
import { conditionSql } from '#server/documents/conditionSql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { conditionScope } from '#server/documents/listQuestion.ts'
import type { Services } from '#server/services.ts'
import type { HomeCount } from '#meta/metadata.ts'

/** What the lists the user may open want counted on his home page, within his scope; zeros too. One statement. */
export async function homeCounts(services: Services, queries: Queries, user: User): Promise<readonly HomeCountRecord[]> {
  const { metadata } = services
  const mayOpen = openablePages(metadata, user)
  const counts = metadata.homeCounts.filter(
    ({ screen, entity, path }) =>
      path !== undefined &&
      user.guards.has(metadata.screens[screen]?.guard ?? '') &&
      hasEntityGuard(metadata, user, knownEntity(metadata, entity), 'list') &&
      mayOpen(path),
  )
  if (counts.length === 0) return []
  const row = await queries.first(sql`select ${join(counts.map((count, i) => as(sql`(${countOf(services, user, count)})`, `n${i}`)))}`)
  return counts.map(({ label, tone, path = '' }, i) => ({ Label: label, Count: Number(row?.[`n${i}`] ?? 0), Tone: tone, Url: path }))
}

/** The lists a company fills before its first order that the user may add to, whoever's the records are; none once each has one. One statement. */
export async function firstSteps(services: Services, queries: Queries, user: User): Promise<readonly FirstStepRecord[]> {
  const { metadata } = services
  const mayOpen = openablePages(metadata, user)
  const steps = metadata.firstSteps.filter(({ entity, path }) => hasEntityGuard(metadata, user, knownEntity(metadata, entity), 'create') && mayOpen(path))
  if (steps.length === 0) return []
  const row = await queries.first(sql`select ${join(steps.map(({ entity }, i) => as(sql`exists (select 1 from ${ident(knownEntity(metadata, entity).table)})`, `n${i}`)))}`)
  const records = steps.map(({ label, path }, i): FirstStepRecord => ({ Label: label, Url: path, IsDone: row?.[`n${i}`] === true }))
  return records.every(({ IsDone }) => IsDone) ? [] : records
}

function countOf(services: Services, user: User, { entity: id, where }: HomeCount): Sql {
  const entity = knownEntity(services.metadata, id)
  const builder = new RecordQuery(services.metadata, entity)
  const condition = where === undefined ? undefined : conditionSql(where, conditionScope(services, user, builder))
  const parts = [condition, scopeCondition(services.metadata, user, entity, 't')].filter((part) => part !== undefined)
  return sql`select count(*) from (select 1 from ${builder.from()} where ${parts.length === 0 ? sql`true` : join(parts, ' and ')} limit ${mostCounted + 1}) counted`
}

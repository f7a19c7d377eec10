import type { ResolvedEntity } from '#meta/resolved.ts'
import { requireEntityGuard } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, User } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { entityOfResource } from '#server/documents/entities.ts'
import { notInScope } from '#server/documents/readRecord.ts'
import type { Services } from '#server/services.ts'
import type { Call } from './api.ts'
import { idOf } from './read.ts'

/** The entity of the path, whoever asks. */
export function addressed({ services, params }: Call): ResolvedEntity {
  return entityOfResource(services.metadata, params['resource'] ?? '')
}

/** The entity of the path, if the user may read it. */
export function readable(call: Call): ResolvedEntity {
  const entity = addressed(call)
  requireEntityGuard(call.services.metadata, call.user, entity, 'view')
  return entity
}

/** As `readable`, and the record of the path lies in the user's scope. */
export async function visible(call: Call): Promise<ResolvedEntity> {
  const entity = readable(call)
  return (await isInScope(call.services, call.services.database, call.user, entity, idOf(call))) ? entity : notInScope(entity)
}

export async function isInScope(services: Services, queries: Queries, user: User, entity: ResolvedEntity, id: number): Promise<boolean> {
  const scope = scopeCondition(services.metadata, user, entity, 't')
  const row = await queries.first(sql`select 1 as found from ${ident(entity.table)} t where t.id = ${id} ${scope ? sql`and ${scope}` : sql``}`)
  return row !== undefined
}

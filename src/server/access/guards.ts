import type { Metadata } from '#meta/metadata.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { User } from '#server/context.ts'
import { fail } from '#server/problemError.ts'
import { isPersonal } from './scope.ts'

/** Refuses with FORBIDDEN_GUARD unless the user's role holds the guard. */
export function requireGuard(user: User, guard: string): void {
  if (!user.guards.has(guard)) fail('FORBIDDEN_GUARD', `Your role lacks the permission ${guard}.`)
}

/** Permission to decide on documents of an entity; undefined where no role can hold one. The matrix then decides alone. */
export function approvalGuard(metadata: Metadata, entity: ResolvedEntity): string | undefined {
  const name = `${entity.resource}-approve`
  return metadata.guards.some((guard) => guard.name === name) ? name : undefined
}

/** May the user do `action` (view, create, edit, delete) on records of the entity? Lines follow their header; owned records also their owner. */
export function hasEntityGuard(metadata: Metadata, user: User, entity: ResolvedEntity, action: string): boolean {
  return isPersonal(entity) || guardsFor(metadata, entity, action).some((guard) => user.guards.has(guard))
}

export function requireEntityGuard(metadata: Metadata, user: User, entity: ResolvedEntity, action: string): void {
  const guards = guardsFor(metadata, entity, action)
  if (!isPersonal(entity) && !guards.some((guard) => user.guards.has(guard))) fail('FORBIDDEN_GUARD', `Your role lacks the permission ${guards[0] ?? action}.`)
}

/** Guards of which one is needed to do `action` on records of the entity. */
export function guardsFor(metadata: Metadata, entity: ResolvedEntity, action: string): readonly string[] {
  const own = `${entity.resource}-${action}`
  const above = entity.parent ?? ownerOf(entity)
  const upper = above === undefined ? undefined : metadata.entities[above]
  // Whoever may edit a customer may add and remove his addresses.
  const inherited = upper && (action === 'create' || action === 'delete' ? 'edit' : action)
  return inherited ? [own, `${upper.resource}-${inherited}`] : [own]
}

function ownerOf(entity: ResolvedEntity): string | undefined {
  return entity.fields.find((field) => field.name === entity.owner)?.entity
}

import type { Metadata } from '#meta/metadata.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import { fail } from '#server/problemError.ts'

/** Tables of the machinery itself: never listed, read or written through the generic calls. */
const internal = new Set(['command_log', 'user_session', 'number_counter', 'document_log', 'attachment', 'document_comment', 'server_secret', 'saved_view', 'notification', 'export_job', 'approval_delegation'])

/** Is this a table of the machinery, closed to the generic calls? */
export function isInternal(entity: ResolvedEntity): boolean {
  return entity.base === 'internal' || internal.has(entity.id)
}

/** The entity behind a URL segment; NOT_FOUND when there is none. */
export function entityOfResource(metadata: Metadata, resource: string): ResolvedEntity {
  const id = Object.hasOwn(metadata.entityByResource, resource) ? metadata.entityByResource[resource] : undefined
  return entityOf(metadata, id ?? '')
}

/** The entity of an id that came over the wire; NOT_FOUND when there is none. */
export function entityOf(metadata: Metadata, id: string): ResolvedEntity {
  const entity = Object.hasOwn(metadata.entities, id) ? metadata.entities[id] : undefined
  if (!entity || isInternal(entity)) fail('NOT_FOUND.address')
  return entity
}

/** The entity of an id from our own metadata. */
export function knownEntity(metadata: Metadata, id: string): ResolvedEntity {
  const entity = metadata.entities[id]
  if (!entity) throw new Error(`No entity ${id}`)
  return entity
}

const maps = new WeakMap<ResolvedEntity, ReadonlyMap<string, EntityField>>()

export function fieldMap(entity: ResolvedEntity): ReadonlyMap<string, EntityField> {
  const known = maps.get(entity)
  if (known) return known
  const map = new Map(entity.fields.map((field) => [field.name, field]))
  maps.set(entity, map)
  return map
}

/** Is this a document with statuses, numbers and a workflow? */
export function isDocument(entity: ResolvedEntity): boolean {
  return entity.base === 'document'
}

/** Can records of this entity be commented on and have files attached? */
export function takesNotes(entity: ResolvedEntity): boolean {
  return entity.base === 'document' || entity.base === 'master'
}

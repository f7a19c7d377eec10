import type { Metadata } from '#meta/metadata.ts'
import { moduleOf } from '#meta/guards.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { User } from '#server/context.ts'
import { takesNotes } from '#server/documents/entities.ts'
import { fail } from '#server/problemError.ts'
import type { Call } from './api.ts'
import { visible } from './visible.ts'

/** The entity of the path, whose record the user may see and which takes attachments and comments: documents and master data. */
export async function noteworthy(call: Call): Promise<ResolvedEntity> {
  const entity = await visible(call)
  return takesNotes(entity) ? entity : fail('NOT_FOUND.address')
}

const reading = new Set(['view', 'export', 'print'])

/** Does the user do anything with such records but read them? Who decides on a document works with it too. */
export function worksWith(metadata: Metadata, user: User, entity: ResolvedEntity): boolean {
  const moving = metadata.workflows[entity.id]?.transitions.some((transition) => user.guards.has(transition.guard)) ?? false
  return moving || [...user.guards].some((guard) => moduleOf(guard) === entity.resource && !reading.has(guard.slice(entity.resource.length + 1)))
}

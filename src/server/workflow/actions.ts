import { hasEntityGuard, hasTransition } from '#server/access/guards.ts'
import type { Row, User } from '#server/context.ts'
import { fieldMap, isDocument } from '#server/documents/entities.ts'
import type { ActionsOf } from '#server/documents/listQuestion.ts'
import { isCreatable, isWritable } from '#server/documents/writable.ts'
import { existsFor } from './existing.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Services } from '#server/services.ts'

/**
 * What the user may do with records of an entity now: workflow actions by status, guard and what they exist for, `edit` and `delete`. Worked out from the row
 * alone; preconditions that need more are asked when the action is taken.
 */
export function actionsFor(services: Services, user: User, entity: ResolvedEntity): ActionsOf {
  const transitions = (services.metadata.workflows[entity.id]?.transitions ?? []).filter((transition) => !transition.system && hasTransition(services.metadata, user, entity, transition))
  const mayEdit = isWritable(services, entity) && hasEntityGuard(services.metadata, user, entity, 'edit')
  const mayDelete = isWritable(services, entity) && isCreatable(services, entity) && hasEntityGuard(services.metadata, user, entity, 'delete')
  const hasStatus = fieldMap(entity).has('status')
  const today = services.clock.today()
  return (row: Row) => {
    if (row['pending_transition'] != null) return []
    const moves = hasStatus ? transitions.filter((transition) => transition.from.includes(Number(row['status'])) && existsFor(transition, row, user, today)) : []
    const actions = moves.map((transition) => transition.action)
    const status = Number(row['status'] ?? 0)
    if (mayEdit && (!isDocument(entity) || status === 0 || status === 5)) actions.push('edit')
    if (mayEdit && entity.base === 'master') actions.push(row['is_active'] === false ? 'activate' : 'deactivate')
    if (mayDelete && (!isDocument(entity) || status === 0)) actions.push('delete')
    return actions
  }
}

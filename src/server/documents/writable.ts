import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Services } from '#server/services.ts'
import { hookKey } from './readRecord.ts'

/** May the generic calls change records of this entity? Masters and documents, unless a hook says otherwise; other tables only by a hook. */
export function isWritable(services: Pick<Services, 'hooks'>, entity: ResolvedEntity): boolean {
  return services.hooks[hookKey(entity)]?.writable ?? (entity.base === 'master' || entity.base === 'document')
}

export function isCreatable(services: Pick<Services, 'hooks'>, entity: ResolvedEntity): boolean {
  return isWritable(services, entity) && (services.hooks[hookKey(entity)]?.creatable ?? true)
}

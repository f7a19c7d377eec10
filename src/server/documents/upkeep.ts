import type { Worded } from '#api/problems.ts'
import { upkeepActions, type UpkeepAction } from '#meta/upkeep.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { requireEntityGuard } from '#server/access/guards.ts'
import { tell } from '#server/sentences.ts'
import { lockRecord } from './readRecord.ts'
import { deleteRecord, updateRecord, type SaveContext } from './saveRecord.ts'

/** What the generic calls do with a master record beside saving it; undefined: not such an action. */
export function upkeepOf(entity: ResolvedEntity, action: string): UpkeepAction | undefined {
  return entity.base === 'master' ? upkeepActions.find((known) => known === action) : undefined
}

/** Asked before a word of the body is read. */
export function requireUpkeep(context: Pick<SaveContext, 'services' | 'user'>, entity: ResolvedEntity, action: UpkeepAction): void {
  requireEntityGuard(context.services.metadata, context.user, entity, action === 'delete' ? 'delete' : 'edit')
}

/** Takes the record off, puts it back, or deletes it if nothing refers to it; answers what has been done. */
export async function keepUp(context: SaveContext, entity: ResolvedEntity, id: number, version: number | undefined, action: UpkeepAction): Promise<Worded> {
  const record = await lockRecord(context.services, context.tx, context.user, entity, id)
  const document = String(record[entity.display[0]] ?? id)
  const seen = version ?? Number(record['version'])
  if (action === 'delete') {
    await deleteRecord(context, entity, id, seen)
    return tell('done.delete', { document })
  }
  await updateRecord(context, entity, id, seen, { IsActive: action === 'activate' })
  return action === 'activate' ? tell('done.activate', { document }) : tell('done.deactivate', { document })
}

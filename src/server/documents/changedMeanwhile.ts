import { aheadMs } from '#base/businessZone.ts'
import { dayText } from '#base/date.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { wireOf } from './readRecord.ts'

type Stored = Row & { readonly id: number }

/**
 * Refuses what was begun on an older version of a record, with the record as it stands. Whoever may see a record sees in it who changed it last: he is told,
 * and when. `changed`: the record below it that has moved on.
 */
export async function changedMeanwhile({ tx, user }: Pick<CommandContext, 'tx' | 'user'>, entity: ResolvedEntity, record: Stored, changed: Row = record): Promise<never> {
  const { updated_by: by, updated_at: at } = changed
  const extra = { data: { current: wireOf(entity, record) } }
  if (typeof by !== 'number' || typeof at !== 'string') return fail('VERSION_CONFLICT', {}, extra)
  const time = minuteOf(at)
  if (by === user.id) return fail('VERSION_CONFLICT.self', { time }, extra)
  const actor = await tx.first<{ name: string }>(sql`select name from app_user where id = ${by}`)
  return actor === undefined ? fail('VERSION_CONFLICT', {}, extra) : fail('VERSION_CONFLICT.by', { name: actor.name, time }, extra)
}

/** Day and minute on the clock of the business. */
function minuteOf(moment: string): string {
  const there = new Date(Date.parse(moment) + aheadMs).toISOString()
  return `${dayText(there.slice(0, 10))} ${there.slice(11, 16)}`
}

import type { ResolvedEntity } from '#meta/resolved.ts'

/** Name of the command that works out what an entity derives, of a record as typed. */
export function derivingName(entity: ResolvedEntity): string {
  return `derive-${entity.resource}`
}

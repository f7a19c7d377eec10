import type { Metadata } from '#meta/metadata.ts'
import { fieldGuards, permittedMetadata } from '#meta/permitted.ts'
import type { User } from '#server/context.ts'
import type { Services } from '#server/services.ts'

interface Kept {
  readonly guards: readonly string[]
  /** By the permissions that are missing. */
  readonly metadata: Map<string, Metadata>
}

const kept = new WeakMap<Metadata, Kept>()

/**
 * The services as they are for one user: their metadata do not know the fields he may not read, and take those he may not write for read only.
 * Every call and everything done later in his name works with them, so that no road has to ask for itself.
 */
export function seenBy(services: Services, { guards }: Pick<User, 'guards'>): Services {
  const { metadata } = services
  const known = kept.get(metadata) ?? { guards: fieldGuards(metadata), metadata: new Map() }
  kept.set(metadata, known)
  const missing = known.guards.filter((guard) => !guards.has(guard))
  if (missing.length === 0) return services
  const key = missing.join(' ')
  const own = known.metadata.get(key) ?? permittedMetadata(metadata, (guard) => !missing.includes(guard))
  known.metadata.set(key, own)
  // What has been left out once is not looked for again.
  kept.set(own, { guards: known.guards.filter((guard) => guards.has(guard)), metadata: new Map() })
  return { ...services, metadata: own }
}

/** What of these permissions tells apart what two users see of the same rows. */
export function fieldSight({ metadata }: Pick<Services, 'metadata'>, { guards }: Pick<User, 'guards'>): readonly string[] {
  return fieldGuards(metadata).filter((guard) => guards.has(guard))
}

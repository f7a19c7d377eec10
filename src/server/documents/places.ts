import { standardView, withQuery } from '#meta/placeLink.ts'
import type { ListScreen, ResolvedEntity } from '#meta/resolved.ts'
import { hasEntityGuard, hasScreen } from '#server/access/guards.ts'
import type { User } from '#server/context.ts'
import { placeOf } from '#server/dashboards/places.ts'
import type { Services } from '#server/services.ts'

/** A test of a list's address: field, operator and the value looked for. */
export interface PlaceTest {
  readonly field: string
  readonly op: 'eq' | 'in' | 'gte' | 'lte'
  readonly value: unknown
}

/** The address at which the user sees records of the entity narrowed so; undefined: no list of his shows that. `any`: one of the tests is enough. */
export function listPlace(services: Pick<Services, 'metadata'>, user: User, entity: string, tests: readonly PlaceTest[], match: 'all' | 'any' = 'all'): string | undefined {
  const { metadata } = services
  // The list named after them comes first, one that shows some of them only last.
  const own = `${entity.replaceAll('_', '-')}.list`
  const isNarrow = ({ id, where }: ListScreen): number => (where !== undefined ? 2 : id === own ? 0 : 1)
  const lists = Object.values(metadata.screens).filter((screen): screen is ListScreen => screen.kind === 'list' && screen.entity === entity && hasScreen(metadata, user, screen)).toSorted((one, other) => isNarrow(one) - isNarrow(other))
  for (const list of lists) {
    const known = new Set([...list.columns.filter(({ filterable }) => filterable), ...list.filters].map(({ name }) => name))
    if (!tests.every(({ field }) => known.has(field))) continue
    const place = reached(services, list.id)
    if (place === undefined) continue
    return withQuery(place.path, [
      ...place.entries,
      ...(list.presets.some((preset) => preset.default) ? [['v', 'none'] as const] : []),
      ...(match === 'any' && tests.length > 1 ? [['m', 'any'] as const] : []),
      ...tests.map(({ field, op, value }) => [`f.${field}`, `${op}:${JSON.stringify(value)}`] as const),
      standardView,
    ])
  }
  return undefined
}

/** The page of one record, where the user may open it. */
export function recordPlace(services: Pick<Services, 'metadata'>, user: User, entity: ResolvedEntity, id: number): string | undefined {
  if (entity.page === undefined || !hasEntityGuard(services.metadata, user, entity, 'view')) return undefined
  const path = entity.page.replaceAll('{ID}', String(id))
  return path.includes('{') ? undefined : path
}

function reached(services: Pick<Services, 'metadata'>, screen: string): ReturnType<typeof placeOf> | undefined {
  const { metadata } = services
  const isReached = metadata.routes.some((route) => route.screen === screen && !route.path.includes('{'))
  const isTab = Object.values(metadata.screens).some((desk) => desk.kind === 'workbench' && desk.tabs.some((tab) => tab.screen === screen) && metadata.routes.some((route) => route.screen === desk.id))
  return isReached || isTab ? placeOf(services, screen) : undefined
}

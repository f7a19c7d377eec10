import type { Metadata } from '#meta/metadata.ts'
import type { Route } from '#meta/resolved.ts'
import { screenUses, type ScreenUse } from '#meta/screenUse.ts'
import type { User } from '#server/context.ts'

const parts = {
  lists: (use: ScreenUse) => use.lists,
  /** Listed or opened one by one. */
  reads: (use: ScreenUse) => [...use.lists, ...use.reads],
  writes: (use: ScreenUse) => use.writes,
  moves: (use: ScreenUse) => use.moves,
  commands: (use: ScreenUse) => use.commands,
  decides: (use: ScreenUse) => use.decides,
  screens: (use: ScreenUse) => use.screens,
  journals: (use: ScreenUse) => use.journals,
} as const

/** A way in which screens use something. */
export type Part = keyof typeof parts

/** Something only screens ask for: an entity, a command, a queue, a screen. */
export interface Behind {
  readonly part: Part
  readonly name: string
}

/** What the routes in the user's menu reach. */
export interface Reach {
  readonly open: Readonly<Record<Part, ReadonlySet<string>>>
  /** Entity → columns that choosing one of its records brings. */
  readonly lookups: ReadonlyMap<string, ReadonlySet<string>>
  /** Entity → columns over its references that open screens show. */
  readonly hops: ReadonlyMap<string, ReadonlySet<string>>
}

/** Is the route in the user's menu, and does he hold what its screen asks? Routes without a guard are open to everybody signed in. */
export function isOpen(metadata: Metadata, user: User, route: Route): boolean {
  const permission = route.permission ?? metadata.screens[route.screen ?? '']?.guard
  if (permission !== undefined && permission !== '' && !user.guards.has(permission)) return false
  return route.guard === undefined || route.guard === 'always' || user.menu.has(menuKey(route.guard.parent, route.guard.url))
}

/** How a menu entry is known: name of its parent and its url, as the route guard compares them. */
export function menuKey(parent: string, url: string): string {
  return `${parent}\n${url}`
}

const reaches = new WeakMap<User, Reach>()

export function reachOf(metadata: Metadata, user: User): Reach {
  const known = reaches.get(user)
  if (known) return known
  const { byPath } = usesOf(metadata)
  const open = metadata.routes.flatMap((route) => {
    const use = byPath.get(route.path)
    return use && isOpen(metadata, user, route) ? [{ route, use }] : []
  })
  const reach: Reach = {
    open: gathered(open.map(({ use }) => use)),
    lookups: merged(open.flatMap(({ route, use }) => (choosesNothing(metadata, user, route) ? [] : [use.lookups]))),
    hops: merged(open.map(({ use }) => use.hops)),
  }
  reaches.set(user, reach)
  return reach
}

/** A form that opens for everybody who may see the record: whoever may only read it has nothing to choose there. */
function choosesNothing(metadata: Metadata, user: User, route: Route): boolean {
  const screen = metadata.screens[route.screen ?? '']
  if (screen?.kind !== 'form' || screen.guard !== `${screen.resource}-view` || route.params?.['record'] === undefined) return false
  return !user.guards.has(`${screen.resource}-edit`) && !user.guards.has(`${screen.resource}-create`)
}

/** Is it behind no screen at all, or behind one that is open? */
export function isReached(metadata: Metadata, user: User, { part, name }: Behind): boolean {
  return reachOf(metadata, user).open[part].has(name) || !isBehindScreens(metadata, { part, name })
}

/** What no route of the product asks for is behind no screen: there the permission alone decides. */
export function isBehindScreens(metadata: Metadata, { part, name }: Behind): boolean {
  return usesOf(metadata).known[part].has(name)
}

/** Paths of the routes that ask for it, in the order of the route list. */
export function routesBehind(metadata: Metadata, { part, name }: Behind): readonly string[] {
  return [...usesOf(metadata).byPath].flatMap(([path, use]) => ([...parts[part](use)].includes(name) ? [path] : []))
}

/** Paths of the routes where a record of the entity can be chosen. */
export function routesChoosing(metadata: Metadata, entity: string): readonly string[] {
  return [...usesOf(metadata).byPath].flatMap(([path, use]) => (use.lookups.has(entity) ? [path] : []))
}

interface Uses {
  readonly byPath: ReadonlyMap<string, ScreenUse>
  readonly known: Readonly<Record<Part, ReadonlySet<string>>>
}

const usesByMetadata = new WeakMap<Metadata, Uses>()

function usesOf(metadata: Metadata): Uses {
  const found = usesByMetadata.get(metadata)
  if (found) return found
  const byPath = screenUses(metadata)
  const uses = { byPath, known: gathered([...byPath.values()]) }
  usesByMetadata.set(metadata, uses)
  return uses
}

function gathered(uses: readonly ScreenUse[]): Readonly<Record<Part, ReadonlySet<string>>> {
  const of = (part: Part): ReadonlySet<string> => new Set(uses.flatMap((use) => [...parts[part](use)]))
  return {
    lists: of('lists'), reads: of('reads'), writes: of('writes'), moves: of('moves'), commands: of('commands'), decides: of('decides'), screens: of('screens'), journals: of('journals'),
  }
}

function merged(maps: readonly ReadonlyMap<string, ReadonlySet<string>>[]): ReadonlyMap<string, ReadonlySet<string>> {
  const result = new Map<string, Set<string>>()
  for (const map of maps) for (const [name, values] of map) result.set(name, new Set([...(result.get(name) ?? []), ...values]))
  return result
}

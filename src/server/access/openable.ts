import type { Metadata } from '#meta/metadata.ts'
import type { Route } from '#meta/resolved.ts'
import { routeFinder } from '#meta/routePath.ts'
import type { User } from '#server/context.ts'
import { isOpen } from './reach.ts'

/** May the user open the page of a path? The same rule as the client's route guard, over the menu of his role. */
export type MayOpen = (path: string) => boolean

const finders = new WeakMap<readonly Route[], ReturnType<typeof routeFinder<Route>>>()

export function openablePages(metadata: Metadata, user: User): MayOpen {
  const find = finderOf(metadata.routes)
  return (path) => {
    const route = find(path.split(/[?#]/)[0] ?? path)?.route
    // What only leads on shows nothing itself.
    return route !== undefined && route.redirect === undefined && isOpen(metadata, user, route)
  }
}

function finderOf(routes: readonly Route[]): ReturnType<typeof routeFinder<Route>> {
  const known = finders.get(routes)
  if (known !== undefined) return known
  const find = routeFinder(routes)
  finders.set(routes, find)
  return find
}

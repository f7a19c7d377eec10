import type { Metadata } from '#meta/metadata.ts'
import type { Route } from '#meta/resolved.ts'
import type { User } from '#server/context.ts'
import { isOpen } from './reach.ts'

/** May the user open the page of a path? The same rule as the client's route guard, over the menu of his role. */
export type MayOpen = (path: string) => boolean

export function openablePages(metadata: Metadata, user: User): MayOpen {
  return (path) => {
    const target = path.split(/[?#]/)[0] ?? path
    const route = metadata.routes.find((candidate) => isServed(candidate) && fits(target, candidate.path))
    return route !== undefined && isOpen(metadata, user, route)
  }
}

function isServed(route: Route): boolean {
  return route.screen !== undefined || route.page !== undefined
}

/** `/customers/edit/17` and `/customers/edit/{ID}` both fit `/customers/edit/{id}`. */
function fits(target: string, route: string): boolean {
  const [a, b] = [target.split('/'), route.split('/')]
  return a.length === b.length && b.every((part, i) => part === a[i] || (part.startsWith('{') && a[i] !== ''))
}

import { routes } from '#generated/routes.ts'
import type { ClientRoute } from '#meta/clientRoute.ts'
import { parametersOf, routeFinder, withoutSlash } from '#meta/routePath.ts'

export interface RouteMatch {
  readonly route: ClientRoute
  /** Path parameters, then the fixed values of the route (`{id}` in them filled in). */
  readonly params: Readonly<Record<string, string>>
}

const find = routeFinder(routes)

/** The served route of a path. Undefined: nothing serves it, which is the not-found page. */
export function matchRoute(pathname: string): RouteMatch | undefined {
  if (import.meta.env.DEV && pathname.startsWith('/studio/catalogue')) return { route: { path: withoutSlash(pathname), layout: 'plain', page: 'catalogue' }, params: {} }
  const found = find(pathname)
  if (found === undefined) return undefined
  return { route: found.route, params: parametersOf(found.route, found.values) }
}

/** Message key of a page's own title; undefined for one that has none (home, plain and print pages). */
export function titleKeyOf(route: ClientRoute): string | undefined {
  if (route.title !== undefined) return route.title
  if (route.print !== undefined) return route.layout === 'main' ? `print.${route.print}` : undefined
  return route.layout === 'main' && route.page !== 'home' && route.page !== undefined ? `page.${route.page}` : undefined
}

/** Message key of the title of the page under a path. */
export function pageTitle(path: string): string | undefined {
  const match = matchRoute(path.split('?')[0] ?? path)
  return match === undefined ? undefined : titleKeyOf(match.route)
}

/** Is the path one that a page serves? */
export function isServedPath(path: string): boolean {
  return matchRoute(path.split('?')[0] ?? path) !== undefined
}

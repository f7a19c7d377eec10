import type { Route } from '#meta/resolved.ts'

/** What a page serves, or what leads on to one that does. */
export function isServed(route: Pick<Route, 'screen' | 'page' | 'redirect'>): boolean {
  return route.screen !== undefined || route.page !== undefined || route.redirect !== undefined
}

/** The whole of an address under a route's path, and the names of its `{parameters}` in the order of the groups. */
export function pathExpression(path: string): { readonly expression: RegExp; readonly names: readonly string[] } {
  const names: string[] = []
  const source = path.replace(/\{(\w+)\}|[.*+?^$()|[\]\\]/g, (part, name: string | undefined) => {
    if (name === undefined) return `\\${part}`
    names.push(name)
    return '([^/]+)'
  })
  return { expression: new RegExp(`^${source}$`), names }
}

/** `/home/` is `/home`. */
export function withoutSlash(pathname: string): string {
  return pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
}

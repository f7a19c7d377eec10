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

export interface FoundRoute<R> {
  readonly route: R
  /** Values of the `{parameters}` as they stand in the address. */
  readonly values: Readonly<Record<string, string>>
}

/** Finds the served route of an address: one that is written out goes before one with parameters. */
export function routeFinder<R extends Pick<Route, 'path' | 'screen' | 'page' | 'redirect'>>(routes: readonly R[]): (pathname: string) => FoundRoute<R> | undefined {
  const served = routes.filter(isServed)
  const plain = new Map(served.filter((route) => !route.path.includes('{')).map((route) => [route.path, route]))
  // An expression is made when an address begins as its path does: hundreds at once would be felt where a program starts.
  const patterns = served.filter((route) => route.path.includes('{')).map((route) => ({ route, start: route.path.slice(0, route.path.indexOf('{')) }))
  const made = new Map<R, ReturnType<typeof pathExpression>>()
  const patternOf = (route: R) => {
    const known = made.get(route) ?? pathExpression(route.path)
    made.set(route, known)
    return known
  }
  return (pathname) => {
    const path = withoutSlash(pathname)
    const route = plain.get(path)
    if (route !== undefined) return { route, values: {} }
    for (const { route, start } of patterns) {
      if (!path.startsWith(start)) continue
      const { expression, names } = patternOf(route)
      const found = expression.exec(path)
      if (found !== null) return { route, values: Object.fromEntries(names.map((name, i) => [name, found[i + 1] ?? ''])) }
    }
    return undefined
  }
}

/** `/home/` is `/home`. */
export function withoutSlash(pathname: string): string {
  return pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
}

/** What a route hands to its page: the values of its path, then the fixed ones (`{id}` in them filled in). */
export function parametersOf(route: Pick<Route, 'params'>, values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const params = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]))
  if (route.params === undefined) return params
  const fixed = Object.entries(route.params).map(([name, value]) => [name, value.replace(/\{(\w+)\}/g, (_, key: string) => params[key] ?? '')])
  return { ...params, ...Object.fromEntries(fixed) }
}

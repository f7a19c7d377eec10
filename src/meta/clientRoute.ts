import type { Route, ScreenKind } from '#meta/resolved.ts'

/** A row of the route list as the client's router reads it. */
export interface ClientRoute extends Omit<Route, 'reads' | 'runs'> {
  /** Kind and title key of the screen that serves the path; its guard is the route's `permission`. */
  readonly kind?: ScreenKind
  readonly title?: string
}

/** The same without what goes without saying: every page loads the whole list. `permission`, absent: the usual one of its screen. */
export interface BriefRoute extends Omit<ClientRoute, 'layout' | 'guard'> {
  /** Absent: main. */
  readonly layout?: ClientRoute['layout']
  /** A group of the menu whose entry is this very path, or as in the route list. */
  readonly guard?: ClientRoute['guard'] | string
}

export function briefRoute({ layout, guard, kind, title, permission, ...route }: ClientRoute): BriefRoute {
  const { screen } = route
  return {
    ...route,
    ...(layout === 'main' ? {} : { layout }),
    ...(guard === undefined ? {} : { guard: typeof guard === 'object' && guard.url === route.path ? guard.parent : guard }),
    ...(kind === undefined || kind === lastPart(screen) ? {} : { kind }),
    ...(title === undefined || title === `screen.${screen}` ? {} : { title }),
    ...(permission === usualPermission(screen) ? {} : { permission }),
  }
}

export function fullRoute({ layout = 'main', guard, permission, ...route }: BriefRoute): ClientRoute {
  const { screen, path } = route
  const asked = permission ?? usualPermission(screen)
  return {
    layout,
    ...(screen === undefined ? {} : { kind: lastPart(screen) as ScreenKind, title: `screen.${screen}` }),
    ...route,
    ...(asked === undefined ? {} : { permission: asked }),
    ...(guard === undefined ? {} : { guard: typeof guard === 'object' || guard === 'always' ? guard : { parent: guard, url: path } }),
  }
}

type Pages = Readonly<Record<string, string>>

/** Where records are looked at, without those beside the list of their own name; empty: such a list, and no such page. */
export function briefPages(pages: Pages, routes: readonly ClientRoute[]): Pages {
  const usual = usualPages(routes)
  return {
    ...Object.fromEntries(Object.keys(usual).filter((entity) => pages[entity] === undefined).map((entity) => [entity, ''])),
    ...Object.fromEntries(Object.entries(pages).filter(([entity, page]) => usual[entity] !== page)),
  }
}

export function fullPages(pages: Pages, routes: readonly ClientRoute[]): Pages {
  return Object.fromEntries(Object.entries({ ...usualPages(routes), ...pages }).filter(([, page]) => page !== ''))
}

/** `brand`: the list `brand.list` at `/master/brand` shows one beside it. */
function usualPages(routes: readonly ClientRoute[]): Pages {
  return Object.fromEntries(
    routes.flatMap(({ path, screen }) => (screen?.endsWith('.list') === true && !path.includes('{') ? [[screen.slice(0, -5).replaceAll('-', '_'), `${path}?edit={ID}`] as const] : [])),
  )
}

/** `sales-order.list` → `list`. */
function lastPart(screen: string | undefined): string | undefined {
  return screen?.split('.').at(-1)
}

/** `sales-order.list` → `sales-order-view`, `ar-aging.report` → `report-ar-aging-view`. */
function usualPermission(screen: string | undefined): string | undefined {
  return screen === undefined ? undefined : `${lastPart(screen) === 'report' ? 'report-' : ''}${screen.split('.')[0]}-view`
}

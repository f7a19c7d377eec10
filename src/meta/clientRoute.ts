import type { Route, ScreenKind } from '#meta/resolved.ts'

/** A row of the route list as the client's router reads it. */
export interface ClientRoute extends Omit<Route, 'reads' | 'runs'> {
  /** Kind and title key of the screen that serves the path; its guard is the route's `permission`. */
  readonly kind?: ScreenKind
  readonly title?: string
}

/** The same without what goes without saying: every page loads the whole list. */
export interface BriefRoute extends Omit<ClientRoute, 'layout' | 'guard'> {
  /** Absent: main. */
  readonly layout?: ClientRoute['layout']
  /** A group of the menu whose entry is this very path, or as in the route list. */
  readonly guard?: ClientRoute['guard'] | string
}

export function briefRoute({ layout, guard, kind, title, ...route }: ClientRoute): BriefRoute {
  const { screen } = route
  return {
    ...route,
    ...(layout === 'main' ? {} : { layout }),
    ...(guard === undefined ? {} : { guard: typeof guard === 'object' && guard.url === route.path ? guard.parent : guard }),
    ...(kind === undefined || kind === lastPart(screen) ? {} : { kind }),
    ...(title === undefined || title === `screen.${screen}` ? {} : { title }),
  }
}

export function fullRoute({ layout = 'main', guard, ...route }: BriefRoute): ClientRoute {
  const { screen, path } = route
  return {
    layout,
    ...(screen === undefined ? {} : { kind: lastPart(screen) as ScreenKind, title: `screen.${screen}` }),
    ...route,
    ...(guard === undefined ? {} : { guard: typeof guard === 'object' || guard === 'always' ? guard : { parent: guard, url: path } }),
  }
}

/** `sales-order.list` → `list`. */
function lastPart(screen: string | undefined): string | undefined {
  return screen?.split('.').at(-1)
}

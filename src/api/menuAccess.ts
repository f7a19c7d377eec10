import type { Route } from '#meta/resolved.ts'
import type { MenuEntry } from './session.ts'

/** May somebody with this menu open the route? A route without a guard is open to everyone signed in. */
export function isAllowed(route: Pick<Route, 'guard'>, menu: readonly MenuEntry[]): boolean {
  const { guard } = route
  if (guard === undefined || guard === 'always') return true
  return menu.some((parent) => parent.name === guard.parent && parent.submenu.some((entry) => entry.url === guard.url))
}

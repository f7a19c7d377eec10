import type { MenuEntry } from '#api/session.ts'
import type { ClientRoute } from '#meta/clientRoute.ts'

/** May somebody with this menu open the route? A route without a guard is open to everyone signed in. */
export function isAllowed(route: Pick<ClientRoute, 'guard'>, menu: readonly MenuEntry[]): boolean {
  const { guard } = route
  if (guard === undefined || guard === 'always') return true
  return menu.some((parent) => parent.name === guard.parent && parent.submenu.some((entry) => entry.url === guard.url))
}

/** May the page be opened while the password is too old? Only home, where the alert stands, and the profile. */
export function isOpenWhileExpired(pathname: string): boolean {
  return pathname === '/home' || pathname === '/profile' || pathname.startsWith('/profile/')
}

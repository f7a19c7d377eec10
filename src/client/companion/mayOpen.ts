import { useAtomValue } from 'jotai'
import { isAllowed } from '#api/menuAccess.ts'
import type { MenuEntry } from '#api/session.ts'
import { matchRoute } from '../app/routeTable.ts'
import { sessionAtom } from '../data/session.ts'

/** Does the menu lead to where the path leads? */
export function mayOpen(path: string, menu: readonly MenuEntry[]): boolean {
  const match = matchRoute(path.split('?')[0] ?? path)
  return match !== undefined && isAllowed(match.route, menu)
}

/** The same for the user's own menu. */
export function useMayOpen(): (path: string) => boolean {
  const menu = useAtomValue(sessionAtom)?.menu ?? []
  return (path) => mayOpen(path, menu)
}

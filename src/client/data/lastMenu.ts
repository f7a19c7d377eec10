import type { MenuEntry } from '#api/session.ts'
import type { ClientRoute } from '#meta/clientRoute.ts'
import { readCookie } from './cookies.ts'
import { keep, readKept } from './kept.ts'
import { onSignOut, sessionAtom, store } from './session.ts'

const key = 'menu'

/**
 * Was the route in the menu when the server last told it to this session? A guess of what the server is about to say, so that an allowed page
 * need not wait for it; what is shown is decided by the answer alone.
 */
export function wasAllowed({ guard }: Pick<ClientRoute, 'guard'>): boolean {
  const [session, ...names] = (readKept(key) ?? '').split('\n')
  return session === sessionName() && (typeof guard !== 'object' || names.includes(nameOf(guard.parent, guard.url)))
}

/** Keeps each menu the server tells, under the session it is told to, until somebody signs out. */
export function keepLastMenu(): void {
  store.sub(sessionAtom, () => {
    const menu = store.get(sessionAtom)?.menu
    if (menu !== undefined) keep(key, [sessionName(), ...menu.flatMap(namesOf)].join('\n'))
  })
  onSignOut(() => keep(key, null))
}

const sessionName = (): string => `${readCookie('log_login_id')}`

const namesOf = ({ name, submenu }: MenuEntry): readonly string[] => submenu.map(({ url }) => nameOf(name, url))

const nameOf = (parent: string, url: string): string => `${parent} ${url}`

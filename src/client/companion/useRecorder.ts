import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { pageNameAtom } from '../app/pageName.ts'
import { titleKeyOf, matchRoute } from '../app/routeTable.ts'
import { sessionAtom } from '../data/session.ts'
import { keepVisit } from './recent.ts'

/** A page passed through on the way to another has not been visited. */
const stayMs = 1_000

/** Remembers pages one has stayed on, for the home page and the palette. */
export function useRecorder(pathname: string): void {
  const userId = useAtomValue(sessionAtom)?.user.user_id
  const named = useAtomValue(pageNameAtom)
  const name = named?.pathname === pathname ? named.name : undefined
  useEffect(() => {
    const match = matchRoute(pathname)
    if (userId === undefined || match === undefined || titleKeyOf(match.route) === undefined) return undefined
    const timer = setTimeout(() => keepVisit(userId, name === undefined ? { url: pathname } : { url: pathname, name }), stayMs)
    return () => clearTimeout(timer)
  }, [pathname, name, userId])
}

import { readKept } from '../data/kept.ts'
import { beforeSignOut, sessionAtom, store } from '../data/session.ts'
import { loadChunk } from './chunks.ts'

/** A salesman's day that this browser has put by is gone once he has signed out. */
export function forgetVisitsOnSignOut(): void {
  beforeSignOut(async () => {
    const user = store.get(sessionAtom)?.user.user_id
    if (user === undefined || readKept(`visits:${user}`) === null) return
    await loadChunk(() => import('../visits/leave.ts')).then(({ leaveVisits }) => leaveVisits(user), () => undefined)
  })
}

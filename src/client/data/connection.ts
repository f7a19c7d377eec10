/** How far the server is, as far as calls have shown. `lost`: given up, the user has to sign in again once it answers. */
export type Connection = 'fine' | 'away' | 'lost'

let state: Connection = 'fine'
const listeners = new Set<() => void>()

export function connection(): Connection {
  return state
}

export function onConnection(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function setConnection(next: Connection): void {
  if (next === state || state === 'lost') return
  state = next
  for (const listener of [...listeners]) listener()
}

/** A server that restarts is back by then. */
const graceMs = 15_000
/** A computer that says itself that it has no network gets longer: it wakes up, or changes from one network to another. */
const offlineGraceMs = 60_000
const pausesMs = [400, 1_200, 2_400, 4_000] as const

interface Trial {
  /** How often the call has been sent without an answer. */
  readonly sent: number
  readonly since: number
  readonly signal: AbortSignal | undefined
  readonly isReachable: () => Promise<boolean>
}

/**
 * After a call without an answer: waits, then says whether it is worth sending again. Not when the time is up, and not when the server
 * answers other calls while this one keeps failing.
 */
export async function isWorthAnotherTry({ sent, since, signal, isReachable }: Trial): Promise<boolean> {
  setConnection('away')
  if (Date.now() - since > (navigator.onLine ? graceMs : offlineGraceMs)) return false
  if (sent > pausesMs.length - 1 && navigator.onLine && (await isReachable())) return false
  await pause(pausesMs[Math.min(sent, pausesMs.length) - 1] ?? 0, signal)
  return signal?.aborted !== true
}

/** Ends early when the network comes back or the caller loses interest. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
    signal?.addEventListener('abort', done)
  })
}

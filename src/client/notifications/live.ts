import type { NotificationRecord, NotificationState } from '#api/notification.ts'
import { pause } from '../data/connection.ts'
import { loseSession } from '../data/http.ts'
import { readEvents, type ServerEvent } from './eventStream.ts'

export interface Hearing {
  state(state: NotificationState): void
  notification(record: NotificationRecord): void
}

/** The server shows every 25 seconds that it lives. A computer that slept finds its stream silent. */
const silenceMs = 60_000
/** Browsers allow six connections to a server over HTTP/1.1: windows nobody looks at give theirs back. */
const hiddenMs = 60_000
const shortestPauseMs = 1_000
const longestPauseMs = 60_000

/** Hears of notifications while the window is seen; comes back after every break, more slowly each time it fails. Returns how to stop. */
export function listenLive(hearing: Hearing): () => void {
  const stop = new AbortController()
  void run(hearing, stop.signal)
  return () => stop.abort()
}

async function run(hearing: Hearing, stopped: AbortSignal): Promise<void> {
  let failures = 0
  while (!stopped.aborted) {
    await untilSeen(stopped)
    if (stopped.aborted) return
    const end = await listenOnce(hearing, stopped)
    if (end === 'unauthorized') return loseSession('SESSION_REFUSED')
    failures = end === 'closed' || end === 'left' ? 0 : failures + 1
    // Not all windows at the same moment after the server was away.
    if (end !== 'left') await pause(Math.min(shortestPauseMs * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2), stopped)
  }
}

async function listenOnce(hearing: Hearing, stopped: AbortSignal): Promise<'closed' | 'unauthorized' | 'refused' | 'broken' | 'left'> {
  const leave = new AbortController()
  let silence: ReturnType<typeof setTimeout> | undefined
  const onSign = (): void => {
    clearTimeout(silence)
    silence = setTimeout(() => leave.abort('silent'), silenceMs)
  }
  const forget = whenHidden(hiddenMs, () => leave.abort('hidden'))
  onSign()
  try {
    const end = await readEvents('/api/v1/notifications/stream', AbortSignal.any([stopped, leave.signal]), onSign, (event) => tell(hearing, event))
    return leave.signal.reason === 'hidden' || stopped.aborted ? 'left' : end
  } finally {
    clearTimeout(silence)
    forget()
  }
}

function tell(hearing: Hearing, { event, data }: ServerEvent): void {
  // The server says what it says in src/api/notification.ts.
  if (event === 'state') hearing.state(data as NotificationState)
  else if (event === 'notification') hearing.notification(data as NotificationRecord)
}

function untilSeen(stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.visibilityState !== 'visible' && !stopped.aborted) return
      document.removeEventListener('visibilitychange', look)
      stopped.removeEventListener('abort', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    stopped.addEventListener('abort', look)
    look()
  })
}

/** Acts once the window has been hidden for so long. Returns how to forget it. */
function whenHidden(ms: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (): void => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(act, ms)
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}

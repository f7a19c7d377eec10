import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** A fresh copy of the module in a window that is online or not, with a clock of its own. */
async function scene(onLine = true) {
  vi.resetModules()
  const target = new EventTarget()
  vi.stubGlobal('window', target)
  vi.stubGlobal('navigator', { onLine })
  return { ...(await import('#client/data/connection.ts')), target }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Sends a call that never gets an answer until it is given up; the milliseconds that took. */
async function untilGivenUp({ isWorthAnotherTry }: Awaited<ReturnType<typeof scene>>, isReachable: () => Promise<boolean>): Promise<{ readonly ms: number; readonly sent: number }> {
  const since = Date.now()
  let sent = 1
  for (; ; sent++) {
    const asked = isWorthAnotherTry({ sent, since, signal: undefined, isReachable })
    await vi.advanceTimersByTimeAsync(5_000)
    if (!(await asked)) return { ms: Date.now() - since, sent }
  }
}

describe('a call without an answer', () => {
  it('is repeated through a blip: the first repetition comes within half a second', async () => {
    const { isWorthAnotherTry, connection } = await scene()
    const asked = isWorthAnotherTry({ sent: 1, since: Date.now(), signal: undefined, isReachable: async () => true })
    expect(connection()).toBe('away')
    await vi.advanceTimersByTimeAsync(400)
    await expect(asked).resolves.toBe(true)
  })

  it('is given up when the server answers others all the while, and at the latest when a restart would be over', async () => {
    const reachable = await untilGivenUp(await scene(), async () => true)
    expect(reachable.sent).toBe(4)
    const away = await untilGivenUp(await scene(), async () => false)
    expect(away.ms).toBeGreaterThan(15_000)
    expect(away.ms).toBeLessThan(30_000)
  })

  it('waits longer on a computer that has no network, and goes at once when it comes back', async () => {
    const offline = await untilGivenUp(await scene(false), async () => false)
    expect(offline.ms).toBeGreaterThan(60_000)
    const { isWorthAnotherTry, target } = await scene(false)
    const asked = isWorthAnotherTry({ sent: 4, since: Date.now(), signal: undefined, isReachable: async () => false })
    target.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    await expect(asked).resolves.toBe(true)
  })

  it('is not repeated for a page that has gone elsewhere', async () => {
    const { isWorthAnotherTry } = await scene()
    const stop = new AbortController()
    const asked = isWorthAnotherTry({ sent: 1, since: Date.now(), signal: stop.signal, isReachable: async () => true })
    stop.abort()
    await vi.advanceTimersByTimeAsync(0)
    await expect(asked).resolves.toBe(false)
  })
})

it('a session once lost stays lost', async () => {
  const { connection, setConnection, onConnection } = await scene()
  const heard: string[] = []
  onConnection(() => heard.push(connection()))
  setConnection('away')
  setConnection('fine')
  setConnection('away')
  setConnection('lost')
  setConnection('fine')
  expect(heard).toEqual(['away', 'fine', 'away', 'lost'])
})

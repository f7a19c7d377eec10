import fs from 'node:fs'

/** Milliseconds of processor this thread has had; the clock where the system does not tell, which counts others on the computer too. */
function spent(): number {
  try {
    return Number(fs.readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

/** The longest time the event loop was held by one piece of work while this ran, in milliseconds, and what it came to. */
export async function watchLoop<T>(work: () => Promise<T>): Promise<{ readonly longest: number; readonly result: T }> {
  let longest = 0
  let last = spent()
  const look = (): void => {
    const now = spent()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  try {
    const result = await work()
    await new Promise((resolve) => setImmediate(resolve))
    look()
    return { longest, result }
  } finally {
    clearInterval(timer)
  }
}

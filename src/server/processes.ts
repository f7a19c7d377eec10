import cluster, { type Worker } from 'node:cluster'

/** Connections all processes of a server hold to its database together. */
const connectionsTogether = 32
const readyWord = 'ready'

/** Connections each of so many processes may hold to the database. */
export function connectionsEach(processes: number): number {
  return Math.max(5, Math.floor(connectionsTogether / processes))
}

/** Whether this process serves; otherwise it only watches over those that do. */
export const isServing = (processes: number): boolean => processes === 1 || cluster.isWorker

/** Whether what is said once when a server starts is this process's to say. */
export const isFirst = (): boolean => cluster.worker === undefined || cluster.worker.id === 1

/** Tells the watching process, where there is one, that this one answers now. */
export function sayReady(): void {
  if (cluster.isWorker) process.send?.(readyWord)
}

/** So long after one that ended before it answered the next is begun: the database may be away for a while. */
const pauseMs = 1_000

/**
 * Serves one port with so many processes, each the whole server over the same database. One that ends is replaced, tried again until it can be; one that
 * ends before any has ever answered ends them all, for the next would fare no better. Resolves when all have ended, with the exit code: 0
 * after SIGTERM or SIGINT.
 */
export function superviseProcesses(count: number, log: (line: string) => void): Promise<number> {
  // Not `cluster.workers`: that one forgets a process only once both its end and the end of its channel are known, in whichever order.
  const running = new Map<number, Worker>()
  const ready = new Set<number>()
  let hasAnswered = false
  let exitCode: number | undefined
  let waiting: NodeJS.Timeout | undefined
  return new Promise((resolve) => {
    const end = (): void => {
      if (exitCode !== undefined && running.size === 0) resolve(exitCode)
    }
    const stop = (code: number): void => {
      exitCode ??= code
      clearTimeout(waiting)
      for (const worker of running.values()) worker.process.kill('SIGTERM')
      end()
    }
    const begin = (): void => {
      const worker = cluster.fork()
      running.set(worker.id, worker)
      worker.on('message', (word) => {
        if (word !== readyWord) return
        ready.add(worker.id)
        hasAnswered = true
        if (ready.size === count) log(`${count} server processes answer.`)
      })
    }
    /** As many as there should be. */
    const fill = (): void => {
      while (running.size < count) begin()
    }
    cluster.on('exit', (worker, code, signal) => {
      running.delete(worker.id)
      const wasReady = ready.delete(worker.id)
      if (exitCode !== undefined) return end()
      if (!hasAnswered) return stop(1)
      log(`A server process ended (${signal ?? code}); another takes its place.`)
      clearTimeout(waiting)
      waiting = setTimeout(fill, wasReady ? 0 : pauseMs)
    })
    process.on('SIGTERM', () => stop(0))
    process.on('SIGINT', () => stop(0))
    fill()
  })
}

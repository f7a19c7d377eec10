import cluster from 'node:cluster'

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

/**
 * Serves one port with so many processes, each the whole server over the same database. One that ends is replaced; one that ends before it
 * ever answered ends them all, for the next would fare no better. Resolves when all have ended, with the exit code: 0 after SIGTERM or SIGINT.
 */
export function superviseProcesses(count: number, log: (line: string) => void): Promise<number> {
  const ready = new Set<number>()
  let exitCode: number | undefined
  const stop = (code: number): void => {
    exitCode ??= code
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
  }
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  return new Promise((resolve) => {
    const begin = (): void => {
      const worker = cluster.fork()
      worker.on('message', (word) => {
        if (word === readyWord) ready.add(worker.id)
      })
    }
    cluster.on('exit', (worker, code, signal) => {
      if (exitCode === undefined && ready.delete(worker.id)) {
        log(`A server process ended (${signal ?? code}); another takes its place.`)
        begin()
        return
      }
      if (exitCode === undefined) stop(1)
      if (Object.keys(cluster.workers ?? {}).length === 0) resolve(exitCode ?? 1)
    })
    for (let started = 0; started < count; started++) begin()
  })
}

import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { bundledBeside } from '#server/bundledBeside.ts'
import { lockDirectory } from './directoryLock.ts'
import { statementPrefix, type FromWorker, type ToWorker, type WorkerSettings } from './workerMessages.ts'

export interface EmbeddedOptions {
  readonly directory: string
  readonly isDurable?: boolean
  readonly sharedBuffersMb?: number
  readonly maintenanceMs?: number
  /** A statement running longer is cut off by restarting the worker: PGlite knows no statement_timeout. */
  readonly statementTimeoutMs?: number
  readonly log?: (line: string) => void
}

declare global {
  namespace WebAssembly {
    // Node has it, its types do not.
    function compile(bytes: Uint8Array): Promise<Module>
  }
}

/** PGlite in a worker thread, spoken to in PostgreSQL's wire protocol through something that looks like a socket. */
export interface EmbeddedServer {
  /** A socket for one client. PGlite has one session: clients take turns, and who is in a transaction is served alone. */
  connect(): Duplex
  /** Resolves when everything committed before is on disk; rejects when that is not known. */
  flush(): Promise<void>
  /** Copies the data directory, as it is between two transactions, to a folder that is not there yet. Everybody else waits; rejects when it cannot be written. */
  copyTo(folder: string): Promise<void>
  /** Times it had to be started again. */
  readonly restarts: number
  close(): Promise<void>
}

/** Opens (and creates, if empty) the data directory. Resolves when it answers; throws when another process holds it. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const parts = { program: await (program ??= compile()), file: await (workerFile ??= bundledBeside(import.meta.dirname, 'worker')) }
  const server = new WorkerServer(options, parts)
  const lock = await lockDirectory(options.directory, () => server.abandon())
  try {
    await server.start()
  } catch (error) {
    lock.release()
    throw error
  }
  return {
    connect: () => new WireSocket(server),
    flush: () => server.flush(),
    copyTo: (folder) => server.copyTo(folder),
    get restarts() {
      return server.restarts
    },
    close: async () => {
      await server.close()
      lock.release()
    },
  }
}

interface Parts {
  readonly program: WebAssembly.Module
  /** The worker's script. */
  readonly file: string
}

/** Somebody who waits for word from the worker. */
interface Waiter {
  readonly done: () => void
  readonly failed: (error: Error) => void
}

class WorkerServer {
  readonly sockets = new Map<number, WireSocket>()
  readonly #options: EmbeddedOptions
  readonly #parts: Parts
  readonly #log: (line: string) => void
  #worker: Worker | undefined
  #nextSession = 1
  #nextFlush = 1
  readonly #flushes = new Map<number, Waiter>()
  #nextCopy = 1
  #isCopying = false
  readonly #copies = new Map<number, Waiter>()
  #waiting = 0
  #isReady = false
  #watchdog: NodeJS.Timeout | undefined
  #isClosing = false
  restarts = 0
  /** Moments of those within a minute. */
  #restarts: number[] = []
  #onClosed: (() => void) | undefined

  constructor(options: EmbeddedOptions, parts: Parts) {
    this.#options = options
    this.#parts = parts
    this.#log = options.log ?? (() => undefined)
  }

  /** Spawns the worker; settles when the database is open. Messages sent meanwhile wait in the worker's queue. */
  start(): Promise<void> {
    const settings: WorkerSettings = {
      program: this.#parts.program,
      directory: this.#options.directory,
      isDurable: this.#options.isDurable ?? true,
      sharedBuffersMb: this.#options.sharedBuffersMb ?? 96,
      maintenanceMs: this.#options.maintenanceMs ?? 5_000,
    }
    fs.mkdirSync(path.dirname(path.resolve(settings.directory)), { recursive: true })
    const worker = new Worker(this.#parts.file, { workerData: settings })
    this.#worker = worker
    this.#waiting = 0
    this.#isReady = false
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') {
          this.#isReady = true
          this.#watch()
          resolve()
        } else this.#receive(message)
      })
      worker.on('error', (error) => {
        this.#log(`Database worker failed: ${error.message}`)
        reject(error)
      })
      worker.on('exit', (code) => {
        reject(new Error(`The embedded database ended with code ${code} while opening.`))
        if (this.#worker === worker) this.#afterExit()
      })
    })
  }

  /** undefined when the worker has been given up. */
  open(socket: WireSocket): number | undefined {
    if (!this.#worker) return undefined
    const session = this.#nextSession++
    this.sockets.set(session, socket)
    this.post({ kind: 'open', session })
    return session
  }

  flush(): Promise<void> {
    return new Promise((done, failed) => {
      if (!this.#worker) {
        failed(new Error('The embedded database is not running.'))
        return
      }
      const flush = this.#nextFlush++
      this.#flushes.set(flush, { done, failed })
      this.post({ kind: 'flush', flush })
    })
  }

  copyTo(folder: string): Promise<void> {
    return new Promise((done, failed) => {
      if (!this.#worker) {
        failed(new Error('The embedded database is not running.'))
        return
      }
      const copy = this.#nextCopy++
      this.#copies.set(copy, { done, failed })
      this.post({ kind: 'copy', copy, to: path.resolve(folder) })
    })
  }

  post(message: ToWorker): void {
    if (!this.#worker) return
    if (message.kind === 'bytes' || message.kind === 'flush') {
      this.#waiting++
      this.#watch()
    }
    if (message.kind === 'bytes') {
      this.#worker.postMessage(message, message.bytes.buffer instanceof ArrayBuffer ? [message.bytes.buffer] : [])
    } else {
      this.#worker.postMessage(message)
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    const worker = this.#worker
    if (worker) {
      await new Promise<void>((resolve) => {
        this.#onClosed = resolve
        worker.once('exit', () => resolve())
        this.post({ kind: 'close' })
      })
      await worker.terminate()
    }
    clearTimeout(this.#watchdog)
    this.#worker = undefined
  }

  /** Somebody else has the folder: nothing more may be written to it. */
  abandon(): void {
    this.#isClosing = true
    this.#log('The data folder was taken over by another server while this one stood still; its database is closed.')
    void this.#worker?.terminate()
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'bytes' || message.kind === 'done') {
      if (message.bytes.length > 0) this.sockets.get(message.session)?.push(Buffer.from(message.bytes.buffer))
      if (message.kind === 'bytes') return
      this.#waiting--
      this.#watch()
    } else if (message.kind === 'flushed') {
      this.#waiting--
      this.#watch()
      this.#flushes.get(message.flush)?.done()
      this.#flushes.delete(message.flush)
    } else if (message.kind === 'copying') {
      this.#isCopying = true
      this.#watch()
    } else if (message.kind === 'copied') {
      this.#isCopying = false
      const waiting = this.#copies.get(message.copy)
      this.#copies.delete(message.copy)
      if (message.problem === undefined) waiting?.done()
      else waiting?.failed(new Error(message.problem))
      // Who waited behind it begins to wait now.
      this.#watch()
    } else if (message.kind === 'broken') this.#log(`Embedded database stopped: ${message.message}`)
    else if (message.kind === 'closed') this.#onClosed?.()
  }

  /** The clock runs while an answer is owed, from the last sign of progress; opening the database does not count. */
  #watch(): void {
    clearTimeout(this.#watchdog)
    // While it is copied nobody is served, however long that takes.
    if (this.#waiting === 0 || !this.#isReady || this.#isCopying) return
    const limit = this.#options.statementTimeoutMs ?? 180_000
    this.#watchdog = setTimeout(() => {
      this.#log(`A statement ran longer than ${limit / 1000} s; the embedded database is restarted.`)
      void this.#worker?.terminate()
    }, limit)
    this.#watchdog.unref()
  }

  #afterExit(): void {
    clearTimeout(this.#watchdog)
    this.#worker = undefined
    for (const socket of this.sockets.values()) socket.destroy(new Error('The embedded database was restarted; the statement was not completed.'))
    this.sockets.clear()
    for (const { failed } of this.#flushes.values()) failed(new Error('The embedded database was restarted before all was on disk.'))
    this.#flushes.clear()
    for (const { failed } of this.#copies.values()) failed(new Error('The embedded database was restarted while it was copied.'))
    this.#copies.clear()
    this.#isCopying = false
    if (this.#isClosing) return
    const now = Date.now()
    this.#restarts = [...this.#restarts.filter((at) => now - at < 60_000), now]
    if (this.#restarts.length > 5) {
      this.#log('The embedded database ended six times within a minute; it is not restarted again.')
      return
    }
    this.#log('Restarting the embedded database.')
    this.restarts += 1
    this.start().catch((error: unknown) => this.#log(`Restart failed: ${String(error)}`))
  }
}

/** PGlite's program, compiled once a process: what one database has made fast by running it is fast in the next, and after a restart. */
let program: Promise<WebAssembly.Module> | undefined

async function compile(): Promise<WebAssembly.Module> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await fs.promises.readFile(path.join(folder, 'pglite.wasm')))
}

let workerFile: Promise<string> | undefined

/** The worker as JavaScript. Unbundled (tests, development) it is TypeScript: bundled here, because a loader of its own would cost each worker more than opening the database. */
/** What the driver takes for a socket. */
class WireSocket extends Duplex {
  readonly #server: WorkerServer
  #session = 0
  statementPrefix = ''

  constructor(server: WorkerServer) {
    super()
    this.#server = server
  }

  connect(): this {
    const session = this.#server.open(this)
    if (session === undefined) {
      this.destroy(new Error('The embedded database is not running.'))
      return this
    }
    this.#session = session
    this.statementPrefix = statementPrefix(session)
    process.nextTick(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _read(): void {
    // Data is pushed as it arrives.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#server.post({ kind: 'bytes', session: this.#session, bytes: Uint8Array.from(chunk) })
    done()
  }

  override _writev(chunks: { readonly chunk: Buffer; readonly encoding: BufferEncoding }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map((part) => part.chunk)), 'binary', done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#server.post({ kind: 'end', session: this.#session })
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#server.sockets.delete(this.#session)
    this.#server.post({ kind: 'end', session: this.#session })
    done(error)
  }
}

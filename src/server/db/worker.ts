import fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { FrontendMessages } from './frontendMessages.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './workerMessages.ts'

/** PGlite's Node file system never calls fsync; this one does, so that a power cut loses no acknowledged commit. */
class DurableNodeFS extends NodeFS {
  override async init(...[pg, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(pg, options)
    const hook = (module: { NODEFS: { stream_ops: { fsync?: (stream: { nfd?: number }) => number } } }): void => {
      module.NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fs.fsyncSync(stream.nfd)
        return 0
      }
    }
    const before = result.emscriptenOpts.preRun
    Object.assign(result.emscriptenOpts, { preRun: [...(Array.isArray(before) ? before : before ? [before] : []), hook] })
    return result
  }
}

const port = parentPort
if (!port) throw new Error('The database worker runs only as a worker thread.')
const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)
const settings = workerData as WorkerSettings

const parameters = PGlite.defaultStartParams.filter((part) => !settings.isDurable || part !== '-F')
if (settings.isDurable) parameters.push('-c', 'fsync=on', '-c', 'wal_sync_method=fsync')
else parameters.push('-c', 'synchronous_commit=off', '-c', 'full_page_writes=off')
parameters.push('-c', `shared_buffers=${settings.sharedBuffersMb}MB`, '-c', 'work_mem=16MB', '-c', 'jit=off', '-c', 'TimeZone=UTC')

const database = await PGlite.create({
  fs: settings.isDurable ? new DurableNodeFS(settings.directory) : new NodeFS(settings.directory),
  extensions: { pg_trgm },
  pgliteWasmModule: settings.program,
  startParams: parameters,
})

let chain: Promise<unknown> = Promise.resolve()
let current: { readonly session: number; readonly messages: FrontendMessages } | undefined
let lastUse = Date.now()
let isDirty = false

/** One statement batch at a time, in the order they came. A broken WASM instance cannot be trusted again: the process of this thread ends. */
function enqueue(work: () => Promise<unknown>): void {
  chain = chain.then(work).catch((error: unknown) => {
    send({ kind: 'broken', message: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  })
}

async function endSession(): Promise<void> {
  if (!current) return
  current = undefined
  if (database.isInTransaction()) await database.exec('rollback')
  await database.exec('discard all')
}

/** A message to the other thread costs as much as a small statement: what a batch answers goes over in one. */
const longestPart = 256 * 1024
let answer: Uint8Array[] = []
let length = 0

function takeAnswer(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of answer) {
    bytes.set(part, at)
    at += part.length
  }
  answer = []
  length = 0
  return bytes
}

function sendBytes(kind: 'bytes' | 'done', session: number): void {
  const bytes = takeAnswer()
  send({ kind, session, bytes }, [bytes.buffer])
}

port.on('message', (message: ToWorker) => {
  if (message.kind === 'open') {
    enqueue(async () => {
      await endSession()
      current = { session: message.session, messages: new FrontendMessages() }
    })
  } else if (message.kind === 'end') {
    enqueue(async () => {
      if (current?.session === message.session) await endSession()
    })
  } else if (message.kind === 'bytes') {
    enqueue(async () => {
      const { session } = message
      for (const batch of current?.session === session ? current.messages.push(message.bytes) : []) {
        if (batch.isEnd) {
          await endSession()
          break
        }
        lastUse = Date.now()
        isDirty = true
        await database.execProtocolRawStream(batch.bytes, {
          onRawData: (bytes) => {
            answer.push(Uint8Array.from(bytes))
            length += bytes.length
            // A long answer is handed over in parts, so that it is read while it is made.
            if (length > longestPart) sendBytes('bytes', session)
          },
        })
      }
      sendBytes('done', session)
    })
  } else {
    enqueue(async () => {
      await database.exec('checkpoint')
      await database.close()
      send({ kind: 'closed' })
    })
  }
})

const checkpointBytes = 64 * 1024 * 1024
const checkpointMs = 5 * 60_000
let lastCheckpoint = Date.now()
let checkpointLsn = '0/0'

/** PGlite has neither checkpointer nor autovacuum: without this the log and the tables grow and reopening after a crash takes long. */
async function maintain(): Promise<void> {
  if (!isDirty || Date.now() - lastUse < 2_000 || database.isInTransaction()) return
  const { rows } = await database.query<{ lsn: string; bytes: string }>(
    'select pg_current_wal_lsn()::text as lsn, pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::text as bytes',
    [checkpointLsn],
  )
  const [wal] = rows
  if (!wal || (Number(wal.bytes) < checkpointBytes && Date.now() - lastCheckpoint < checkpointMs)) return
  const changed = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
     where n_dead_tup > 1000 + 0.1 * n_live_tup or n_mod_since_analyze > 1000 + 0.1 * n_live_tup order by n_dead_tup desc limit 3`,
  )
  // Few tables a turn, so that a request arriving meanwhile waits for one VACUUM and not for all.
  for (const table of changed.rows) await database.exec(`vacuum (analyze) ${table.name}`)
  await database.exec('checkpoint')
  lastCheckpoint = Date.now()
  checkpointLsn = wal.lsn
  isDirty = changed.rows.length > 0
}

setInterval(() => enqueue(maintain), settings.maintenanceMs)
send({ kind: 'ready' })

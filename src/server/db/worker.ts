import fs from 'node:fs'
import path from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { FrontendMessages } from './frontendMessages.ts'
import { NodeFiles } from './nodeFiles.ts'
import { lockFolder, statementPrefix, type FromWorker, type ToWorker, type WorkerSettings } from './workerMessages.ts'

const port = parentPort
if (!port) throw new Error('The database worker runs only as a worker thread.')
const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)
const settings = workerData as WorkerSettings

const parameters = PGlite.defaultStartParams.filter((part) => !settings.isDurable || part !== '-F')
if (settings.isDurable) parameters.push('-c', 'fsync=on', '-c', 'wal_sync_method=fsync')
else parameters.push('-c', 'full_page_writes=off')
// A commit does not wait for the disk: who is told of it does, and asks for a flush that serves all who wait (database.ts).
parameters.push('-c', 'synchronous_commit=off')
parameters.push('-c', `shared_buffers=${settings.sharedBuffersMb}MB`, '-c', 'work_mem=16MB', '-c', 'jit=off', '-c', 'TimeZone=UTC')

const files = new NodeFiles(settings.directory, settings.isDurable)
const database = await PGlite.create({
  fs: files,
  extensions: { pg_trgm },
  pgliteWasmModule: settings.program,
  startParams: parameters,
})

let lastUse = Date.now()
let isDirty = false

/** What one client has sent that is not a whole batch yet. The database knows one session: its clients share it and take turns. */
const clients = new Map<number, FrontendMessages>()

interface Task {
  /** undefined: the worker's own. */
  readonly session: number | undefined
  readonly work: () => Promise<void>
}

const tasks: Task[] = []
/** The client whose transaction is open: until it ends nobody else is served. */
let owner: number | undefined
let isServing = false

function enqueue(session: number | undefined, work: () => Promise<void>): void {
  tasks.push({ session, work })
  void serve()
}

/** One task after another in the order they came; a broken WASM instance cannot be trusted again: the process of this thread ends. */
async function serve(): Promise<void> {
  if (isServing) return
  isServing = true
  try {
    for (let task = nextTask(); task; task = nextTask()) await task.work()
  } catch (error) {
    giveUp(error)
  }
  isServing = false
}

function giveUp(error: unknown): never {
  send({ kind: 'broken', message: error instanceof Error ? error.message : String(error) })
  process.exit(1)
}

function nextTask(): Task | undefined {
  const at = owner === undefined ? 0 : tasks.findIndex(({ session }) => session === owner)
  return at < 0 ? undefined : tasks.splice(at, 1)[0]
}

/** What the client has begun is undone and what it has prepared is dropped. */
async function endSession(session: number): Promise<void> {
  if (!clients.delete(session)) return
  if (owner === session) {
    owner = undefined
    await database.exec('rollback')
  }
  if (clients.size === 0) {
    await database.exec('discard all')
    return
  }
  const { rows } = await database.query<{ name: string }>('select name from pg_prepared_statements where starts_with(name, $1)', [statementPrefix(session)])
  for (const { name } of rows) await database.exec(`deallocate "${name}"`)
}

/** A message to the other thread costs as much as a small statement: what a batch answers goes over in one. */
const longestPart = 256 * 1024
let answer: Uint8Array[] = []
let length = 0
/** The last bytes of an answer: a finished one ends in whether a transaction is open. */
let tail: readonly number[] = []
const isIdle = (): boolean => tail.length < 6 || tail[0] !== 'Z'.charCodeAt(0) || tail[5] === 'I'.charCodeAt(0)

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
  if (message.kind === 'open') clients.set(message.session, new FrontendMessages())
  else if (message.kind === 'end') enqueue(message.session, () => endSession(message.session))
  else if (message.kind === 'bytes') enqueue(message.session, () => answerTo(message.session, message.bytes))
  else if (message.kind === 'flush') enqueue(undefined, () => flush(message.flush))
  else if (message.kind === 'copy') enqueue(undefined, () => copy(message.copy, message.to))
  else {
    enqueue(undefined, async () => {
      await database.exec('checkpoint')
      await database.close()
      send({ kind: 'closed' })
    })
  }
})

async function answerTo(session: number, bytes: Uint8Array): Promise<void> {
  for (const batch of clients.get(session)?.push(bytes) ?? []) {
    if (batch.isEnd) {
      await endSession(session)
      break
    }
    lastUse = Date.now()
    isDirty = true
    await database.execProtocolRawStream(batch.bytes, {
      onRawData: (part) => {
        answer.push(Uint8Array.from(part))
        length += part.length
        tail = [...tail, ...part.subarray(-6)].slice(-6)
        // A long answer is handed over in parts, so that it is read while it is made.
        if (length > longestPart) sendBytes('bytes', session)
      },
    })
    owner = isIdle() ? undefined : session
  }
  sendBytes('done', session)
}

/** Has the log written up to here. */
const flushing = simpleQuery("select pg_logical_emit_message(false, 'flush', '', true)")

/** The disk takes its time while others are served. */
function flush(id: number): Promise<void> {
  let isRefused = false
  return files.behind(
    () => database.execProtocolRawStream(flushing, {
      onRawData: (part) => {
        isRefused ||= part[0] === 'E'.charCodeAt(0)
      },
    }),
    (error) => {
      if (error || isRefused) giveUp(error ?? new Error('The log could not be written.'))
      send({ kind: 'flushed', flush: id })
    },
  )
}

/** Nobody is served meanwhile, so nothing of it changes: a copy as a stop would leave it. A disk that is full is no reason to end. */
async function copy(id: number, to: string): Promise<void> {
  send({ kind: 'copying' })
  await database.exec('checkpoint')
  try {
    fs.cpSync(settings.directory, to, { filter: (from) => path.basename(from) !== lockFolder, recursive: true, errorOnExist: true, force: false, mode: fs.constants.COPYFILE_FICLONE })
    send({ kind: 'copied', copy: id })
  } catch (error) {
    send({ kind: 'copied', copy: id, problem: error instanceof Error ? error.message : String(error) })
  }
}

function simpleQuery(text: string): Uint8Array {
  const bytes = Buffer.alloc(text.length + 6)
  bytes.write('Q')
  bytes.writeInt32BE(text.length + 5, 1)
  bytes.write(text, 5)
  return bytes
}

const checkpointBytes = 64 * 1024 * 1024
const checkpointMs = 5 * 60_000
let lastCheckpoint = Date.now()
let checkpointLsn = '0/0'

/** PGlite has neither checkpointer nor autovacuum: without this the log and the tables grow and reopening after a crash takes long. */
async function maintain(): Promise<void> {
  if (!isDirty || Date.now() - lastUse < 2_000) return
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

setInterval(() => enqueue(undefined, maintain), settings.maintenanceMs)
send({ kind: 'ready' })

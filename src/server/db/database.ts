import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseError, Pool, type PoolClient } from 'pg'
import type { Database, Queries, Row, TransactionOptions } from '#server/context.ts'
import { Batch, type Asked, type Outcome } from './batch.ts'
import { Channels, listen, ListeningConnection, type Hear } from './channels.ts'
import { columnTypes } from './columnTypes.ts'
import { startEmbedded, type EmbeddedOptions } from './embedded.ts'
import { named, type NamedStatement } from './named.ts'
import { forgetPending } from './pendingRows.ts'
import { sql, trusted, type Sql } from './sql.ts'

/** Told of every trip to the database: the statements sent together. What it returns is called when they have been answered. */
export type Trace = (statements: readonly string[]) => (() => void) | void

export type DatabaseOptions =
  | ({ readonly kind: 'embedded'; readonly trace?: Trace } & EmbeddedOptions)
  | { readonly kind: 'postgres'; readonly url: string; readonly connections?: number; readonly log?: (line: string) => void; readonly trace?: Trace }

/** Opens the database of the options and proves that it answers. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = options.kind === 'embedded' ? await openEmbedded(options) : openPostgres(options)
  try {
    await database.warmUp()
  } catch (error) {
    await database.close()
    throw options.kind === 'embedded' ? error : new Error(`The database that DATABASE_URL names cannot be opened: ${reasonOf(error)}`, { cause: error })
  }
  return database
}

/** A name with several addresses fails without a message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

async function openEmbedded(options: EmbeddedOptions & { readonly trace?: Trace }): Promise<PooledDatabase> {
  const server = await startEmbedded(options)
  const channels = new Channels()
  let restarts = 0
  const pool = new Pool({
    // One session serves them all in turn: several have the next question at hand when one is answered.
    max: 3,
    // Whatever is heard comes with the answer to whoever is served next.
    onConnect: async (client) => {
      await channels.attach(client)
      if (restarts === server.restarts) return
      restarts = server.restarts
      setImmediate(() => channels.catchUp())
    },
    stream: () => server.connect(),
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 60_000,
    types: columnTypes,
  })
  return new PooledDatabase({ engine: 'embedded', pool, channels, afterClose: () => server.close(), log: options.log, trace: options.trace, copyTo: (folder) => server.copyTo(folder), ...(options.isDurable === false ? {} : { flush: () => server.flush() }) })
}

function openPostgres(options: DatabaseOptions & { readonly kind: 'postgres' }): PooledDatabase {
  const channels = new Channels()
  const listening = new ListeningConnection({ connectionString: options.url }, channels, options.log ?? (() => undefined))
  const pool = new Pool({
    connectionString: options.url,
    max: options.connections ?? 15,
    connectionTimeoutMillis: 10_000,
    options: '-c TimeZone=UTC -c jit=off -c work_mem=16MB',
    types: columnTypes,
  })
  return new PooledDatabase({ engine: 'postgres', pool, channels, listening, afterClose: () => listening.close(), log: options.log, trace: options.trace })
}

const retryable = new Set(['40001', '40P01'])
const attempts = 5
/** Names a transaction is begun anew for. */
const mostMissed = 20

interface Parts {
  readonly engine: 'embedded' | 'postgres'
  readonly pool: Pool
  readonly channels: Channels
  /** Absent: the connection of the pool listens as well. */
  readonly listening?: ListeningConnection
  readonly afterClose: () => Promise<void>
  readonly log: ((line: string) => void) | undefined
  readonly trace: Trace | undefined
  /** What is committed is on disk only after a flush of its own. Absent: as soon as it is committed. */
  readonly flush?: () => Promise<void>
  readonly copyTo?: (folder: string) => Promise<void>
}

class PooledDatabase implements Database {
  readonly engine: 'embedded' | 'postgres'
  readonly copyTo: ((folder: string) => Promise<void>) | undefined
  readonly home = this
  readonly unit = this
  readonly ahead = this
  readonly #pool: Pool
  readonly #channels: Channels
  readonly #listening: ListeningConnection | undefined
  readonly #afterClose: () => Promise<void>
  /** The transaction the running code is in: the embedded database serves nobody else until it ends, a question beside it would wait for ever. */
  readonly #ambient = new AsyncLocalStorage<Transaction>()
  readonly #lost = new WeakSet<object>()
  readonly #trace: Trace | undefined
  readonly #names = new HeldNames()
  readonly #flush: (() => Promise<void>) | undefined
  /** A flush that has not begun: it takes along whatever is committed until then. */
  #nextFlush: Promise<void> | undefined
  #lastFlush = Promise.resolve()
  #isClosed = false

  constructor({ engine, pool, channels, listening, afterClose, log, trace, flush, copyTo }: Parts) {
    this.engine = engine
    this.copyTo = copyTo
    this.#pool = pool
    this.#channels = channels
    this.#listening = listening
    this.#afterClose = afterClose
    this.#trace = trace
    this.#flush = flush
    // A connection lost while idle is replaced by the pool; without a listener the process would end.
    pool.on('error', (error) => log?.(`Database connection lost: ${error.message}`))
    // Lost while in use: the running statement is rejected as well and asks here why.
    pool.on('connect', (client) => client.on('error', () => this.#lost.add(client)))
  }

  async rows<T extends Row = Row>(statement: Sql): Promise<T[]> {
    return (await this.#query(statement)).rows as T[]
  }

  async first<T extends Row = Row>(statement: Sql): Promise<T | undefined> {
    return (await this.rows<T>(statement))[0]
  }

  async run(statement: Sql): Promise<number> {
    return (await this.#query(statement)).count
  }

  later(statement: Sql | (() => readonly Sql[])): void {
    const outer = this.#ambient.getStore()
    if (!outer?.isOpen) throw new Error('Only within a transaction can a statement be left for later.')
    outer.later(statement)
  }

  async exclusive<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const outer = this.#ambient.getStore()
    if (!outer?.isOpen) throw new Error('Only a transaction can have a name to itself.')
    return outer.exclusive(name, ask)
  }

  foresees(): boolean {
    const outer = this.#ambient.getStore()
    return outer?.isOpen === true && outer.foresees()
  }

  async transaction<T>(work: (tx: Queries) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const outer = this.#ambient.getStore()
    if (outer?.isOpen) return outer.savepoint(work, options.endsLater === true)
    const missed = new Set<string>()
    for (let attempt = 1; ; attempt++) {
      const connect = (): Promise<PoolClient> => this.#connect()
      const transaction = new Transaction(this, options, {
        connect, trace: this.#trace, names: this.engine === 'embedded' ? this.#names : undefined, mayForesee: attempt === 1,
      })
      try {
        // One after another in one order: of two who want the same names none waits for the other.
        for (const name of [...missed].toSorted()) await transaction.exclusive(name, async () => undefined)
        return await this.#attempt(transaction, work, options)
      } catch (error) {
        if (transaction.missedName !== undefined && missed.size < mostMissed) {
          missed.add(transaction.missedName)
          continue
        }
        if (transaction.hasForeseen && (error instanceof DatabaseError || error instanceof FailedBefore)) continue
        if (attempt >= attempts || !(error instanceof DatabaseError) || !retryable.has(error.code ?? '')) throw error
        await pause(attempt * 15)
      }
    }
  }

  async listen(channel: string, hear: Hear): Promise<() => void> {
    if (this.#channels.add(channel, hear)) {
      try {
        if (this.#listening === undefined) await this.run(trusted(listen(channel)))
        else await this.#listening.listen(channel)
      } catch (error) {
        this.#channels.remove(channel, hear)
        throw error
      }
    }
    return () => this.#channels.remove(channel, hear)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#pool.end()
    await this.#afterClose()
  }

  /** The first statements of a process are slow (WebAssembly compiles lazily); they are spent here instead of on a user. */
  async warmUp(): Promise<void> {
    const client = await this.#pool.connect()
    try {
      for (let round = 0; round < 3; round++) {
        await client.query('select c.relname, count(*) from pg_class c join pg_attribute a on a.attrelid = c.oid group by 1 order by 2 desc, 1 limit $1', [20])
      }
    } finally {
      client.release()
    }
  }

  async #query(statement: Sql): Promise<Outcome> {
    const outer = this.#ambient.getStore()
    if (outer?.isOpen) return outer.ask(statement)
    const worded = named(statement)
    const result = await this.#alone(worded)
    if (!isQuestion(worded.text)) await this.#onDisk()
    return result
  }

  async #alone(statement: NamedStatement): Promise<Outcome> {
    const client = await this.#connect()
    try {
      const result = await alone(client, statement, this.#trace)
      client.release()
      return result
    } catch (error) {
      // A refused statement leaves the connection as it was; anything else may have broken it.
      client.release(!(error instanceof DatabaseError))
      throw this.#lost.has(client) ? new DatabaseAway(error) : withOwnStack(error)
    }
  }

  /**
   * Waits until all that is committed survives a power cut: nobody is told that something is done before. One flush is under way at a time; all who are
   * done meanwhile wait for the next.
   */
  async #onDisk(): Promise<void> {
    const flush = this.#flush
    if (flush === undefined) return
    this.#nextFlush ??= this.#lastFlush.then(() => {
      this.#nextFlush = undefined
      const flushed = this.#flushNow(flush)
      this.#lastFlush = flushed.catch(() => undefined)
      return flushed
    })
    await this.#nextFlush
  }

  async #flushNow(flush: () => Promise<void>): Promise<void> {
    const answered = this.#trace?.(['flush'])
    try {
      await flush()
    } catch (error) {
      throw new DatabaseAway(error)
    }
    answered?.()
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      // Credentials and a full server are the database's own refusals; anything else is no answer at all.
      throw error instanceof DatabaseError ? error : new DatabaseAway(error)
    }
  }

  async #attempt<T>(transaction: Transaction, work: (tx: Queries) => Promise<T>, options: TransactionOptions): Promise<T> {
    try {
      const result = await this.#ambient.run(transaction, () => work(transaction))
      await transaction.commit()
      transaction.release()
      if (transaction.hasBegun && options.readOnly !== true) await this.#onDisk()
      return result
    } catch (error) {
      await transaction.undo()
      throw transaction.isOn(this.#lost) ? new DatabaseAway(error) : error
    } finally {
      // Who waits for a name is told what this has done: by then it is on disk.
      transaction.giveBackNames()
    }
  }
}

/** The database could not be reached or was lost; whether the transaction was committed is not known. */
class DatabaseAway extends Error {
  /** SQLSTATE of a broken connection. */
  readonly code = '08006'

  constructor(cause: unknown) {
    super(`The database does not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'DatabaseAway'
  }
}

/** Somebody went on after a statement of the transaction had been refused. */
class FailedBefore extends Error {
  constructor() {
    super('The transaction had failed before it was committed.')
    this.name = 'FailedBefore'
  }
}

/** A transaction that has the connection wanted a name that somebody has who waits for the connection. */
class NameTaken extends Error {
  constructor(name: string) {
    super(`Somebody else has the name ${name}; the transaction is begun anew with it.`)
    this.name = 'NameTaken'
  }
}

/** A write whose words are found when it is sent. */
interface Unworded {
  readonly make: () => readonly Sql[]
  readonly failed: (error: Error) => void
}

type Waiting = Asked | Unworded

/** Names that transactions of this process have to themselves. */
class HeldNames {
  readonly #held = new Map<string, Promise<void>>()

  has(name: string): boolean {
    return this.#held.has(name)
  }

  /** Waits until nobody has the name; the answer gives it back. */
  async take(name: string): Promise<() => void> {
    for (let other = this.#held.get(name); other; other = this.#held.get(name)) await other
    return new Promise((taken) => {
      this.#held.set(name, new Promise((given) => {
        taken(() => {
          this.#held.delete(name)
          given()
        })
      }))
    })
  }
}

/** What a transaction works with. */
interface Means {
  readonly connect: () => Promise<PoolClient>
  readonly trace: Trace | undefined
  /**
   * Given where all transactions of the database are of this process and share one connection. There a transaction begins late: what it asks before its
   * first write or lock goes ahead on its own, and while the process works out what to write, the database serves another.
   */
  readonly names: HeldNames | undefined
  /** It may build on what it expects: on the first attempt. */
  readonly mayForesee: boolean
}

/**
 * A transaction on one connection. Statements asked for in the same turn travel together, and those left for `later` with the next ones;
 * `begin` is the first of them and `commit` the last. Each statement sees what was committed before it (READ COMMITTED), so that it makes no
 * difference whether questions at the start are asked before `begin` or after it.
 */
class Transaction implements Queries {
  isOpen = true
  readonly home: object
  readonly unit = this
  readonly ahead: Queries = new Ahead(this)
  readonly #means: Means
  readonly #beginning: Sql
  readonly #beginsLate: boolean
  /** Had from the first statement of the transaction proper on. */
  #connection: Promise<PoolClient> | undefined
  #client: PoolClient | undefined
  #isReleased = false
  /** Batches that wait for the connection; those that come after them wait as well. */
  #unsent = 0
  /** Questions ahead of it that are not answered yet. */
  readonly #asking = new Set<Promise<void>>()
  /** Connections it has asked on. */
  readonly #used = new Set<PoolClient>()
  /** Names it has to itself, or waits for; each gives its name back. */
  readonly #names = new Map<string, Promise<() => void>>()
  /** A name somebody else had when it could not wait: it must be begun anew. */
  missedName: string | undefined
  #waiting: Waiting[] = []
  /** Asked for ahead of what waits. */
  #early: Waiting[] = []
  /** Names to be locked in the database with what is sent next. */
  readonly #locking: string[] = []
  #isTurnTaken = false
  /** Somebody waits for one of the statements in `#waiting`. */
  #isAsked = false
  /** It has written or locked something, as far as one can tell. */
  hasBegun = false
  /** It has built on something it had not locked. */
  hasForeseen = false
  /** A question ahead of it was refused; after it had begun, that would have undone it. */
  #isRefused = false
  #savepoints = 0
  /** Why a statement nobody waited for was refused. */
  #failure: Error | undefined
  readonly #fail = (error: Error): void => {
    this.#failure ??= error
  }
  readonly #isSavepoint = new WeakSet<Asked>()

  constructor(home: object, options: TransactionOptions, means: Means) {
    this.home = home
    this.#means = means
    // That nothing is written the database itself answers for: in a reading transaction it must be in it from the first statement on.
    this.#beginsLate = means.names !== undefined && options.readOnly !== true
    this.#beginning = options.readOnly === true ? trusted('begin read only') : trusted('begin')
  }

  async rows<T extends Row = Row>(statement: Sql): Promise<T[]> {
    return (await this.ask(statement)).rows as T[]
  }

  async first<T extends Row = Row>(statement: Sql): Promise<T | undefined> {
    return (await this.rows<T>(statement))[0]
  }

  async run(statement: Sql): Promise<number> {
    return (await this.ask(statement)).count
  }

  later(statement: Sql | (() => readonly Sql[])): void {
    this.#assertOpen()
    if (typeof statement === 'function') this.#waiting.push({ make: statement, failed: this.#fail })
    else this.#queue(statement, () => undefined, this.#fail)
  }

  async ask(statement: Sql, isAhead = false): Promise<Outcome> {
    this.#assertOpen()
    try {
      if (isScript(statement)) {
        this.#send(true)
        return await alone(await this.#connect(), named(statement), this.#means.trace)
      }
      return await new Promise<Outcome>((resolve, reject) => {
        if (isAhead) this.#early.push({ statement: named(statement), done: resolve, failed: reject })
        else {
          this.#queue(statement, resolve, reject)
          this.#isAsked = true
        }
        if (this.#isTurnTaken) return
        this.#isTurnTaken = true
        process.nextTick(() => this.#send())
      })
    } catch (error) {
      throw withOwnStack(error)
    }
  }

  async exclusive<T>(name: string, ask: () => Promise<T>): Promise<T> {
    this.#assertOpen()
    const { names } = this.#means
    if (names) await this.#take(names, name)
    else this.#lock(name)
    return ask()
  }

  /** Locks the name before whatever is asked from now on: each statement sees what was committed before it. Names of one turn are locked by one statement. */
  #lock(name: string): void {
    this.#locking.push(name)
    if (this.#locking.length > 1) return
    this.#early.push({ make: () => [sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${this.#locking.splice(0)}::text[]) name`], failed: this.#fail })
  }

  async #take(names: HeldNames, name: string): Promise<void> {
    let taken = this.#names.get(name)
    if (taken === undefined) {
      // Who has the connection while he waits for a name keeps the one who has the name from ending.
      if (this.hasBegun && names.has(name)) {
        this.missedName = name
        throw new NameTaken(name)
      }
      taken = names.take(name)
      this.#names.set(name, taken)
      // Nor does it begin while it waits.
      const had = taken.then(() => undefined)
      this.#asking.add(had)
      void had.then(() => this.#asking.delete(had))
    }
    await taken
  }

  foresees(): boolean {
    // What is refused within a savepoint may be passed over by whoever set it: it would not be tried again.
    if (!this.#means.mayForesee || !this.#beginsLate || this.hasBegun || this.#savepoints > 0) return false
    this.hasForeseen = true
    return true
  }

  /** A transaction within this one: what it did is undone alone when it throws. */
  async savepoint<T>(work: (tx: Queries) => Promise<T>, endsLater: boolean): Promise<T> {
    const name = `s${++this.#savepoints}`
    // Rows from before must not take in changes that may be undone alone.
    forgetPending(this)
    const first = this.#queue(trusted(`savepoint ${name}`), () => undefined, this.#fail)
    this.#isSavepoint.add(first)
    try {
      const result = await work(this)
      const release = trusted(`release savepoint ${name}`)
      if (endsLater) this.later(release)
      else await this.ask(release)
      return result
    } catch (error) {
      const at = this.#waiting.indexOf(first)
      forgetPending(this)
      this.#drop(Math.max(at, 0), error)
      if (at < 0) await this.#rollbackTo(name)
      throw error
    }
  }

  async commit(): Promise<void> {
    if (this.#isRefused || this.missedName !== undefined) throw new FailedBefore()
    if (!this.hasBegun && this.#waiting.length === 0) {
      this.isOpen = false
      return
    }
    const outcome = this.ask(trusted('commit'))
    this.isOpen = false
    const { command } = await outcome
    if (this.#failure) throw this.#failure
    // PostgreSQL answers the commit of a failed transaction with ROLLBACK and no error.
    if (command !== 'COMMIT') throw new FailedBefore()
  }

  /** Undoes everything, unless it has ended; what was left for later is never sent. */
  async undo(): Promise<void> {
    this.isOpen = false
    this.#drop(0, new Error('The transaction was undone.'))
    let isBroken = false
    try {
      if (this.hasBegun && !this.#isReleased) await (await this.#connect()).query('rollback')
    } catch {
      isBroken = true
    }
    this.release(isBroken)
  }

  /** Gives its connection back; to be called when it has ended. */
  release(isBroken = false): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#client?.release(isBroken)
  }

  giveBackNames(): void {
    for (const taken of this.#names.values()) void taken.then((giveBack) => giveBack())
    this.#names.clear()
  }

  /** Has it asked on one of these connections? */
  isOn(clients: { has: (client: PoolClient) => boolean }): boolean {
    return [...this.#used].some((client) => clients.has(client))
  }

  /** The savepoint is gone, and so this fails, when it was a statement before it that was refused. */
  async #rollbackTo(name: string): Promise<void> {
    const failure = this.#failure
    this.#failure = undefined
    await this.ask(trusted(`rollback to savepoint ${name}`)).catch((error: unknown) => {
      throw failure ?? error
    })
  }

  /** What waits from a position on is not sent any more. */
  #drop(from: number, why: unknown): void {
    const failure = this.#failure
    this.#locking.length = 0
    for (const asked of [...this.#early.splice(0), ...this.#waiting.splice(from)]) asked.failed(why instanceof Error ? why : new Error(String(why)))
    this.#failure = failure
  }

  #assertOpen(): void {
    if (!this.isOpen) throw new Error('The transaction has ended; this statement came too late.')
    if (this.#failure) throw this.#failure
  }

  #queue(statement: Sql, done: Asked['done'], failed: Asked['failed']): Asked {
    const asked = { statement: named(statement), done, failed }
    this.#waiting.push(asked)
    return asked
  }

  /** Sends what waits, or only what somebody waits for ahead of it. Before a script it must have begun even when nothing waits. */
  #send(isForScript = false): void {
    this.#isTurnTaken = false
    const waiting = this.#takeWaiting(isForScript)
    const batch: Asked[] = []
    try {
      for (const one of waiting) {
        if ('statement' in one) batch.push(one)
        else for (const statement of one.make()) batch.push({ statement: named(statement), done: () => undefined, failed: one.failed })
      }
    } catch (error) {
      for (const one of waiting) one.failed(error instanceof Error ? error : new Error(String(error)))
      return
    }
    if (batch.length === 0 && (this.hasBegun || !isForScript)) return
    if (!this.hasBegun) {
      if (this.#beginsLate && !isForScript && batch.every(({ statement }) => isQuestion(statement.text))) {
        const asking = this.#askBefore(batch)
        this.#asking.add(asking)
        void asking.finally(() => this.#asking.delete(asking))
        return
      }
      this.hasBegun = true
      batch.unshift({ statement: named(this.#beginning), done: () => undefined, failed: () => undefined })
    }
    if (this.#client && this.#unsent === 0) {
      this.#submit(this.#client, batch)
      return
    }
    this.#unsent += 1
    void this.#connect().then((client) => {
      this.#unsent -= 1
      this.#submit(client, batch)
    }, (error: unknown) => failAll(batch, error))
  }

  /** Questions ahead of the transaction, on a connection that is given back when they are answered. Settles then, whatever the answers. */
  async #askBefore(batch: readonly Asked[]): Promise<void> {
    let client: PoolClient
    try {
      client = await this.#means.connect()
    } catch (error) {
      failAll(batch, error)
      return
    }
    this.#used.add(client)
    await new Promise<void>((answered) => {
      let open = batch.length
      const settle = (error?: Error): void => {
        open -= 1
        if (open > 0) return
        client.release(error !== undefined && !(error instanceof DatabaseError))
        answered()
      }
      this.#submit(client, batch.map(({ statement, done, failed }) => ({
        statement,
        done: (outcome) => {
          settle()
          done(outcome)
        },
        failed: (error) => {
          this.#isRefused ||= error instanceof DatabaseError
          settle(error)
          failed(error)
        },
      })))
    })
  }

  #connect(): Promise<PoolClient> {
    // Once it has begun, questions of its own on another connection would wait for its end, and it for them.
    this.#connection ??= Promise.all(this.#asking).then(() => this.#means.connect()).then((client) => {
      this.#client = client
      this.#used.add(client)
      return client
    })
    return this.#connection
  }

  #submit(client: PoolClient, batch: readonly Asked[]): void {
    client.query(new Batch(batch, this.#means.trace?.(batch.map((asked) => asked.statement.text)) ?? undefined))
  }

  /** What is asked ahead never comes before a savepoint that waits: it belongs to it. */
  #takeWaiting(isEverything: boolean): Waiting[] {
    const early = this.#early.splice(0)
    const last = early.length === 0 ? -1 : this.#waiting.findLastIndex((one) => 'statement' in one && this.#isSavepoint.has(one))
    const first = this.#waiting.splice(0, last + 1)
    const rest = this.#isAsked || isEverything || early.length === 0 ? this.#waiting.splice(0) : []
    this.#isAsked = false
    return [...first, ...early, ...rest]
  }
}

/** A transaction whose statements overtake what was left for later. */
class Ahead implements Queries {
  readonly ahead = this
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  get home(): object {
    return this.#transaction.home
  }

  get unit(): object {
    return this.#transaction
  }

  async rows<T extends Row = Row>(statement: Sql): Promise<T[]> {
    return (await this.#transaction.ask(statement, true)).rows as T[]
  }

  async first<T extends Row = Row>(statement: Sql): Promise<T | undefined> {
    return (await this.rows<T>(statement))[0]
  }

  async run(statement: Sql): Promise<number> {
    return (await this.#transaction.ask(statement, true)).count
  }

  later(statement: Sql | (() => readonly Sql[])): void {
    this.#transaction.later(statement)
  }

  async exclusive<T>(name: string, ask: () => Promise<T>): Promise<T> {
    return this.#transaction.exclusive(name, ask)
  }

  foresees(): boolean {
    return this.#transaction.foresees()
  }
}

function failAll(batch: readonly Asked[], error: unknown): void {
  for (const asked of batch) asked.failed(error instanceof Error ? error : new Error(String(error)))
}

/** Reads and locks nothing. Where in doubt it is none: a transaction then begins with it. */
export function isQuestion(text: string): boolean {
  return /^\s*(?:select|with)\b/i.test(text) && !/\b(?:for\s+(?:no\s+key\s+)?update|for\s+(?:key\s+)?share|insert|update|delete|merge|into|set_config|setval|pg_notify|pg_\w*lock\w*|lo_\w+)\b/i.test(text)
}

/** The stack of the driver ends at its socket; whoever asked is more telling. */
function withOwnStack(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error)
  return error
}

/** Several statements in one text, which only the simple protocol takes. */
function isScript(statement: Sql): boolean {
  return statement.values.length === 0 && statement.strings.some((text) => text.includes(';'))
}

/** Runs one statement outside a transaction of ours. */
async function alone(client: PoolClient, statement: NamedStatement, trace: Trace | undefined): Promise<Outcome> {
  const answered = trace?.([statement.text]) ?? undefined
  if (statement.values.length > 0) {
    return new Promise((done, failed) => {
      client.query(new Batch([{ statement, done, failed }], answered))
    })
  }
  // Without values the simple protocol will do, which alone takes several statements in one text.
  const { rows, rowCount, command } = await client.query<Row>(statement.text)
  answered?.()
  return { rows, count: rowCount ?? 0, command }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

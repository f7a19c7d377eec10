import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseError, Pool, type PoolClient, type QueryResult } from 'pg'
import type { Database, Queries, Row } from '#server/context.ts'
import { columnTypes } from './columnTypes.ts'
import { startEmbedded, type EmbeddedOptions } from './embedded.ts'
import { named } from './named.ts'
import type { Sql } from './sql.ts'

export type DatabaseOptions =
  | ({ readonly kind: 'embedded' } & EmbeddedOptions)
  | { readonly kind: 'postgres'; readonly url: string; readonly connections?: number; readonly log?: (line: string) => void }

/** Opens the database of the options and proves that it answers. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = options.kind === 'embedded' ? await openEmbedded(options) : openPostgres(options)
  try {
    await database.warmUp()
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

async function openEmbedded(options: EmbeddedOptions): Promise<PooledDatabase> {
  const server = await startEmbedded(options)
  const pool = new Pool({
    max: 1,
    stream: () => server.connect(),
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 60_000,
    types: columnTypes,
  })
  return new PooledDatabase('embedded', pool, () => server.close(), options.log)
}

function openPostgres(options: DatabaseOptions & { readonly kind: 'postgres' }): PooledDatabase {
  const pool = new Pool({
    connectionString: options.url,
    max: options.connections ?? 15,
    connectionTimeoutMillis: 10_000,
    options: '-c TimeZone=UTC -c jit=off -c work_mem=16MB',
    types: columnTypes,
  })
  return new PooledDatabase('postgres', pool, async () => undefined, options.log)
}

const retryable = new Set(['40001', '40P01'])
const attempts = 5

class PooledDatabase implements Database {
  readonly engine: 'embedded' | 'postgres'
  readonly #pool: Pool
  readonly #afterClose: () => Promise<void>
  /** The transaction the running code is in: the embedded pool has one connection, asking it for a second would wait for ever. */
  readonly #ambient = new AsyncLocalStorage<Transaction>()
  readonly #lost = new WeakSet<object>()
  #isClosed = false

  constructor(engine: 'embedded' | 'postgres', pool: Pool, afterClose: () => Promise<void>, log?: (line: string) => void) {
    this.engine = engine
    this.#pool = pool
    this.#afterClose = afterClose
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
    return (await this.#query(statement)).rowCount ?? 0
  }

  async transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
    const outer = this.#ambient.getStore()
    if (outer?.isOpen) return outer.savepoint(work)
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (attempt >= attempts || !(error instanceof DatabaseError) || !retryable.has(error.code ?? '')) throw error
        await pause(attempt * 15)
      }
    }
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

  async #query(statement: Sql): Promise<QueryResult> {
    const outer = this.#ambient.getStore()
    if (outer?.isOpen) return outer.query(statement)
    const client = await this.#connect()
    try {
      const result = await client.query(named(statement))
      client.release()
      return result
    } catch (error) {
      // A refused statement leaves the connection as it was; anything else may have broken it.
      client.release(!(error instanceof DatabaseError))
      throw this.#lost.has(client) ? new DatabaseAway(error) : error
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      // Credentials and a full server are the database's own refusals; anything else is no answer at all.
      throw error instanceof DatabaseError ? error : new DatabaseAway(error)
    }
  }

  async #attempt<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
    const client = await this.#connect()
    const transaction = new Transaction(client)
    let isBroken = false
    try {
      await client.query('begin')
      const result = await this.#ambient.run(transaction, () => work(transaction))
      transaction.isOpen = false
      const commit = await client.query('commit')
      // PostgreSQL answers the commit of a failed transaction with ROLLBACK and no error.
      if (commit.command !== 'COMMIT') throw new Error('The transaction had failed before it was committed.')
      return result
    } catch (error) {
      transaction.isOpen = false
      await client.query('rollback').catch(() => {
        isBroken = true
      })
      throw this.#lost.has(client) ? new DatabaseAway(error) : error
    } finally {
      client.release(isBroken)
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

class Transaction implements Queries {
  isOpen = true
  readonly #client: PoolClient
  #savepoints = 0

  constructor(client: PoolClient) {
    this.#client = client
  }

  async rows<T extends Row = Row>(statement: Sql): Promise<T[]> {
    return (await this.query(statement)).rows as T[]
  }

  async first<T extends Row = Row>(statement: Sql): Promise<T | undefined> {
    return (await this.rows<T>(statement))[0]
  }

  async run(statement: Sql): Promise<number> {
    return (await this.query(statement)).rowCount ?? 0
  }

  async query(statement: Sql): Promise<QueryResult> {
    if (!this.isOpen) throw new Error('The transaction has ended; this statement came too late.')
    return this.#client.query(named(statement))
  }

  /** A transaction within this one: what it did is undone alone when it throws. */
  async savepoint<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
    const name = `s${++this.#savepoints}`
    await this.#client.query(`savepoint ${name}`)
    try {
      const result = await work(this)
      await this.#client.query(`release savepoint ${name}`)
      return result
    } catch (error) {
      await this.#client.query(`rollback to savepoint ${name}`)
      throw error
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { clockOf } from '#server/clock.ts'
import type { Clock, Database } from '#server/context.ts'
import { openDatabase } from '#server/db/database.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { trusted } from '#server/db/sql.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { readingTables, multiplyFast } from '#server/seed/demo/multiply.ts'
import type { Engine } from './bench.ts'

const serverUrl = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432'
const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache/arus-bench')

/** The day all measured companies end on. */
export const benchClock: Clock = clockOf(() => new Date('2026-11-20T03:00:00.000Z'))

/** Where a database is, for a process of its own to open it. */
export type Place = { readonly kind: 'embedded'; readonly directory: string } | { readonly kind: 'postgres'; readonly url: string }

export interface Bench {
  readonly place: Place
  readonly database: Database
  close(): Promise<void>
}

export async function isPostgresThere(): Promise<boolean> {
  const client = new pg.Client({ connectionString: `${serverUrl}/postgres`, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** A fresh copy of the demo company, to be changed at will. */
export async function demoCompany(engine: Engine, log: (line: string) => void): Promise<Bench> {
  return copy(engine, `demo-${sources()}`, (database) => seedDemo(database, benchClock, { scale: 1, log }), log)
}

/**
 * A company with so many invoices, for reading: customers, invoices, payments and allocations are there that many times; deliveries and
 * journals are not. Kept between runs and never changed.
 */
export async function largeCompany(engine: Engine, invoices: number, log: (line: string) => void): Promise<Bench> {
  const fill = async (database: Database): Promise<void> => {
    await seedDemo(database, benchClock, { scale: 1, log })
    const { rows } = await count(database)
    await multiplyFast(database, Math.ceil(invoices / rows), log, readingTables)
    // As after seeding: a plan made for a company of four hundred customers reads all of them for a page of invoices.
    await database.run(trusted('analyze'))
  }
  return open(await prepared(engine, `large-${invoices}-${sources()}`, fill, log), async () => undefined)
}

async function count(database: Database): Promise<{ rows: number }> {
  const { sql } = await import('#server/db/sql.ts')
  return (await database.first<{ rows: number }>(sql`select count(*)::int as rows from invoice`)) ?? { rows: 1 }
}

async function copy(engine: Engine, name: string, fill: (database: Database) => Promise<void>, log: (line: string) => void): Promise<Bench> {
  const place = await prepared(engine, name, fill, log)
  if (place.kind === 'embedded') {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'arus-bench-'))
    const directory = path.join(folder, 'pgdata')
    await fs.promises.cp(place.directory, directory, { recursive: true })
    return open({ kind: 'embedded', directory }, () => fs.promises.rm(folder, { recursive: true, force: true }))
  }
  const database = `arus_bench_${process.pid}`
  await onServer(`drop database if exists ${database}`, `create database ${database} template ${new URL(place.url).pathname.slice(1)}`)
  return open({ kind: 'postgres', url: `${serverUrl}/${database}` }, () => onServer(`drop database if exists ${database} with (force)`))
}

/** Where an empty database is, in the folder or on the server, and how it goes away again. */
export async function emptyPlace(engine: Engine, folder: string): Promise<{ readonly place: Place; readonly remove: () => Promise<void> }> {
  if (engine === 'embedded') return { place: { kind: 'embedded', directory: path.join(folder, 'pgdata') }, remove: async () => undefined }
  const database = `arus_bench_${process.pid}`
  await onServer(`drop database if exists ${database} with (force)`, `create database ${database}`)
  return { place: { kind: 'postgres', url: `${serverUrl}/${database}` }, remove: () => onServer(`drop database if exists ${database} with (force)`) }
}

async function prepared(engine: Engine, name: string, fill: (database: Database) => Promise<void>, log: (line: string) => void): Promise<Place> {
  if (engine === 'embedded') {
    // As a data folder is laid out, so that the server can be started on it.
    const folder = path.join(cache, name)
    const directory = path.join(folder, 'pgdata')
    if (!fs.existsSync(folder)) {
      log(`preparing ${name} (embedded); kept for the next run`)
      forget(name)
      const draft = path.join(cache, `draft-${process.pid}`)
      fs.mkdirSync(draft, { recursive: true })
      await filled({ kind: 'embedded', directory: path.join(draft, 'pgdata') }, fill)
      fs.renameSync(draft, folder)
    }
    return { kind: 'embedded', directory }
  }
  const database = `arus_${name.replaceAll('-', '_')}`
  const place: Place = { kind: 'postgres', url: `${serverUrl}/${database}` }
  if (!(await exists(database))) {
    log(`preparing ${name} (PostgreSQL); kept for the next run`)
    await onServer(`drop database if exists ${database}_draft with (force)`, `create database ${database}_draft`)
    await filled({ kind: 'postgres', url: `${place.url}_draft` }, fill)
    await onServer(`alter database ${database}_draft rename to ${database}`)
  }
  return place
}

/** Older preparations of the same kind are of no use any more. */
function forget(name: string): void {
  const kind = name.replace(/-[^-]*$/, '')
  if (!fs.existsSync(cache)) return
  for (const folder of fs.readdirSync(cache)) if (folder.replace(/-[^-]*$/, '') === kind) fs.rmSync(path.join(cache, folder), { recursive: true, force: true })
}

async function filled(place: Place, fill: (database: Database) => Promise<void>): Promise<void> {
  const bench = await open(place, async () => undefined, 3_600_000)
  try {
    await migrate(bench.database)
    await fill(bench.database)
  } finally {
    await bench.close()
  }
}

export async function open(place: Place, remove: () => Promise<void>, statementTimeoutMs = 120_000): Promise<Bench> {
  const database = await openDatabase(
    place.kind === 'embedded' ? { kind: 'embedded', directory: place.directory, sharedBuffersMb: 512, statementTimeoutMs } : { kind: 'postgres', url: place.url },
  )
  return {
    place, database,
    close: async () => {
      await database.close()
      await remove()
    },
  }
}

async function exists(database: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: `${serverUrl}/postgres` })
  await client.connect()
  const found = await client.query('select 1 from pg_database where datname = $1', [database])
  await client.end()
  return found.rowCount === 1
}

async function onServer(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: `${serverUrl}/postgres` })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Changes when the seed or the tables do. */
function sources(): string {
  const folder = path.resolve(import.meta.dirname, '../../src/server/seed')
  const hash = createHash('sha256')
  for (const migration of readMigrations()) hash.update(migration.checksum)
  for (const file of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts')).sort()) hash.update(fs.readFileSync(path.join(folder, file)))
  return hash.digest('hex').slice(0, 8)
}

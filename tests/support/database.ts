import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { metadata } from '#generated/metadata.ts'
import type { Database } from '#server/context.ts'
import { openDatabase, type Trace } from '#server/db/database.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { atEnd } from './atEnd.ts'
import { borrowCopy, makeLike } from './folderCopies.ts'

/** Which database the tests run on: TEST_DATABASE=embedded (default) or postgres. */
export const engine = process.env['TEST_DATABASE'] === 'postgres' ? 'postgres' : 'embedded'

export const serverUrl = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432'

/** Fills a freshly migrated database once; the result is kept as a template and copied for each test file. */
export interface Template {
  /** Part of the template's file name. */
  readonly name: string
  readonly fill: (database: Database) => Promise<void>
}

/** A fresh, migrated database for one test file; closed and removed after its tests. `trace` is told of every trip to it. */
export async function testDatabase(template?: Template, trace?: Trace): Promise<Database> {
  const key = keyOf(template)
  const { database, remove } = engine === 'postgres' ? await postgresCopy(key, template, trace) : await embeddedCopy(key, template, trace)
  atEnd(async () => {
    await database.close()
    await remove()
  })
  return database
}

/** A new directory for one test file, removed after its tests. */
export function testFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'arus-test-'))
  atEnd(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

let known: string | undefined

function keyOf(template: Template | undefined): string {
  return `${template?.name ?? 'empty'}-${(known ??= fingerprint())}`
}

/**
 * Of all that a template's rows come from, so that no template outlives what it was made of: the migrations, what the
 * schemas seed (guards, posting rules, the menu) and the sources that fill a company.
 */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const migration of readMigrations()) hash.update(migration.checksum)
  hash.update(JSON.stringify([metadata.guards, metadata.postings, metadata.menu]))
  for (const folder of ['src/server/seed', 'src/server/setup', 'src/domain', 'tests/support']) {
    const files = fs.readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const file of files.map((entry) => path.join(entry.parentPath, entry.name)).sort()) hash.update(fs.readFileSync(file))
  }
  return hash.digest('hex').slice(0, 12)
}

const root = path.resolve(import.meta.dirname, '../..')

/** A template that is filled begins as a copy of the one that is migrated and empty. */
async function fill(database: Database, template: Template | undefined): Promise<void> {
  await (template === undefined ? migrate(database) : template.fill(database))
}

interface Copy {
  readonly database: Database
  readonly remove: () => Promise<void>
}

async function embeddedCopy(key: string, template: Template | undefined, trace: Trace | undefined): Promise<Copy> {
  const folder = await borrowCopy(await embeddedTemplate(key, template))
  const database = await openDatabase({ kind: 'embedded', directory: folder.path, isDurable: false, sharedBuffersMb: 64, ...(trace ? { trace } : {}) })
  return { database, remove: async () => folder.giveBack() }
}

/** Puts the data of an embedded database in a folder, for a server to open. */
export async function putDatabase(directory: string, template?: Template): Promise<void> {
  makeLike(await embeddedTemplate(keyOf(template), template), directory)
}

/** Puts an embedded database without a table in a folder: to open an empty folder takes five times as long. */
export async function putBareDatabase(directory: string): Promise<void> {
  makeLike(await bareTemplate(), directory)
}

/** Where the template lies; made if it is not there. */
async function embeddedTemplate(key: string, template: Template | undefined): Promise<string> {
  return embeddedFolder(key, () => (template === undefined ? bareTemplate() : embeddedTemplate(keyOf(undefined), undefined)), (database) => fill(database, template))
}

function bareTemplate(): Promise<string> {
  return embeddedFolder(keyOf({ name: 'bare', fill: () => Promise.resolve() }), () => Promise.resolve(undefined), () => Promise.resolve())
}

/** A folder of the cache; made if it is not there, from another one if `base` names one. */
async function embeddedFolder(key: string, base: () => Promise<string | undefined>, work: (database: Database) => Promise<void>): Promise<string> {
  const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache/arus-test')
  const ready = path.join(cache, key)
  if (fs.existsSync(ready)) return ready
  fs.mkdirSync(cache, { recursive: true })
  const begun = await base()
  const draft = fs.mkdtempSync(path.join(cache, 'draft-'))
  const directory = path.join(draft, 'pgdata')
  if (begun !== undefined) makeLike(begun, directory)
  const database = await openDatabase({ kind: 'embedded', directory, isDurable: false })
  try {
    await work(database)
  } finally {
    await database.close()
  }
  // Test files run in several processes: whoever is first puts his template in place.
  if (!fs.existsSync(ready)) fs.renameSync(directory, ready)
  fs.rmSync(draft, { recursive: true, force: true })
  return ready
}

async function postgresCopy(key: string, template: Template | undefined, trace: Trace | undefined): Promise<Copy> {
  const name = `arus_test_${randomBytes(6).toString('hex')}`
  await onServer(async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('arus test template'))`)
    const templateName = await postgresTemplate(client, key, template)
    await client.query(`create database ${name} template ${templateName}`)
    // Nobody reads it after a power cut: no commit waits for the disk.
    await client.query(`alter database ${name} set synchronous_commit = off`)
  })
  const database = await openDatabase({ kind: 'postgres', url: `${serverUrl}/${name}`, ...(trace ? { trace } : {}) })
  return { database, remove: () => onServer(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))) }
}

/** The template's name; made if it is not there, which one process does at a time. */
async function postgresTemplate(client: Client, key: string, template: Template | undefined): Promise<string> {
  const name = `arus_template_${key.replaceAll('-', '_')}`
  if (((await client.query('select 1 from pg_database where datname = $1', [name])).rowCount ?? 0) > 0) return name
  const draft = `${name}_draft`
  await client.query(`drop database if exists ${draft} with (force)`)
  await client.query(`create database ${draft}${template === undefined ? '' : ` template ${await postgresTemplate(client, keyOf(undefined), undefined)}`}`)
  const database = await openDatabase({ kind: 'postgres', url: `${serverUrl}/${draft}` })
  try {
    await fill(database, template)
  } finally {
    await database.close()
  }
  await client.query(`alter database ${draft} rename to ${name}`)
  return name
}

async function onServer(work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: `${serverUrl}/postgres` })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

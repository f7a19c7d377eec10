import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Database, Queries } from '#server/context.ts'
import { sql, trusted } from './sql.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** The numbered migrations beside this module, in order; numbers may be left out. Throws on a double number. */
export function readMigrations(folder = path.join(import.meta.dirname, 'migrations')): readonly Migration[] {
  const files = fs.readdirSync(folder).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort()
  return files.map((file, i) => {
    const number = Number(file.slice(0, 4))
    if (files[i - 1]?.startsWith(file.slice(0, 4)) === true) throw new Error(`Migrations ${files[i - 1]} and ${file} have the same number.`)
    const text = fs.readFileSync(path.join(folder, file), 'utf8')
    return { number, name: file.slice(5, -4), text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

/**
 * Brings the database to the newest migration, each in its own transaction; returns the number it is at. Several processes may start
 * at once: one works, the others wait. Refuses a database whose applied migrations differ from the files.
 */
export async function migrate(database: Database, migrations = readMigrations(), log: (line: string) => void = () => undefined): Promise<number> {
  const locked = (work: (tx: Queries) => Promise<void>): Promise<void> =>
    database.transaction(async (tx) => {
      // The bytes of "arus"; held to the end of this transaction.
      await tx.run(sql`select pg_advisory_xact_lock(1634891123)`)
      await work(tx)
    })
  await locked(async (tx) => void (await tx.run(trusted(bookkeeping))))
  for (const migration of migrations) {
    await locked(async (tx) => {
      const applied = await tx.first(sql`select name, checksum from schema_migration where number = ${migration.number}`)
      if (!applied) {
        log(`Migration ${migration.number} ${migration.name}`)
        await tx.run(trusted(migration.text))
        await tx.run(sql`insert into schema_migration (number, name, checksum) values (${migration.number}, ${migration.name}, ${migration.checksum})`)
      } else if (applied['checksum'] !== migration.checksum) {
        throw new Error(`Migration ${migration.number} ${migration.name} was changed after it had been applied to this database. Restore the file, or start with an empty data folder.`)
      }
    })
  }
  const known = migrations.map((migration) => migration.number)
  const newest = Math.max(0, ...known)
  const foreign = await database.first<{ number: number }>(sql`select max(number) as number from schema_migration where not number = any(${known}::int[])`)
  if (foreign?.number != null) throw new Error(`The database is at migration ${foreign.number}, newer than this program (${newest}).`)
  return newest
}

const bookkeeping = `create table if not exists schema_migration (
  number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`

import type { Database } from '#server/context.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'

type Fingerprint = Readonly<Record<string, string>>

/**
 * What every table holds, as one hash and the number of rows for each. Two fingerprints are equal when nothing was added, changed or removed.
 * `except` names tables whose change is no news (a session's last use).
 */
export function fingerprint(database: Database, except: readonly string[] = []): Promise<Fingerprint> {
  return printOf(database, except, sql`md5(string_agg(md5(t::text), '' order by md5(t::text)))`)
}

/**
 * Which rows every table holds, at a third of the work: a row that is written lies elsewhere or bears another transaction, so that its values need not be
 * read. Two are equal when nothing was written at all; a row written again as it was is told, too.
 */
export function rowFingerprint(database: Database, except: readonly string[] = []): Promise<Fingerprint> {
  return printOf(database, except, sql`sum(hashtextextended(t.xmin::text, hashtidextended(t.ctid, 0)))::text`)
}

/** What a database was found to hold last, and the moment in its history: two between which nobody has committed anything are the same one. */
const seen = new WeakMap<Database, { readonly moment: string; readonly asked: string; readonly print: Fingerprint }>()

async function printOf(database: Database, except: readonly string[], rowsOfTable: Sql): Promise<Fingerprint> {
  const asked = JSON.stringify([rowsOfTable, except])
  const moment = String((await database.first(sql`select pg_current_snapshot()::text as moment`))?.['moment'])
  const known = seen.get(database)
  if (known?.moment === moment && known.asked === asked) return known.print
  const print = await read(database, except, rowsOfTable)
  seen.set(database, { moment, asked, print })
  return print
}

async function read(database: Database, except: readonly string[], rowsOfTable: Sql): Promise<Fingerprint> {
  const tables = await database.rows<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname`)
  const names = tables.map(({ name }) => name).filter((name) => !except.includes(name))
  const parts = names.map((name) => sql`select ${name}::text as name, count(*) || ' rows ' || coalesce(${rowsOfTable}, '') as hash from ${ident(name)} t`)
  const rows = await database.rows<{ name: string; hash: string }>(sql`${join(parts, ' union all ')}`)
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)))
}

import type { Queries } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'

/**
 * Which rows every table holds, as one sum and their number for each. Two fingerprints are equal when nothing was added, changed or removed: a row that
 * is written lies elsewhere or bears another transaction, even when it says the same as before, so that its values need not be read.
 * `except` names tables whose change is no news (a session's last use).
 */
export async function fingerprint(queries: Queries, except: readonly string[] = []): Promise<Readonly<Record<string, string>>> {
  const tables = await queries.rows<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname`)
  const names = tables.map(({ name }) => name).filter((name) => !except.includes(name))
  const parts = names.map((name) => sql`select ${name}::text as name, count(*) || ' rows ' || coalesce(sum(hashtextextended(t.xmin::text, hashtidextended(t.ctid, 0))), 0) as hash from ${ident(name)} t`)
  const rows = await queries.rows<{ name: string; hash: string }>(sql`${join(parts, ' union all ')}`)
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)))
}

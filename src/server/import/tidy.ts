import type { Database } from '#server/context.ts'
import { sql, trusted } from '#server/db/sql.ts'

/** Rows written between two looks at the tables. */
export const tidyEvery = 5_000

/**
 * The embedded database cleans up, counts its rows and shortens its log when nobody uses it; a long import never leaves it alone, and its plans
 * would be those of empty tables. PostgreSQL looks after itself, but once a minute: until then it would plan for the tables as they were. A few
 * tables a turn, so that others wait for one and not for all. Not within a transaction.
 */
export async function tidy(database: Database): Promise<void> {
  const isEmbedded = database.engine === 'embedded'
  const changed = sql`n_mod_since_analyze > 1000 + 0.2 * n_live_tup`
  const tables = await database.rows<{ name: string }>(sql`
    select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
    where ${isEmbedded ? sql`n_dead_tup > 1000 + 0.2 * n_live_tup or ${changed}` : changed} order by n_dead_tup + n_mod_since_analyze desc limit 4`)
  for (const { name } of tables) await database.run(isEmbedded ? sql`vacuum (analyze) ${trusted(name)}` : sql`analyze ${trusted(name)}`)
  if (isEmbedded && tables.length > 0) await database.run(sql`checkpoint`)
}

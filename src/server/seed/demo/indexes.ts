import type { Queries } from '#server/context.ts'
import { ident, sql, trusted } from '#server/db/sql.ts'

/**
 * Runs `work` with the secondary indexes of the tables taken away and builds them again afterwards, in the caller's transaction where there is one:
 * sorting an index once is several times faster than growing it row by row. Unique indexes are proved again by being rebuilt.
 */
export async function withoutIndexes(tx: Queries, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const indexes = await tx.rows<{ name: string; definition: string }>(sql`
    select i.relname as name, pg_get_indexdef(i.oid) as definition
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relname = any(${[...tables]}::text[]) and t.relnamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_constraint c where c.conindid = x.indexrelid)
    order by t.relname, i.relname`)
  for (const index of indexes) await tx.run(sql`drop index ${ident(index.name)}`)
  const rebuild = async (): Promise<void> => {
    for (const index of indexes) await tx.run(trusted(index.definition))
  }
  try {
    await work()
  } catch (error) {
    // A transaction takes its indexes back by itself; outside of one the tables must not stay without them.
    await rebuild().catch(() => undefined)
    throw error
  }
  await rebuild()
}

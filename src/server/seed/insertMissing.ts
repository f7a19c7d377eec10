import type { Queries, Row } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'

/** Inserts only rows whose `key` columns equal no existing row (null equals null): what is there stays as its owner left it. */
export async function insertMissing(tx: Queries, table: string, key: readonly string[], rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = join(Object.keys(first).map(ident))
  const same = join(key.map((column) => sql`have.${ident(column)} is not distinct from given.${ident(column)}`), ' and ')
  await tx.run(sql`
    insert into ${ident(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${ident(table)}, ${JSON.stringify(rows)}::jsonb) as given
    where not exists (select 1 from ${ident(table)} as have where ${same})`)
}

/** Ids by code of a small table. */
export async function idsByCode(tx: Queries, table: string, code = 'code'): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ id: number; code: string }>(sql`select id, ${ident(code)} as code from ${ident(table)}`)
  return new Map(rows.map((row) => [row.code, row.id]))
}

/** Looks a key up that our own data promises to be there. */
export function must<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new Error(`Nothing known as ${String(key)}`)
  return value
}

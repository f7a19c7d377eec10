import type { Queries, Row } from '#server/context.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'

/** PostgreSQL allows far more; above this a statement's text gets slow to parse in the embedded database. */
const rowsPerStatement = 2000

/**
 * Writes many rows of one table by a statement per 2,000 of them. Every row has the keys of the first; columns not named take their default.
 * Values are what JSON can carry: decimal text for numerics, arrays for text[], objects for jsonb.
 */
export async function insertRows(tx: Queries, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = join(Object.keys(first).map(ident))
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const part = rows.slice(start, start + rowsPerStatement)
    await tx.run(sql`insert into ${ident(table)} (${columns}) select ${columns} from ${recordset(table, part)}`)
  }
}

/** Inserts only rows whose `key` columns equal no existing row (null equals null): what is there stays as its owner left it. */
export async function insertMissing(tx: Queries, table: string, key: readonly string[], rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = join(Object.keys(first).map(ident))
  const same = join(key.map((column) => sql`have.${ident(column)} is not distinct from new.${ident(column)}`), ' and ')
  await tx.run(sql`
    insert into ${ident(table)} (${columns}) select ${columns} from ${recordset(table, rows)} as new
    where not exists (select 1 from ${ident(table)} as have where ${same})`)
}

/** The rows as a typed table, columns typed by the table itself. */
function recordset(table: string, rows: readonly Row[]): Sql {
  return sql`jsonb_populate_recordset(null::${ident(table)}, ${JSON.stringify(rows)}::jsonb)`
}

/** Ids by code of a small table. */
export async function idsByCode(tx: Queries, table: string, code = 'code'): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ id: number; code: string }>(sql`select id, ${ident(code)} as code from ${ident(table)}`)
  return new Map(rows.map((row) => [row.code, Number(row.id)]))
}

/** Looks a key up that our own data promises to be there. */
export function must<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new Error(`Nothing known as ${String(key)}`)
  return value
}

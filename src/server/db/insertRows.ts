import type { Queries, Row } from '#server/context.ts'
import { ident, join, sql, trusted } from './sql.ts'

const chunk = 5_000

/**
 * Inserts many rows in few statements; returns the ids in the order of the rows ([] for a table without `id`). All rows have the columns
 * of the first. Values: decimal text for numerics, ISO text for dates, arrays for text[], plain objects or arrays for jsonb. Rows that bring
 * their own `id` keep it; call `advanceSequence` afterwards.
 */
export async function insertRows(tx: Queries, table: string, rows: readonly Row[]): Promise<number[]> {
  const [first] = rows
  if (!first) return []
  const types = await columnsOf(tx, table)
  const columns = Object.keys(first)
  const unknown = columns.filter((column) => !types.has(column))
  if (unknown.length > 0) throw new Error(`Table ${table} has no column ${unknown.join(', ')}.`)
  const names = join(columns.map(ident))
  const shape = join(columns.map((column) => sql`${ident(column)} ${trusted(types.get(column) ?? '')}`))
  const ids: number[] = []
  for (let at = 0; at < rows.length; at += chunk) {
    const part = JSON.stringify(rows.slice(at, at + chunk))
    const insert = sql`insert into ${ident(table)} (${names}) select ${names} from jsonb_to_recordset(${part}::jsonb) as r(${shape})`
    if (types.has('id')) ids.push(...(await tx.rows<{ id: number }>(sql`${insert} returning id`)).map((row) => row.id))
    else await tx.run(insert)
  }
  return ids
}

/** Moves the identity of a table past the largest id in it, after rows came with their own ids. */
export async function advanceSequence(tx: Queries, table: string): Promise<void> {
  await tx.run(sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select coalesce(max(id), 0) + 1 from ${ident(table)}), false)`)
}

const known = new WeakMap<object, Map<string, ReadonlyMap<string, string>>>()

async function columnsOf(tx: Queries, table: string): Promise<ReadonlyMap<string, string>> {
  const tables = known.get(tx) ?? new Map<string, ReadonlyMap<string, string>>()
  known.set(tx, tables)
  const found = tables.get(table)
  if (found) return found
  const rows = await tx.rows<{ name: string; type: string }>(
    sql`select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
        where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`,
  )
  if (rows.length === 0) throw new Error(`There is no table ${table}.`)
  const columns = new Map(rows.map((row) => [row.name, row.type]))
  tables.set(table, columns)
  return columns
}

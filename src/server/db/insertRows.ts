import type { Queries, Row } from '#server/context.ts'
import { compile, ident, join, Sql, sql, trusted } from './sql.ts'

const chunk = 5_000

/**
 * Inserts many rows in few statements; returns the ids in the order of the rows ([] for a table without `id`). All rows have the columns
 * of the first. Values: decimal text for numerics, ISO text for dates, arrays for text[], plain objects or arrays for jsonb. Rows that bring
 * their own `id` keep it; call `advanceSequence` afterwards.
 */
export async function insertRows(tx: Queries, table: string, rows: readonly Row[]): Promise<number[]> {
  const [first] = rows
  if (!first) return []
  const types = await columnsOf(tx, table, Object.keys(first))
  const ids: number[] = []
  for (let at = 0; at < rows.length; at += chunk) {
    const insert = insertion(table, types, rows.slice(at, at + chunk))
    if (types.has('id')) ids.push(...(await tx.rows<{ id: number }>(sql`${insert} returning id`)).map((row) => row.id))
    else await tx.run(insert)
  }
  return ids
}

/** As `insertRows`, for rows whose ids nobody needs: they travel with the next statement of the transaction. */
export async function insertRowsLater(tx: Queries, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const types = await columnsOf(tx, table, Object.keys(first))
  for (let at = 0; at < rows.length; at += chunk) tx.later(insertion(table, types, rows.slice(at, at + chunk)))
}

/** Ids for rows to come, so that nobody has to wait for the rows before naming them. Those not used are lost, as after a rollback. */
export async function reserveIds(tx: Queries, table: string, count: number): Promise<number[]> {
  if (count === 0) return []
  const sequence = await sequenceOf(tx, table)
  // The count stands in a question of its own: known while planning, it would have the statement planned each time.
  const rows = await tx.rows<{ id: number }>(sql`select nextval(${sequence}::regclass) as id from generate_series(1, (select ${count}::int))`)
  return rows.map((row) => row.id)
}

const sequences = new WeakMap<object, Map<string, string>>()

/** What counts the ids of a table, asked of each database once: looking it up costs ten times as much as counting. */
async function sequenceOf(tx: Queries, table: string): Promise<string> {
  const known = sequences.get(tx.home) ?? new Map<string, string>()
  sequences.set(tx.home, known)
  const found = known.get(table)
  if (found !== undefined) return found
  const row = await tx.ahead.first<{ name: string | null }>(sql`select pg_get_serial_sequence(${table}, 'id') as name`)
  if (row === undefined || row.name === null) throw new Error(`Nothing counts the ids of table ${table}.`)
  known.set(table, row.name)
  return row.name
}

/** Statements by the columns of their table and those they fill: putting one together costs more than sending it. */
const insertions = new WeakMap<ReadonlyMap<string, string>, Map<string, Sql>>()

/** One statement for rows of the same columns. */
export function insertion(table: string, types: ReadonlyMap<string, string>, rows: readonly Row[]): Sql {
  const columns = Object.keys(rows[0] ?? {})
  const key = columns.join()
  const known = insertions.get(types) ?? new Map<string, Sql>()
  insertions.set(types, known)
  const statement = known.get(key) ?? insertionOf(table, types, columns)
  known.set(key, statement)
  return new Sql(statement.strings, [JSON.stringify(rows)])
}

function insertionOf(table: string, types: ReadonlyMap<string, string>, columns: readonly string[]): Sql {
  const names = join(columns.map(ident))
  const shape = join(columns.map((column) => sql`${ident(column)} ${trusted(types.get(column) ?? '')}`))
  const { text } = compile(sql`insert into ${ident(table)} (${names}) select ${names} from jsonb_to_recordset($::jsonb) as r(${shape})`)
  return new Sql(text.split('$'), [])
}

/** Moves the identity of a table past the largest id in it, after rows came with their own ids. */
export async function advanceSequence(tx: Queries, table: string): Promise<void> {
  await tx.run(sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select coalesce(max(id), 0) + 1 from ${ident(table)}), false)`)
}

const known = new WeakMap<object, Map<string, ReadonlyMap<string, string>>>()

/** Types of the columns of a table, asked of each database once, and again for a column that was not there yet. */
export async function columnsOf(tx: Queries, table: string, wanted: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const tables = known.get(tx.home) ?? new Map<string, ReadonlyMap<string, string>>()
  known.set(tx.home, tables)
  const found = tables.get(table)
  if (found && wanted.every((column) => found.has(column))) return found
  const rows = await tx.ahead.rows<{ name: string; type: string }>(
    sql`select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
        where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`,
  )
  if (rows.length === 0) throw new Error(`There is no table ${table}.`)
  const columns = new Map(rows.map((row) => [row.name, row.type]))
  const unknown = wanted.filter((column) => !columns.has(column))
  if (unknown.length > 0) throw new Error(`Table ${table} has no column ${unknown.join(', ')}.`)
  tables.set(table, columns)
  return columns
}

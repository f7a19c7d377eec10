import type { Queries, Row } from '#server/context.ts'
import { must } from '../insertMissing.ts'
import { advanceSequence } from '#server/db/insertRows.ts'
import { ident, join, sql, trusted } from '#server/db/sql.ts'

/**
 * Rows of many tables, collected with the ids they will have. A row stays open to change until the book is written, so a document can be
 * entered when it is born and closed months later.
 */
export class Book {
  readonly #tables = new Map<string, Row[]>()
  readonly #lastIds: Map<string, number>

  constructor(lastIds: ReadonlyMap<string, number>) {
    this.#lastIds = new Map(lastIds)
  }

  /** Enters a row and gives it the table's next id. Rows of a table must have the same keys. */
  add<T extends Row>(table: string, row: T): T & { id: number } {
    const id = (this.#lastIds.get(table) ?? 0) + 1
    this.#lastIds.set(table, id)
    const entry = Object.assign(row, { id })
    this.#list(table).push(entry)
    return entry
  }

  /** The rows entered so far. */
  rows(table: string): readonly Row[] {
    return this.#tables.get(table) ?? []
  }

  /** Writes everything, tables in the order they were given, and moves the identities on; answers how many rows that were. */
  async write(tx: Queries, order: readonly string[]): Promise<number> {
    let written = 0
    const left = new Set(this.#tables.keys())
    for (const table of order) {
      const rows = this.#tables.get(table)
      left.delete(table)
      if (rows === undefined || rows.length === 0) continue
      await writeRows(tx, table, rows)
      written += rows.length
      this.#tables.delete(table)
    }
    if (left.size > 0) throw new Error(`No place in the order for ${[...left].join(', ')}`)
    for (const table of this.#lastIds.keys()) await advanceSequence(tx, table)
    return written
  }

  #list(table: string): Row[] {
    const rows = this.#tables.get(table)
    if (rows !== undefined) return rows
    const made: Row[] = []
    this.#tables.set(table, made)
    return made
  }
}

/** The largest id of each table, so that new rows follow what is there. */
export async function lastIdsOf(tx: Queries, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const table of tables) {
    const row = await tx.first<{ id: number }>(sql`select coalesce(max(id), 0)::bigint as id from ${ident(table)}`)
    found.set(table, row?.id ?? 0)
  }
  return found
}

const rowsPerStatement = 5_000

/** Writes rows that bring their ids. Columns that are null in every row are left to the table. */
async function writeRows(tx: Queries, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => rows.some((row) => row[column] !== null))
  const types = new Map((await tx.rows<{ name: string; type: string }>(sql`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`)).map((row) => [row.name, row.type]))
  const names = join(columns.map(ident))
  const shape = join(columns.map((column) => sql`${ident(column)} ${trusted(must(types, column))}`))
  for (let at = 0; at < rows.length; at += rowsPerStatement) {
    const part = JSON.stringify(rows.slice(at, at + rowsPerStatement))
    await tx.run(sql`insert into ${ident(table)} (${names}) select ${names} from json_to_recordset(${part}::json) as r(${shape})`)
  }
}

import type { Queries, Row } from '#server/context.ts'
import { columnsOf, insertion } from './insertRows.ts'
import { ident, join, sql, type Sql } from './sql.ts'

/** Rows of one insert that is not sent yet, by id where they bring one. */
interface Insert {
  readonly rows: Row[]
  readonly byId: Map<number, Row>
}

/** By transaction and table. */
const inserts = new WeakMap<object, Map<string, Insert[]>>()

/**
 * Inserts rows later, each with an `id` reserved before; they are this module's from now on. As long as nothing had to be sent, changes of such a row (`changeRow`) become part of
 * it: a document that is made and moved on in one command is written once.
 */
export async function insertPending(tx: Queries, table: string, rows: readonly (Row & { readonly id: number })[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const types = await columnsOf(tx, table, Object.keys(first))
  register(tx, table, types, { rows: [...rows], byId: new Map(rows.map((row) => [row.id, row])) })
}

/** Appends a row to the rows of the table that wait in this transaction; for tables where it does not matter what is written between. */
export async function appendPending(tx: Queries, table: string, row: Row): Promise<void> {
  const types = await columnsOf(tx, table, Object.keys(row))
  const waiting = inserts.get(tx.unit)?.get(table)?.at(-1)
  if (waiting) waiting.rows.push(row)
  else register(tx, table, types, { rows: [row], byId: new Map() })
}

/** A row of this transaction that is not sent yet, with the columns that were given. */
export function pendingRow(tx: Queries, table: string, id: number): Readonly<Row> | undefined {
  for (const insert of inserts.get(tx.unit)?.get(table) ?? []) {
    const row = insert.byId.get(id)
    if (row) return row
  }
  return undefined
}

/** Rows of a table that are not sent yet, in the order they were given. */
export function pendingRows(tx: Queries, table: string): readonly Readonly<Row>[] {
  return (inserts.get(tx.unit)?.get(table) ?? []).flatMap((insert) => insert.rows)
}

/** Does this row wait to be inserted, and no other of its table to be inserted or changed? What is asked ahead then misses nothing but itself. */
export function isOnlyPending(tx: Queries, table: string, id: number): boolean {
  const rows = pendingRows(tx, table)
  return rows.length === 1 && rows[0]?.['id'] === id && ![...(updates.get(tx.unit)?.keys() ?? [])].some((key) => key.startsWith(`${table} `))
}

/** Changes of single rows that are not sent yet, by transaction and row. */
const updates = new WeakMap<object, Map<string, Row>>()

/**
 * Sets columns of a row: in the row itself while it waits to be inserted, else by an update that is sent later, one for all changes until then.
 * `valueOf` makes the value the driver is handed.
 */
export function changeRow(tx: Queries, table: string, id: number, columns: Row, valueOf: (column: string, value: unknown) => unknown): void {
  const waiting = pendingRow(tx, table, id)
  if (waiting) {
    Object.assign(waiting, columns)
    return
  }
  const values = Object.fromEntries(Object.entries(columns).map(([column, value]) => [column, valueOf(column, value)]))
  const key = `${table} ${id}`
  if (updates.get(tx.unit)?.has(key) === true) Object.assign(updates.get(tx.unit)?.get(key) ?? {}, values)
  else if (Object.keys(columns).length > 0) {
    const update = (): Sql[] => [sql`update ${ident(table)} set ${join(Object.entries(values).map(([column, value]) => sql`${ident(column)} = ${value}`))} where id = ${id}`]
    if (tx.unit === tx.home) {
      for (const statement of update()) tx.later(statement)
      return
    }
    const own = updates.get(tx.unit) ?? new Map<string, Row>()
    updates.set(tx.unit, own)
    own.set(key, values)
    tx.later(() => {
      if (updates.get(tx.unit)?.get(key) === values) updates.get(tx.unit)?.delete(key)
      return update()
    })
  }
}

/** What waits is sent as it is; changes from now on are statements of their own. */
export function forgetPending(unit: object): void {
  inserts.delete(unit)
  updates.delete(unit)
}

function register(tx: Queries, table: string, types: ReadonlyMap<string, string>, insert: Insert): void {
  if (tx.unit === tx.home) {
    // Through the database itself, in whatever transaction is under way: nobody could tell when that is over.
    for (const statement of statements(table, types, insert.rows)) tx.later(statement)
    return
  }
  const tables = inserts.get(tx.unit) ?? new Map<string, Insert[]>()
  inserts.set(tx.unit, tables)
  tables.set(table, [...(tables.get(table) ?? []), insert])
  tx.later(() => {
    const left = (inserts.get(tx.unit)?.get(table) ?? []).filter((other) => other !== insert)
    inserts.get(tx.unit)?.set(table, left)
    return statements(table, types, insert.rows)
  })
}

/** Rows with the same columns travel together; defaults of the table fill what a row leaves out. */
function statements(table: string, types: ReadonlyMap<string, string>, rows: readonly Row[]): Sql[] {
  const groups = new Map<string, Row[]>()
  // Most rows name their columns in the same order; only others are looked at by columns in order of names.
  const places = new Map<string, string>()
  for (const row of rows) {
    const columns = Object.keys(row)
    const place = columns.join()
    const key = places.get(place) ?? columns.toSorted().join()
    places.set(place, key)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()].map((group) => insertion(table, types, group))
}

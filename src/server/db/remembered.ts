import type { Queries } from '#server/context.ts'
import { sql } from './sql.ts'

/** Groups of tables that rarely change; which table belongs to which is said by the triggers of the migrations. */
export type Masters = 'price' | 'pricing' | 'item' | 'setup'

interface Mark {
  readonly transaction: number
  /** Set by the running transaction itself: what it reads nobody else may see yet. */
  readonly isOwn: boolean
}

type Marks = ReadonlyMap<string, Mark>

/** Marks as the running transaction first read them. */
const marks = new WeakMap<object, Promise<Marks>>()

/** The marks of all groups, read once a transaction; asked early they travel with other statements. */
export function marksOf(tx: Queries): Promise<Marks> {
  const known = marks.get(tx.unit)
  if (known) return known
  const read = readMarks(tx)
  // Whoever needs them is told when they cannot be read.
  read.catch(() => undefined)
  if (tx.unit !== tx.home) marks.set(tx.unit, read)
  return read
}

/** To be called when the running transaction has itself changed masters. */
export function forgetMarks(tx: Queries): void {
  marks.delete(tx.unit)
}

async function readMarks(tx: Queries): Promise<Marks> {
  const rows = await tx.rows<{ name: string; transaction_id: number; is_own: boolean }>(sql`
    select name, transaction_id, transaction_id = coalesce(pg_current_xact_id_if_assigned()::text::bigint, -1) as is_own from master_mark`)
  return new Map(rows.map((row) => [row.name, { transaction: row.transaction_id, isOwn: row.is_own }]))
}

interface Kept<K, V> {
  readonly transaction: number
  /** Undefined: there is no such row. */
  readonly values: Map<K, V | undefined>
}

/**
 * Rows of masters by key, kept in memory until any transaction, of whatever process, changes a table of their group. A change is seen by the
 * next transaction that begins after it is committed, and at once by the transaction that makes it.
 */
export class Remembered<K, V> {
  readonly #group: Masters
  readonly #load: (tx: Queries, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>
  readonly #most: number
  readonly #kept = new WeakMap<object, Kept<K, V>>()

  /** `load` reads the rows of some keys; `most` of them are kept. */
  constructor(group: Masters, load: (tx: Queries, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>, most = 10_000) {
    this.#group = group
    this.#load = load
    this.#most = most
  }

  async get(tx: Queries, key: K): Promise<V | undefined> {
    return (await this.all(tx, [key])).get(key)
  }

  /** The rows there are of some keys; one question for those not known yet. */
  async all(tx: Queries, keys: readonly K[]): Promise<ReadonlyMap<K, V>> {
    const mark = (await marksOf(tx)).get(this.#group)
    const kept = this.#kept.get(tx.home)
    const known = kept !== undefined && mark !== undefined && !mark.isOwn && kept.transaction === mark.transaction ? kept.values : new Map<K, V | undefined>()
    const missing = [...new Set(keys)].filter((key) => !known.has(key))
    const found = new Map<K, V>()
    for (const key of keys) {
      const value = known.get(key)
      if (value !== undefined) found.set(key, value)
    }
    if (missing.length === 0) return found
    // The mark is read again before the rows, so that rows are never kept under a mark older than they are, nor changes nobody has committed.
    const [now, loaded] = await Promise.all([readMarks(tx), this.#load(tx, missing)])
    const fresh = now.get(this.#group)
    const values = fresh === undefined || fresh.isOwn ? undefined : this.#keptAt(tx.home, fresh.transaction)
    for (const key of missing) {
      const value = loaded.get(key)
      if (value !== undefined) found.set(key, value)
      values?.set(key, value)
    }
    return found
  }

  #keptAt(home: object, transaction: number): Map<K, V | undefined> {
    const kept = this.#kept.get(home)
    if (kept?.transaction === transaction && kept.values.size < this.#most) return kept.values
    const values = new Map<K, V | undefined>()
    this.#kept.set(home, { transaction, values })
    return values
  }
}

/** A whole small table, kept in the same way. */
export class RememberedTable<V> {
  readonly #rows: Remembered<'all', V>

  constructor(group: Masters, load: (tx: Queries) => Promise<V>) {
    this.#rows = new Remembered(group, async (tx) => new Map([['all', await load(tx)] as const]))
  }

  async get(tx: Queries): Promise<V> {
    const value = await this.#rows.get(tx, 'all')
    if (value === undefined) throw new Error('The table was not read')
    return value
  }
}

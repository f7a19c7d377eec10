import type { Metadata } from '#meta/metadata.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { fieldMap, knownEntity } from './entities.ts'

/** A record, and the header it is a line of. */
export interface Reached {
  readonly entity: ResolvedEntity
  readonly row: Row
  readonly header?: { readonly entity: ResolvedEntity; readonly row: Row }
}

/** What reading takes. */
export interface Reading {
  readonly tx: Queries
  readonly metadata: Metadata
}

/** Fields of records as paths name them: `total`, `customer_id.territory_id`, of a line `write_off_id.cutoff_date`. */
export type Reader = (path: string) => unknown

/**
 * Readers for records and the records they name. What `paths` reach is asked for all of them together: one question an entity.
 * Values are as stored: decimals and days as text. `user`: records he may not see are not there.
 */
export async function readersOf({ tx, metadata }: Reading, records: readonly Reached[], paths: readonly string[], user?: User): Promise<readonly Reader[]> {
  const wanted = new Map<string, { readonly ids: Set<number>; readonly columns: Set<string> }>()
  for (const record of records) {
    for (const path of new Set(paths)) {
      const step = stepOf(record, path)
      if (step === undefined) continue
      const known = wanted.get(step.target) ?? { ids: new Set<number>(), columns: new Set<string>() }
      wanted.set(step.target, known)
      known.ids.add(step.id)
      known.columns.add(step.column)
    }
  }
  const found = new Map<string, ReadonlyMap<number, Row>>()
  for (const [target, { ids, columns }] of wanted) {
    const entity = knownEntity(metadata, target)
    const scope = user === undefined ? undefined : scopeCondition(metadata, user, entity, 't')
    const rows = await tx.rows<Row & { id: number }>(sql`select ${join(['id', ...columns].map((name) => sql`t.${ident(name)}`))} from ${ident(entity.table)} t where t.id = any(${[...ids]}::bigint[]) ${scope === undefined ? sql`` : sql`and ${scope}`}`)
    found.set(target, new Map(rows.map((row) => [row.id, row])))
  }
  return records.map((record) => (path) => {
    const at = whereIs(record, path)
    if (!at.path.includes('.')) return at.row[at.path]
    const step = stepOf(record, path)
    return step === undefined ? null : found.get(step.target)?.get(step.id)?.[step.column]
  })
}

/** The record a path begins at: the header, where it begins with the column that names it. */
function whereIs({ entity, row, header }: Reached, path: string): { readonly entity: ResolvedEntity; readonly row: Row; readonly path: string } {
  const prefix = header === undefined ? undefined : `${header.entity.id}_id.`
  if (header === undefined || prefix === undefined || !path.startsWith(prefix)) return { entity, row, path }
  return { ...header, path: path.slice(prefix.length) }
}

function stepOf(record: Reached, path: string): { readonly target: string; readonly id: number; readonly column: string } | undefined {
  const { entity, row, path: own } = whereIs(record, path)
  const [reference = '', column] = own.split('.')
  const target = fieldMap(entity).get(reference)?.entity
  const id = row[reference]
  return column === undefined || target === undefined || typeof id !== 'number' ? undefined : { target, id, column }
}

import type { CellError } from '#api/import.ts'
import type { ImportSheet } from '#meta/resolved.ts'
import type { Queries, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { said } from '#server/sentences.ts'
import type { Services } from '#server/services.ts'
import { screenOf, sheetOf, type Batch } from './batches.ts'
import { RowChecker, type CheckedRow, type RawRow } from './rowChecker.ts'

/** Rows looked at together. */
export const checkSlice = 1_000

export function checkerOf(services: Services, queries: Queries, user: User, batch: Batch): { readonly checker: RowChecker; readonly sheet: ImportSheet } {
  const screen = screenOf(services, batch)
  const sheet = sheetOf(screen, batch.sheet)
  return { checker: new RowChecker(services, queries, user, screen, sheet, { form: batch.form, heads: batch.heads, mapping: batch.mapping }), sheet }
}

/** Looks at rows and notes what is wrong in each; what they mean together `settleRows` works out. */
export async function checkRows(queries: Queries, checker: RowChecker, batchId: number, rows: readonly RawRow[]): Promise<void> {
  const checked = await checker.check(rows)
  const before = await importedBefore(queries, batchId, checked)
  const units = await unitsBefore(queries, batchId, checked)
  const values = checked.map((row) => {
    const batch = before.get(row.fingerprint)
    const errors: readonly (CellError & { readonly isSkip?: boolean })[] =
      batch === undefined ? row.errors : [{ column: '', code: 'E04', isWarning: true, isSkip: true, ...said({ key: 'cell.imported-before', params: { batch } }) }]
    const state = errors.some((error) => error.isSkip === true) ? 'SKIPPED' : errors.some((error) => error.isWarning !== true) ? 'ERROR' : errors.length > 0 ? 'WARNING' : 'VALID'
    const unit = row.groupKey === undefined ? row.rowNo : Math.min(units.get(row.groupKey) ?? row.rowNo, row.rowNo)
    if (row.groupKey !== undefined) units.set(row.groupKey, unit)
    return { row_no: row.rowNo, unit_no: unit, state, errors: errors.length === 0 ? null : errors, group_key: row.groupKey ?? null, distinct_keys: row.distinct, fingerprint: row.fingerprint }
  })
  await queries.run(sql`
    update import_row r set state = n.state, errors = n.errors, group_key = n.group_key, distinct_keys = n.distinct_keys, fingerprint = n.fingerprint, unit_no = n.unit_no
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as n(row_no int, unit_no int, state text, errors jsonb, group_key text, distinct_keys jsonb, fingerprint text)
    where r.import_batch_id = ${batchId} and r.row_no = n.row_no and r.state <> 'COMMITTED'`)
}

/** First row of the documents that began before these rows, by group. */
async function unitsBefore(queries: Queries, batchId: number, rows: readonly CheckedRow[]): Promise<Map<string, number>> {
  const groups = [...new Set(rows.flatMap((row) => row.groupKey ?? []))]
  if (groups.length === 0) return new Map()
  const found = await queries.rows<{ group_key: string; first: number }>(sql`
    select k.key as group_key, f.first from unnest(${groups}::text[]) k(key)
    cross join lateral (select min(r.row_no) as first from import_row r where r.import_batch_id = ${batchId} and r.group_key = k.key and r.row_no < ${rows[0]?.rowNo ?? 0}) f where f.first is not null`)
  return new Map(found.map((row) => [row.group_key, row.first]))
}

/** Rows that say what a row of another file said that is imported already: fingerprint → code of that batch. */
async function importedBefore(queries: Queries, batchId: number, rows: readonly CheckedRow[]): Promise<ReadonlyMap<string, string>> {
  const found = await queries.rows<{ fingerprint: string; code: string }>(sql`
    select r.fingerprint, b.code from import_row r join import_batch b on b.id = r.import_batch_id
    where r.state = 'COMMITTED' and r.fingerprint = any(${rows.map((row) => row.fingerprint)}::text[]) and r.import_batch_id <> ${batchId}`)
  return new Map(found.map((row) => [row.fingerprint, row.code]))
}

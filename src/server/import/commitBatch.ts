import type { CellError } from '#api/import.ts'
import type { FieldProblem } from '#api/problems.ts'
import { wireName } from '#base/wireName.ts'
import type { ImportSheet } from '#meta/resolved.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { createRecord, deleteRecord } from '#server/documents/saveRecord.ts'
import { marksOf } from '#server/db/remembered.ts'
import { ProblemError } from '#server/problemError.ts'
import { said } from '#server/sentences.ts'
import type { Services } from '#server/services.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'
import { runTransition } from '#server/workflow/engine.ts'
import type { Batch, MadeRecord } from './batches.ts'
import { checkerOf } from './checkBatch.ts'
import { ofProblem, type CheckedRow, type RawRow } from './rowChecker.ts'

/** Documents of one transaction: enough that its cost is shared, few enough that others need not wait. */
const unitsTogether = 25

interface StoredRow extends Row, RawRow {
  readonly row_no: number
  readonly raw: readonly string[]
  readonly unit_no: number
}

interface Done {
  readonly errors: ReadonlyMap<number, readonly CellError[]>
  readonly made: ReadonlyMap<number, readonly MadeRecord[]>
}

/** Thrown to undo everything when a file is imported whole or not at all. */
class NotWhole extends Error {}

/**
 * Imports what is right, document by document, each by itself; everything or nothing where the import says so. A row is marked as imported in the
 * transaction that makes its records: after a break it goes on where it stopped, and nothing is made twice.
 */
export async function commitBatch(services: Services, user: User, batch: Batch, watch: { readonly signal: AbortSignal; readonly onRows: (done: number) => void }): Promise<void> {
  const { database, metadata } = services
  const screen = metadata.screens[batch.screen]
  const isWhole = screen?.kind === 'import' && screen.mode === 'all-or-nothing'
  const { checker, sheet } = checkerOf(services, database, user, batch)
  const failures = new Map<number, readonly CellError[]>()
  let done = batch.counts.imported
  const everything = async (): Promise<void> => {
    let last = 0
    for (;;) {
      watch.signal.throwIfAborted()
      const rows = await nextRows(database, batch.id, last)
      if (rows.length === 0) break
      last = Math.max(...rows.map((row) => row.unit_no))
      const checked = new Map((await checker.check(rows)).map((row) => [row.rowNo, row]))
      const outcome = await database.transaction(async (tx) => {
        void marksOf(tx)
        const result = await makeUnits(services, tx, user, sheet, rows, checked)
        await noteRows(tx, batch.id, result)
        return result
      })
      for (const [row, errors] of outcome.errors) failures.set(row, errors)
      done += outcome.made.size
      watch.onRows(done)
    }
    if (isWhole && failures.size > 0) throw new NotWhole()
  }
  if (!isWhole) return everything()
  try {
    await database.transaction(everything)
  } catch (error) {
    if (!(error instanceof NotWhole)) throw error
    await database.transaction((tx) => noteRows(tx, batch.id, { errors: failures, made: new Map() }))
  }
}

/** The rows of the next documents, whole documents only. */
async function nextRows(queries: Queries, batchId: number, after: number): Promise<readonly StoredRow[]> {
  return queries.rows<StoredRow>(sql`
    select row_no, raw, unit_no from import_row where import_batch_id = ${batchId} and state in ('VALID', 'WARNING') and unit_no in (
      select distinct unit_no from import_row where import_batch_id = ${batchId} and state in ('VALID', 'WARNING') and unit_no > ${after} order by unit_no limit ${unitsTogether}
    ) order by unit_no, row_no`)
}

async function makeUnits(services: Services, tx: Queries, user: User, sheet: ImportSheet, rows: readonly StoredRow[], checked: ReadonlyMap<number, CheckedRow>): Promise<Done> {
  const errors = new Map<number, readonly CellError[]>()
  const made = new Map<number, readonly MadeRecord[]>()
  for (const unit of new Set(rows.map((row) => row.unit_no))) {
    const own = rows.filter((row) => row.unit_no === unit).flatMap((row) => checked.get(row.row_no) ?? [])
    // Since it was checked the world may have changed: another user, another file.
    const wrong = own.filter((row) => row.errors.some((error) => error.isWarning !== true))
    if (wrong.length > 0) {
      for (const row of wrong) errors.set(row.rowNo, row.errors)
      continue
    }
    try {
      const records = await services.database.transaction((inner) => makeUnit(services, inner, user, sheet, own))
      for (const row of own) made.set(row.rowNo, records)
    } catch (error) {
      const found = errorsOf(error, sheet, own)
      if (found === undefined) throw error
      for (const [row, list] of found) errors.set(row, list)
    }
  }
  await nameRecords(services, tx, sheet, made)
  return { errors, made }
}

/** One document or master record with what belongs to it, by the same way as if somebody had typed it. */
async function makeUnit(services: Services, tx: Queries, user: User, sheet: ImportSheet, rows: readonly CheckedRow[]): Promise<readonly MadeRecord[]> {
  const run = new CommandRun(services, tx, user)
  const [first] = rows
  const [main, ...others] = sheet.records
  if (first === undefined || main === undefined) return []
  const { metadata } = services
  const body: Row = wired(first.records.get(main.id) ?? {})
  for (const record of others) {
    if (record.lines === undefined) continue
    const lines = rows.flatMap((row): readonly Row[] => [row.records.get(record.id) ?? {}])
    body[record.lines] = lines.map((line) => wired(line))
  }
  const id = await createRecord(run, knownEntity(metadata, main.entity), body)
  const made: MadeRecord[] = [{ entity: main.entity, id }]
  for (const record of others) {
    const values = record.owner === undefined ? undefined : first.records.get(record.id)
    if (values === undefined || record.owner === undefined) continue
    made.push({ entity: record.entity, id: await createRecord(run, knownEntity(metadata, record.entity), wired({ ...values, [record.owner]: id })) })
  }
  if (sheet.afterwards !== undefined && rows.some((row) => row.isAsked)) {
    await runTransition(run, { entity: knownEntity(metadata, main.entity), id, action: sheet.afterwards.action, input: {}, asSystem: false })
  }
  run.assertAcknowledged()
  return made
}

function wired(values: Row): Row {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [wireName(name), value]))
}

/** A refusal as errors of the cells it is about; undefined when it is none but a fault of ours. */
function errorsOf(error: unknown, sheet: ImportSheet, rows: readonly CheckedRow[]): ReadonlyMap<number, readonly CellError[]> | undefined {
  const [first] = rows
  if (!(error instanceof ProblemError) || first === undefined) return undefined
  const { errors = [], text, key, params } = error.problem
  if (errors.length === 0) return new Map([[first.rowNo, [{ column: '', code: 'E10', text, key, ...(params === undefined ? {} : { params }) }]]])
  const found = new Map<number, CellError[]>()
  for (const problem of errors) {
    const { row, column } = placeOf(sheet, rows, problem)
    found.set(row, [...(found.get(row) ?? []), ofProblem(column, problem)])
  }
  return found
}

function placeOf(sheet: ImportSheet, rows: readonly CheckedRow[], { field }: FieldProblem): { readonly row: number; readonly column: string } {
  const line = /^(\w+)\[(\d+)\]\.(\w+)$/.exec(field)
  const record = line === null ? undefined : sheet.records.find(({ lines }) => lines === line[1])
  const wire = line?.[3] ?? field
  const owner = record ?? sheet.records[0]
  const column = sheet.columns.find(({ targets }) => targets.some((target) => target.record === owner?.id && wireName(target.field) === wire))
  const at = line === null ? 0 : Number(line[2])
  return { row: (rows[at] ?? rows[0])?.rowNo ?? 0, column: column?.name ?? '' }
}

/** The numbers people know the new records by. */
async function nameRecords(services: Services, tx: Queries, sheet: ImportSheet, made: Map<number, readonly MadeRecord[]>): Promise<void> {
  const main = sheet.records[0]?.entity
  if (main === undefined || made.size === 0) return
  const entity = knownEntity(services.metadata, main)
  const ids = [...made.values()].flatMap(([first]) => (first === undefined ? [] : [first.id]))
  const rows = await tx.rows<{ id: number; name: string | null }>(sql`select id, ${ident(entity.display[0])}::text as name from ${ident(entity.table)} where id = any(${ids}::bigint[])`)
  const names = new Map(rows.map((row) => [row.id, row.name]))
  for (const [row, records] of made) made.set(row, records.map((record, i) => (i === 0 ? { ...record, name: names.get(record.id) ?? `#${record.id}` } : record)))
}

async function noteRows(tx: Queries, batchId: number, { errors, made }: Done): Promise<void> {
  const values = [
    ...[...made].map(([row_no, records]) => ({ row_no, state: 'COMMITTED', errors: null, records })),
    ...[...errors].map(([row_no, list]) => ({ row_no, state: 'ERROR', errors: list, records: null })),
  ]
  if (values.length === 0) return
  await tx.run(sql`
    update import_row r set state = n.state, errors = n.errors, records = n.records
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as n(row_no int, state text, errors jsonb, records jsonb)
    where r.import_batch_id = ${batchId} and r.row_no = n.row_no`)
}

/**
 * Takes back what was imported, the last document first. What is in use, was changed since or has gone on its way stays, and its row says why.
 */
export async function undoBatch(services: Services, user: User, batch: Batch, watch: { readonly signal: AbortSignal; readonly onRows: (done: number) => void }): Promise<void> {
  const { database, metadata } = services
  let last = 2_147_483_647
  let done = 0
  for (;;) {
    watch.signal.throwIfAborted()
    const rows = await database.rows<{ unit_no: number; records: readonly MadeRecord[] }>(sql`
      select distinct on (unit_no) unit_no, records from import_row where import_batch_id = ${batch.id} and state = 'COMMITTED' and unit_no < ${last} order by unit_no desc limit ${unitsTogether}`)
    if (rows.length === 0) return
    last = Math.min(...rows.map((row) => row.unit_no))
    await database.transaction(async (tx) => {
      void marksOf(tx)
      for (const row of rows) {
        const refusal = await database
          .transaction(async (inner) => {
            const run = new CommandRun(services, inner, user)
            for (const record of row.records.toReversed()) {
              const entity = knownEntity(metadata, record.entity)
              const found = await inner.first(sql`select * from ${ident(entity.table)} where id = ${record.id}`)
              if (found === undefined) continue
              if (found['version'] !== undefined && Number(found['version']) !== 1) return { column: '', code: 'E10', ...said({ key: 'cell.changed-since' }) }
              await deleteRecord(run, entity, record.id, Number(found['version'] ?? 1))
            }
            return undefined
          })
          .catch((error: unknown): CellError => {
            if (!(error instanceof ProblemError)) throw error
            const { text, key, params } = error.problem
            return { column: '', code: 'E10', text, key, ...(params === undefined ? {} : { params }) }
          })
        const change = refusal === undefined ? sql`state = 'VALID', records = null, errors = null` : sql`errors = ${JSON.stringify([{ ...refusal, isWarning: true }])}::jsonb`
        await tx.run(sql`update import_row set ${change} where import_batch_id = ${batch.id} and unit_no = ${row.unit_no} and state = 'COMMITTED'`)
      }
    })
    done += rows.length
    watch.onRows(done)
  }
}

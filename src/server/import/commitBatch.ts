import type { CellError } from '#api/import.ts'
import type { FieldProblem } from '#api/problems.ts'
import { wireName } from '#base/wireName.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { ImportSheet } from '#meta/resolved.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { isDocument, knownEntity } from '#server/documents/entities.ts'
import { mostLines } from '#server/documents/parseRecord.ts'
import { createRecord, deleteRecord, updateRecord } from '#server/documents/saveRecord.ts'
import { marksOf } from '#server/db/remembered.ts'
import { problemOf } from '#server/http/problemOf.ts'
import { hookKey } from '#server/documents/readRecord.ts'
import { invalid, ProblemError } from '#server/problemError.ts'
import { said } from '#server/sentences.ts'
import type { Services } from '#server/services.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'
import { runTransition } from '#server/workflow/engine.ts'
import { screenOf, sheetOf, type Batch, type MadeRecord } from './batches.ts'
import { chains } from './chains.ts'
import { checkerOf } from './checkBatch.ts'
import { ofProblem, type CheckedRow, type RawRow } from './rowChecker.ts'
import { tidy, tidyEvery } from './tidy.ts'
import { packed, relatedUnits, unitsOf } from './together.ts'

/** Documents of one transaction: enough that its cost is shared, few enough that others need not wait. */
const unitsTogether = { record: 50, document: 25, chain: 5 } as const
/** Rows of documents of one transaction; a larger document is one by itself. */
const rowsTogether = 500
/** Documents that bear on each other tried out in one transaction. */
const mostTogether = 500

interface StoredRow extends Row, RawRow {
  readonly row_no: number
  readonly raw: readonly string[]
  readonly unit_no: number
}

interface Done {
  readonly errors: ReadonlyMap<number, readonly CellError[]>
  readonly made: ReadonlyMap<number, readonly MadeRecord[]>
  /** What who imports shall know of rows that are right. */
  readonly foretold: ReadonlyMap<number, readonly CellError[]>
  /** What is to be said of rows once they are imported. */
  readonly notes: ReadonlyMap<number, readonly CellError[]>
}

/** What rows of one document became. */
interface Unit {
  readonly records: readonly MadeRecord[]
  readonly notes?: readonly CellError[]
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
  // What was taken up again may stand on a database nobody has looked after.
  let sinceTidy = tidyEvery
  const everything = async (): Promise<void> => {
    let last = 0
    for (;;) {
      watch.signal.throwIfAborted()
      const rows = await nextRows(database, batch.id, last, sheet)
      if (rows.length === 0) break
      last = Math.max(...rows.map((row) => row.unit_no))
      const checked = new Map((await checker.check(rows)).map((row) => [row.rowNo, row]))
      const outcome = await database.transaction(async (tx) => {
        void marksOf(tx)
        const result = await makeUnits(services, tx, user, sheet, rows, checked)
        await noteRows(tx, batch.id, result.errors, result.made, result.notes)
        return result
      })
      for (const [row, errors] of outcome.errors) failures.set(row, errors)
      done += outcome.made.size
      watch.onRows(done)
      sinceTidy += rows.length
      if (sinceTidy < tidyEvery || isWhole) continue
      sinceTidy = 0
      await tidy(database)
    }
    if (isWhole && failures.size > 0) throw new NotWhole()
  }
  if (!isWhole) return everything()
  try {
    await database.transaction(everything)
  } catch (error) {
    if (!(error instanceof NotWhole)) throw error
    await database.transaction((tx) => noteRows(tx, batch.id, failures))
  }
}

/** Thrown to undo what was done only to see whether it can be. */
class Rehearsed extends Error {}

/**
 * Makes what is right and rolls it back, some documents at a time: what only saving and posting find out is then known before anything is
 * imported. `only`: the documents of these rows. Answers the rows found wrong.
 */
export async function rehearse(services: Services, user: User, batch: Batch, watch: { readonly signal?: AbortSignal }, only?: readonly number[]): Promise<void> {
  const { database } = services
  const { checker, sheet } = checkerOf(services, database, user, batch)
  for await (const rows of slicesOf(database, batch, sheet, only)) {
    watch.signal?.throwIfAborted()
    const checked = new Map((await checker.check(rows)).map((row) => [row.rowNo, row]))
    const found = new Map<number, readonly CellError[]>()
    await database
      .transaction(async (tx) => {
        void marksOf(tx)
        const { errors, foretold } = await makeUnits(services, tx, user, sheet, rows, checked)
        for (const [row, list] of [...foretold, ...errors]) found.set(row, list)
        throw new Rehearsed()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Rehearsed)) throw error
      })
    // What was known before stays beside it; of a row that is wrong only what is wrong now.
    const noted = [...found].map(([row, list]) => {
      const known = checked.get(row)?.errors.filter(({ isWarning }) => isWarning === true) ?? []
      const isNew = ({ text }: CellError): boolean => !known.some((one) => one.text === text)
      return [row, [...known, ...list.filter((error) => isNew(error) && (error.isWarning !== true || list.every(({ isWarning }) => isWarning === true)))]] as const
    })
    await noteRows(database, batch.id, new Map(noted))
  }
}

/** The rows of some documents after others: those that bear on each other at once, in their order, so that each is judged as if those before it were booked. */
async function* slicesOf(queries: Queries, batch: Batch, sheet: ImportSheet, only?: readonly number[]): AsyncGenerator<readonly StoredRow[]> {
  const lots = await relatedUnits(queries, batch, sheet, true)
  if (lots.length === 0) {
    for (let last = 0; ; ) {
      const rows = await nextRows(queries, batch.id, last, sheet, only)
      if (rows.length === 0) return
      last = Math.max(...rows.map((row) => row.unit_no))
      yield rows
    }
  }
  const wanted = only === undefined ? undefined : new Set(await unitsOf(queries, batch.id, only))
  const own = lots.filter(({ units }) => wanted === undefined || units.some((unit) => wanted.has(unit)))
  // Of more that bear on each other than others can wait for, only doing tells about the rest.
  const bounded = own.map((lot) => (lot.units.length > mostTogether ? { ...lot, units: lot.units.slice(0, mostTogether) } : lot))
  for (const units of packed(bounded, { units: togetherOf(sheet), rows: rowsTogether })) {
    yield await queries.rows<StoredRow>(sql`
      select row_no, raw, unit_no from import_row where import_batch_id = ${batch.id} and state in ('VALID', 'WARNING') and unit_no = any(${[...units]}::int[]) order by unit_no, row_no`)
  }
}

/** The rows of the next documents, whole documents only. Asked so that the index answers in its order, however many rows are left. */
async function nextRows(queries: Queries, batchId: number, after: number, sheet: ImportSheet, only?: readonly number[]): Promise<readonly StoredRow[]> {
  const wanted = only === undefined ? sql`` : sql`and unit_no in (select unit_no from import_row where import_batch_id = ${batchId} and row_no = any(${only}::int[]))`
  const open = sql`import_batch_id = ${batchId} and state in ('VALID', 'WARNING') ${wanted}`
  const rows = await queries.rows<StoredRow>(sql`
    select row_no, raw, unit_no from import_row where ${open} and unit_no > ${after} order by import_batch_id, unit_no, row_no limit ${rowsTogether}`)
  const [first] = rows
  // The last document may have been cut off.
  const cut = rows.length < rowsTogether ? undefined : rows.at(-1)?.unit_no
  const units = [...new Set(rows.map((row) => row.unit_no))].filter((unit) => unit !== cut).slice(0, togetherOf(sheet))
  if (first !== undefined && units.length === 0) return queries.rows<StoredRow>(sql`select row_no, raw, unit_no from import_row where ${open} and unit_no = ${first.unit_no} order by row_no`)
  const last = units.at(-1) ?? 0
  return rows.filter((row) => row.unit_no <= last)
}

function togetherOf(sheet: ImportSheet): number {
  return sheet.chain !== undefined ? unitsTogether.chain : sheet.group.length > 0 ? unitsTogether.document : unitsTogether.record
}

async function makeUnits(services: Services, tx: Queries, user: User, sheet: ImportSheet, rows: readonly StoredRow[], checked: ReadonlyMap<number, CheckedRow>): Promise<Done> {
  const errors = new Map<number, readonly CellError[]>()
  const made = new Map<number, readonly MadeRecord[]>()
  const foretold = new Map<number, readonly CellError[]>()
  const notes = new Map<number, readonly CellError[]>()
  for (const unit of new Set(rows.map((row) => row.unit_no))) {
    const all = rows.filter((row) => row.unit_no === unit).flatMap((row) => checked.get(row.row_no) ?? [])
    // Rows without a line come last: a complaint about line n is then about row n.
    const own = [...all.filter(({ isGiven }) => !isGiven), ...all.filter(({ isGiven }) => isGiven)]
    // Since it was checked the world may have changed: another user, another file.
    const wrong = own.filter((row) => row.errors.some((error) => error.isWarning !== true))
    if (wrong.length > 0) {
      for (const row of wrong) errors.set(row.rowNo, row.errors)
      continue
    }
    const parts = partsOf(sheet, own)
    let current: readonly CheckedRow[] = own
    try {
      const records = await services.database.transaction(async (inner) => {
        const done: Unit[] = []
        for (const part of parts) {
          current = part
          const run = runOf(services, inner, user, sheet, part)
          done.push(await makeUnit(run, sheet, part))
          run.assertAcknowledged()
          const [first] = part
          if (first !== undefined && run.foretold.length > 0) foretold.set(first.rowNo, run.foretold.map(({ id: _id, code: _code, ...sentence }) => ({ column: '', code: 'E00', ...sentence, isWarning: true })))
        }
        return done
      })
      for (const [at, part] of parts.entries()) {
        const { records: own = [], notes: ofUnit = [] } = records[at] ?? {}
        for (const [i, row] of part.entries()) {
          made.set(row.rowNo, own)
          if (i === 0 && ofUnit.length > 0) notes.set(row.rowNo, ofUnit)
        }
      }
    } catch (error) {
      const found = errorsOf(services.metadata, error, sheet, current)
      if (found === undefined) throw error
      for (const [row, list] of found) errors.set(row, list)
    }
  }
  await nameRecords(services, tx, made)
  return { errors, made, foretold, notes }
}

/** A document holds so many lines; rows of a group beyond them become further documents, made with it, unless something of the group is there only once. */
function partsOf(sheet: ImportSheet, rows: readonly CheckedRow[]): readonly (readonly CheckedRow[])[] {
  const isSingle = sheet.columns.some(({ distinct, targets }) => distinct !== undefined && targets[0]?.record === sheet.records[0]?.id)
  if (rows.length <= mostLines || isSingle) return [rows]
  return Array.from({ length: Math.ceil(rows.length / mostLines) }, (_, i) => rows.slice(i * mostLines, (i + 1) * mostLines))
}

/** The command of one document; one of a chain counts as done on its own day. */
function runOf(services: Services, tx: Queries, user: User, sheet: ImportSheet, [first]: readonly CheckedRow[]): CommandRun {
  const day = sheet.chain === undefined ? undefined : chains[sheet.chain].dayOf(first?.records.get(sheet.records[0]?.id ?? '') ?? {}, services.clock.today())
  return new CommandRun(services, tx, user, { source: 'IMPORT', ...(day === undefined ? {} : { today: day }) })
}

/** One document or master record with what belongs to it, by the same way as if somebody had typed it. */
async function makeUnit(run: CommandRun, sheet: ImportSheet, rows: readonly CheckedRow[]): Promise<Unit> {
  const [first] = rows
  const [main, ...others] = sheet.records
  if (first === undefined || main === undefined) return { records: [] }
  const chain = sheet.chain === undefined ? undefined : chains[sheet.chain]
  const values = first.records.get(main.id) ?? {}
  const { metadata, services, tx } = run
  const entity = knownEntity(metadata, main.entity)
  const line = others.find(({ lines }) => lines !== undefined)?.id ?? ''
  if (chain !== undefined && first.existing !== undefined) return { records: await chain.use(run, first.existing, values, rows.map((row) => row.records.get(line) ?? {})) }
  const body: Row = wired(values)
  const given = rows.filter(({ isGiven }) => isGiven)
  for (const record of others) {
    if (record.lines === undefined) continue
    const lines = rows.filter(({ isGiven }) => !isGiven).map((row) => row.records.get(record.id) ?? {})
    body[record.lines] = lines.map((line) => wired(line))
  }
  const { target } = first
  if (target !== undefined) {
    await updateRecord(run, entity, Number(target['id']), Number(target['version'] ?? 1), body)
    return { records: [{ entity: main.entity, id: Number(target['id']), isUsed: true }] }
  }
  const id = await createRecord(run, entity, body)
  const made: MadeRecord[] = [{ entity: main.entity, id }]
  for (const record of others) {
    const values = record.owner === undefined ? undefined : first.records.get(record.id)
    if (values === undefined || record.owner === undefined) continue
    made.push({ entity: record.entity, id: await createRecord(run, knownEntity(metadata, record.entity), wired({ ...values, [record.owner]: id })) })
  }
  const hooks = services.hooks[hookKey(entity)]
  if (given.length > 0) {
    const problems = (await hooks?.missingGiven?.(run, id, given.map((row) => row.records.get(line) ?? {}), rows.length - given.length)) ?? []
    if (problems.length > 0) invalid(problems)
  }
  const isAsked = sheet.afterwards !== undefined && (sheet.afterwards.column === undefined || rows.some((row) => row.isAsked))
  if (sheet.afterwards !== undefined && isAsked) {
    await runTransition(run, { entity, id, action: sheet.afterwards.action, input: {}, asSystem: false })
  }
  if (chain !== undefined) made.push(...(await chain.make(run, id)))
  const notes = isAsked ? ((await hooks?.importNotes?.(tx, id)) ?? []) : []
  return { records: made, notes: notes.map((note): CellError => ({ column: '', code: 'E00', isWarning: true, ...note })) }
}

function wired(values: Row): Row {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [wireName(name), value]))
}

/** A refusal as errors of the cells it is about; undefined when it is none but a fault of ours. */
function errorsOf(metadata: Metadata, error: unknown, sheet: ImportSheet, rows: readonly CheckedRow[]): ReadonlyMap<number, readonly CellError[]> | undefined {
  const [first] = rows
  // What the database refuses because of the row is the row's fault; what it cannot do now is not.
  const refusal = problemOf(error, metadata)
  if (refusal === undefined || refusal.code === 'SERVICE_UNAVAILABLE' || first === undefined) return undefined
  const { errors = [], text, key, params } = refusal
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

/** The numbers people know the new records by: the main one, and all that have a page of their own. */
async function nameRecords(services: Services, tx: Queries, made: Map<number, readonly MadeRecord[]>): Promise<void> {
  const named = new Map<string, Set<number>>()
  const isNamed = ({ entity }: MadeRecord, place: number): boolean => place === 0 || knownEntity(services.metadata, entity).page !== undefined
  for (const records of made.values()) for (const [i, record] of records.entries()) if (isNamed(record, i)) named.set(record.entity, (named.get(record.entity) ?? new Set()).add(record.id))
  const names = new Map<string, string>()
  for (const [name, ids] of named) {
    const entity = knownEntity(services.metadata, name)
    const rows = await tx.rows<{ id: number; name: string | null }>(sql`select id, ${ident(entity.display[0])}::text as name from ${ident(entity.table)} where id = any(${[...ids]}::bigint[])`)
    for (const row of rows) names.set(`${name} ${row.id}`, row.name ?? `#${row.id}`)
  }
  for (const [row, records] of made) made.set(row, records.map((record, i) => (isNamed(record, i) ? { ...record, name: names.get(`${record.entity} ${record.id}`) ?? `#${record.id}` } : record)))
}

async function noteRows(tx: Queries, batchId: number, errors: Done['errors'], made: Done['made'] = new Map(), notes: Done['notes'] = new Map()): Promise<void> {
  const values = [
    ...[...made].map(([row_no, records]) => ({ row_no, state: 'COMMITTED', errors: notes.get(row_no) ?? null, records })),
    ...[...errors].map(([row_no, list]) => ({ row_no, state: list.every(({ isWarning }) => isWarning === true) ? 'WARNING' : 'ERROR', errors: list, records: null })),
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
  const { database } = services
  const sheet = sheetOf(screenOf(services, batch), batch.sheet)
  let last = 2_147_483_647
  let done = 0
  for (;;) {
    watch.signal.throwIfAborted()
    const rows = await database.rows<{ unit_no: number; documents: readonly (readonly MadeRecord[])[] }>(sql`
      select unit_no, jsonb_agg(distinct records) as documents from import_row where import_batch_id = ${batch.id} and state = 'COMMITTED' and unit_no in (
        select distinct unit_no from import_row where import_batch_id = ${batch.id} and state = 'COMMITTED' and unit_no < ${last} order by unit_no desc limit ${togetherOf(sheet)}) group by unit_no order by unit_no desc`)
    if (rows.length === 0) return
    last = Math.min(...rows.map((row) => row.unit_no))
    await database.transaction(async (tx) => {
      void marksOf(tx)
      for (const row of rows) {
        const refusal = await database
          .transaction((inner) => takeBack(services, inner, user, batch, sheet, row.documents))
          .catch((error: unknown): CellError => {
            if (error instanceof Stays) return error.cell
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

/** Thrown to leave all of a document as it is; says why. */
class Stays extends Error {
  readonly cell: CellError

  constructor(key: 'cell.changed-since' | 'cell.was-there') {
    super(key)
    this.cell = { column: '', code: 'E10', ...said({ key }) }
  }
}

/** Takes back what rows of one document became, all of it or nothing. Answers what is still to happen before it is gone. */
async function takeBack(services: Services, tx: Queries, user: User, batch: Batch, sheet: ImportSheet, documents: readonly (readonly MadeRecord[])[]): Promise<CellError | undefined> {
  const run = new CommandRun(services, tx, user, { source: 'IMPORT' })
  const reason = `${batch.code} ${batch.fileName}`
  const chain = sheet.chain === undefined ? undefined : chains[sheet.chain]
  let waits = false
  for (const records of documents) {
    if (chain !== undefined) {
      await chain.undo(run, records, reason)
      continue
    }
    for (const record of records.toReversed()) {
      const entity = knownEntity(services.metadata, record.entity)
      const found = await tx.first(sql`select * from ${ident(entity.table)} where id = ${record.id}`)
      if (found === undefined) continue
      if (record.isUsed === true) throw new Stays('cell.was-there')
      const status = isDocument(entity) ? Number(found['status']) : 0
      // Somebody has cancelled or reversed it already.
      if (status === 6 || status === 7) continue
      const back = record.entity === sheet.records[0]?.entity ? sheet.afterwards?.back : undefined
      if (back !== undefined && status !== 0) {
        await runTransition(run, { entity, id: record.id, action: back, input: { reason_text: reason }, asSystem: false })
        const after = await tx.first<{ status: number }>(sql`select status from ${ident(entity.table)} where id = ${record.id}`)
        waits ||= after?.status !== 6 && after?.status !== 7
        continue
      }
      if (found['version'] !== undefined && Number(found['version']) !== 1) throw new Stays('cell.changed-since')
      await deleteRecord(run, entity, record.id, Number(found['version'] ?? 1))
    }
  }
  run.assertAcknowledged()
  return waits ? { column: '', code: 'E00', ...said({ key: 'cell.undo-asked' }) } : undefined
}

import type { FileForm, ImportBatch, ImportRowState, ImportStatus, ImportWork } from '#api/import.ts'
import { importWorks } from '#api/import.ts'
import type { Said } from '#api/problems.ts'
import type { ImportScreen, ImportSheet } from '#meta/resolved.ts'
import { isAdministrator } from '#server/access/administrator.ts'
import { hasScreen } from '#server/access/guards.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { said } from '#server/sentences.ts'
import type { Services } from '#server/services.ts'
import { headKey } from './rowChecker.ts'

/** A batch as the server works with it. */
export interface Batch {
  readonly id: number
  readonly code: string
  readonly screen: string
  readonly sheet: string
  readonly userId: number
  readonly fileName: string
  readonly fileKey: string
  readonly status: ImportStatus
  readonly work: ImportWork | null
  readonly form: FileForm
  readonly heads: readonly string[]
  readonly mapping: readonly (string | null)[]
  readonly counts: Readonly<Record<'total' | 'right' | 'warned' | 'wrong' | 'skipped' | 'imported', number>>
  readonly sameAsId: number | null
  readonly row: Row
}

/** A record that a row became. */
export interface MadeRecord {
  readonly entity: string
  readonly id: number
  readonly name?: string
  /** It was there before the import. */
  readonly isUsed?: true
}

const select = sql`
  select b.*, u.name as user_name, s.code as same_code, s.created_at as same_at, su.name as same_by, r.code as retry_code, n.id as next_id, n.code as next_code
  from import_batch b join app_user u on u.id = b.user_id
  left join import_batch s on s.id = b.same_as_id left join app_user su on su.id = s.user_id left join import_batch r on r.id = b.retry_of_id
  left join lateral (select l.id, l.code from import_batch l where l.retry_of_id = b.id and l.status not in (5, 6, 7) order by l.id desc limit 1) n on true`

export async function findBatch(queries: Queries, id: number): Promise<Batch | undefined> {
  const row = await queries.first(sql`${select} where b.id = ${id}`)
  return row && batchOf(row)
}

/** The batch, if it is the user's own, or he may import the same and sees all of the company. */
export async function requireBatch(services: Services, queries: Queries, user: User, id: number): Promise<Batch> {
  const batch = await findBatch(queries, id)
  if (!batch) return fail('NOT_FOUND.import')
  const screen = services.metadata.screens[batch.screen]
  const isVisible = batch.userId === user.id || (screen?.kind === 'import' && hasScreen(services.metadata, user, screen) && user.territories === 'all' && user.operatingUnits === 'all' && isWholeIn(screen, batch))
  return isVisible ? batch : fail('NOT_FOUND.import')
}

/** Has the import, as the user has it, every column the file was taken for? */
function isWholeIn(screen: ImportScreen, { sheet, mapping }: Batch): boolean {
  const known = new Set(screen.sheets.filter(({ id }) => sheet === '' || id === sheet).flatMap(({ columns }) => columns.map(({ name }) => name)))
  return mapping.every((name) => name === null || known.has(name))
}

/** The latest batches of an import that the user may see. */
export async function batchesOf(queries: Queries, user: User, screen: ImportScreen): Promise<readonly Batch[]> {
  const isAll = user.territories === 'all' && user.operatingUnits === 'all'
  const rows = await queries.rows(sql`${select} where b.screen = ${screen.id} and (${isAll} or b.user_id = ${user.id}) order by b.id desc limit 30`)
  return rows.map(batchOf)
}

/** The import of a batch; a batch outlives an import that is no more. */
export function screenOf(services: Services, batch: Batch): ImportScreen {
  const screen = services.metadata.screens[batch.screen]
  return screen?.kind === 'import' ? screen : fail('NOT_FOUND.import')
}

export function sheetOf(screen: ImportScreen, id: string): ImportSheet {
  return screen.sheets.find((sheet) => sheet.id === id) ?? (id === '' ? screen.sheets[0] : undefined) ?? fail('NOT_FOUND.import')
}

export function batchOf(row: Row): Batch {
  const number = (name: string): number => Number(row[name] ?? 0)
  return {
    id: number('id'),
    code: String(row['code']),
    screen: String(row['screen']),
    sheet: String(row['sheet']),
    userId: number('user_id'),
    fileName: String(row['file_name']),
    fileKey: String(row['file_key']),
    status: number('status') as ImportStatus,
    work: importWorks.find((work) => work === row['work']) ?? null,
    form: row['form'] as FileForm,
    heads: row['heads'] as readonly string[],
    mapping: row['mapping'] as readonly (string | null)[],
    counts: { total: number('rows_total'), right: number('rows_right'), warned: number('rows_warned'), wrong: number('rows_wrong'), skipped: number('rows_skipped'), imported: number('rows_imported') },
    sameAsId: row['same_as_id'] === null ? null : number('same_as_id'),
    row,
  }
}

const numeric: ReadonlySet<string> = new Set(['integer', 'quantity', 'money', 'percent', 'rate', 'price', 'cost'])

/** A number of the file that could be two (`150.000`), as long as nobody has said how its numbers are written; undefined: there is none among what is imported. */
export function doubtOf(screen: ImportScreen | undefined, { form, sheet, mapping }: Batch): string | undefined {
  if (form.doubtful === undefined) return undefined
  const columns = screen?.sheets.find(({ id }) => id === sheet)?.columns ?? []
  return form.doubtful.find((value, i) => value !== null && columns.some(({ name, type }) => name === mapping[i] && numeric.has(type))) ?? undefined
}

/** What may be done with the batch as it stands. */
export function actionsOf(screen: ImportScreen | undefined, batch: Batch, user: User): ImportBatch['Actions'] {
  const { status, work, counts } = batch
  if (batch.userId !== user.id && !isAdministrator(user)) return []
  const hasRefused = counts.wrong > 0 || counts.skipped > 0
  if (work !== null) return ['cancel']
  const isWaiting = status === 1 || status === 2
  return [
    // A file that could not be read may be read otherwise, once it is known what it was taken for.
    ...(status === 1 || status === 8 || (status === 5 && 'kind' in batch.form) ? (['read'] as const) : []),
    ...(isWaiting && counts.right + counts.warned > 0 && (screen?.mode === 'partial' || counts.wrong === 0) && doubtOf(screen, batch) === undefined ? (['commit'] as const) : []),
    ...(status === 1 ? (['cancel'] as const) : []),
    ...(screen?.undo === true && counts.imported > 0 ? (['undo'] as const) : []),
    ...(status !== 8 && hasRefused ? (['failed'] as const) : []),
  ]
}

export function onWire(screen: ImportScreen | undefined, batch: Batch, user: User): ImportBatch {
  const { row, counts } = batch
  const text = (name: string): string | null => (row[name] === null || row[name] === undefined ? null : String(row[name]))
  const problem = row['problem'] as { readonly key: string; readonly params?: Said['params'] } | null
  return {
    ID: batch.id,
    Code: batch.code,
    Screen: batch.screen,
    Sheet: batch.sheet,
    FileName: batch.fileName,
    FileSize: Number(row['file_size']),
    Status: batch.status,
    Work: batch.work,
    RowsDone: Number(row['rows_done']),
    Form: batch.form,
    Doubt: doubtOf(screen, batch) ?? null,
    Heads: batch.heads,
    Mapping: batch.mapping,
    RowsTotal: counts.total,
    RowsRight: counts.right,
    RowsWarned: counts.warned,
    RowsWrong: counts.wrong,
    RowsSkipped: counts.skipped,
    RowsImported: counts.imported,
    SameAs: batch.sameAsId === null ? null : { ID: batch.sameAsId, Code: String(row['same_code']), At: String(row['same_at']), By: String(row['same_by']) },
    RetryOf: row['retry_of_id'] === null ? null : { ID: Number(row['retry_of_id']), Code: String(row['retry_code']) },
    RetriedBy: row['next_id'] === null ? null : { ID: Number(row['next_id']), Code: String(row['next_code']) },
    Problem: problem === null ? null : said({ key: problem.key, ...(problem.params === undefined ? {} : { params: problem.params }) }),
    UserName: String(row['user_name']),
    CreatedAt: String(row['created_at']),
    FinishedAt: text('finished_at'),
    Actions: actionsOf(screen, batch, user),
  }
}

/** Right in itself, but a row of the same document is wrong. */
export const heldCode = 'E12'
/** Errors that follow from other rows: worked out anew whenever a row changes. Their codes say other things of other rows as well. */
const derived = ['cell.twice', 'cell.group-differs', 'cell.group'] as const
/** Rows settled by one statement: nobody else waits long, and nothing grows with the file. */
const settledTogether = 10_000
const unitsSettledTogether = 1_000

/** State of a row by what is wrong with it; `errors` is the JSON of an expression over it. */
function stateBy(errors: Sql): Sql {
  return sql`case
    when jsonb_path_exists(coalesce(${errors}, '[]'::jsonb), '$[*] ? (@.isSkip == true)') then 'SKIPPED'
    when exists (select 1 from jsonb_array_elements(coalesce(${errors}, '[]'::jsonb)) e where coalesce(e->>'isWarning', 'false') <> 'true') then 'ERROR'
    when jsonb_array_length(coalesce(${errors}, '[]'::jsonb)) > 0 then 'WARNING' else 'VALID' end`
}

/**
 * What only all rows together show: values twice in the file, documents of which another row is wrong, and what state each row is in. Rows that
 * were imported stay as they are. Counts the rows anew. Goes through the rows slice by slice and may be begun anew at any time; `onSlice` is
 * called between slices and stops it by throwing.
 */
export async function settleRows(queries: Queries, batchId: number, sheet: ImportSheet, onSlice: () => void = () => undefined): Promise<void> {
  const bounds = await queries.first<{ first: number | null; last: number | null }>(sql`select min(row_no) as first, max(row_no) as last from import_row where import_batch_id = ${batchId}`)
  const last = bounds?.last ?? 0
  // A plan made for the table as it was before the file takes minutes; no database looks at its tables in time by itself.
  const isLong = last > settledTogether / 10
  if (isLong) await queries.run(sql`analyze import_row`)
  for (let from = bounds?.first ?? 1; from <= last; from += settledTogether) {
    onSlice()
    await settleSlice(queries, batchId, sheet, from, from + settledTogether - 1)
  }
  for (const column of sheet.columns.filter(({ distinct, targets }) => distinct !== undefined && (sheet.group.length === 0 || targets[0]?.record !== sheet.records[0]?.id))) {
    onSlice()
    await markTwice(queries, batchId, column.name, column.distinct === 'warn')
  }
  if (sheet.group.length > 0) await settleUnits(queries, batchId, onSlice)
  await countRows(queries, batchId)
  if (isLong) await queries.run(sql`analyze import_row`)
}

/** Rows get the document they are of and their state by what is wrong with themselves; only those that change are written. */
async function settleSlice(queries: Queries, batchId: number, sheet: ImportSheet, from: number, to: number): Promise<void> {
  const isGrouped = sheet.group.length > 0
  const differs = JSON.stringify([{ column: '', code: 'E11', ...said({ key: 'cell.group-differs' }) }])
  const firstOf = sql`(select min(g.row_no) from import_row g where g.import_batch_id = ${batchId} and g.group_key = r.group_key)`
  const headOf = sql`(select f.distinct_keys->>${headKey}::text from import_row f where f.import_batch_id = ${batchId} and f.row_no = u.unit)`
  await queries.run(sql`
    update import_row r set unit_no = n.unit, errors = n.errors, state = ${stateBy(sql`n.errors`)}
    from (
      select u.id, u.unit, nullif(coalesce(u.own, '[]'::jsonb) || ${isGrouped ? sql`case when u.head is distinct from ${headOf} then ${differs}::jsonb else '[]'::jsonb end` : sql`'[]'::jsonb`}, '[]'::jsonb) as errors
      from (
        select r.id, ${isGrouped ? sql`coalesce(${firstOf}, r.row_no)` : sql`r.row_no`} as unit, r.distinct_keys->>${headKey}::text as head,
          (select jsonb_agg(e) from jsonb_array_elements(r.errors) e where not (coalesce(e->>'key', '') = any(${[...derived]}::text[]))) as own
        from import_row r where r.import_batch_id = ${batchId} and r.row_no between ${from} and ${to} and r.state <> 'COMMITTED'
      ) u
    ) n
    where r.id = n.id and (r.unit_no <> n.unit or r.errors is distinct from n.errors or r.state <> ${stateBy(sql`n.errors`)})`)
}

/** All rows of a document of which one is wrong. */
async function settleUnits(queries: Queries, batchId: number, onSlice: () => void): Promise<void> {
  const error = errorOfRow({ column: '', code: heldCode, key: 'cell.group', isWarning: false }, sql`w.first`)
  let after = 0
  for (;;) {
    onSlice()
    const units = await queries.rows<{ unit_no: number }>(sql`
      select distinct unit_no from import_row where import_batch_id = ${batchId} and state = 'ERROR' and unit_no > ${after} order by unit_no limit ${unitsSettledTogether}`)
    if (units.length === 0) return
    after = units.at(-1)?.unit_no ?? after
    await queries.run(sql`
      update import_row r set state = 'ERROR', errors = coalesce(r.errors, '[]'::jsonb) || ${error}
      from (select unit_no, min(row_no) as first from import_row where import_batch_id = ${batchId} and state = 'ERROR' and unit_no = any(${units.map((unit) => unit.unit_no)}::int[]) group by unit_no) w
      where r.import_batch_id = ${batchId} and r.unit_no = w.unit_no and r.state in ('VALID', 'WARNING')`)
  }
}

/** The JSON of an error that names another row by its number. */
function errorOfRow({ column, code, key, isWarning }: { readonly column: string; readonly code: string; readonly key: 'cell.group' | 'cell.twice'; readonly isWarning: boolean }, row: Sql): Sql {
  const { text } = said({ key })
  return sql`jsonb_build_array(jsonb_build_object('column', ${column}::text, 'code', ${code}::text, 'key', ${key}::text,
      'text', replace(${text}::text, '{row}', ${row}::text), 'params', jsonb_build_object('row', ${row}), 'isWarning', ${isWarning}::boolean))`
}

async function markTwice(queries: Queries, batchId: number, column: string, isWarning: boolean): Promise<void> {
  const error = errorOfRow({ column, code: 'E03', key: 'cell.twice', isWarning }, sql`d.first`)
  await queries.run(sql`
    update import_row r set errors = coalesce(r.errors, '[]'::jsonb) || ${error}, state = ${stateBy(sql`coalesce(r.errors, '[]'::jsonb) || ${error}`)}
    from (
      select distinct_keys->>${column}::text as value, min(row_no) as first from import_row
      where import_batch_id = ${batchId} and distinct_keys->>${column}::text is not null group by 1 having count(*) > 1
    ) d
    where r.import_batch_id = ${batchId} and r.distinct_keys->>${column}::text = d.value and d.first <> r.row_no and r.state <> 'COMMITTED'`)
}

export async function countRows(tx: Queries, batchId: number): Promise<void> {
  const states: Readonly<Record<string, ImportRowState>> = { right: 'VALID', warned: 'WARNING', wrong: 'ERROR', skipped: 'SKIPPED', imported: 'COMMITTED' }
  const rows = await tx.rows<{ state: string; n: number }>(sql`select state, count(*)::int as n from import_row where import_batch_id = ${batchId} group by state`)
  const count = (name: string): number => rows.find((row) => row.state === states[name])?.n ?? 0
  await tx.run(sql`
    update import_batch set rows_total = ${rows.reduce((sum, row) => sum + row.n, 0)}, rows_right = ${count('right')}, rows_warned = ${count('warned')},
      rows_wrong = ${count('wrong')}, rows_skipped = ${count('skipped')}, rows_imported = ${count('imported')} where id = ${batchId}`)
}

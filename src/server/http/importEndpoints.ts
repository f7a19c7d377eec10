import { importRowStates, largestImport, type ImportMending, type ImportReading } from '#api/import.ts'
import { dateOrders, delimiters, encodings } from '#domain/importing/fileForm.ts'
import type { ImportScreen } from '#meta/resolved.ts'
import { requireScreen } from '#server/access/guards.ts'
import { sql } from '#server/db/sql.ts'
import { LocalTime } from '#server/export/localTime.ts'
import { receiveFile } from '#server/files/receive.ts'
import { batchesOf, findBatch, heldCode, onWire, requireBatch, screenOf, sheetOf, type Batch } from '#server/import/batches.ts'
import { wellFormed } from '#server/import/sourceRow.ts'
import type { ImportJobs } from '#server/import/importJobs.ts'
import { paymentLog } from '#server/import/paymentLog.ts'
import { requireTaking } from '#server/import/permissions.ts'
import { rowsOnWire } from '#server/import/rowsOnWire.ts'
import { failedFile, templateFile, type ImportFileFormat } from '#server/import/template.ts'
import { waitingApprovals } from '#server/import/waitingApprovals.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { languageOf, textsOf } from '#server/texts.ts'
import { FileAnswer, type Api, type Call } from './api.ts'
import { bodyOf, idOf, numberIn } from './read.ts'

/** Wrong rows that are put in order for one page of them. */
const mostOrdered = 20_000

/** Files taken in row by row: upload, reading, mending, importing, taking back. */
export function importEndpoints(api: Api, jobs: ImportJobs): void {
  const tag = 'Imports'
  api.get('/api/v1/import/:screen', { summary: 'Files imported before, newest first', tag }, async (call) => {
    const screen = screenIn(call)
    const batches = await batchesOf(call.services.database, call.user, screen)
    return { records: batches.map((batch) => onWire(screen, batch, call.user)) }
  })
  api.post('/api/v1/import/:screen', { summary: 'Take in the file of a multipart form; it is read and checked in the background, nothing is imported yet', tag, query: { retry_of: 'Id of the batch whose refused rows these are' } }, async (call) => {
    const screen = screenIn(call)
    const { services, user } = call
    requireTaking(services.metadata, user, screen)
    const file = await receiveFile(call.request, services.files, { most: largestImport, isAny: true })
    return { record: onWire(screen, await jobs.take(user, screen, file, numberIn(call.query, 'retry_of')), user) }
  })
  api.get('/api/v1/import/:screen/template', { summary: 'A sheet to fill in, with examples and what each column may hold', tag, query: { sheet: '', format: 'xlsx or csv', language: 'en, cn or id' } }, async (call) => {
    const screen = screenIn(call)
    const sheet = sheetOf(screen, call.query['sheet'] ?? '')
    const format = formatIn(call)
    const body = await templateFile(call.services, call.user, screen, sheet, { format, translate: textsOf(languageOf(call.query['language'])), time: new LocalTime() })
    return fileAnswer(body, `${screen.id.replace(/\.import$/, '')}-${sheet.id}-template`, format)
  })
  api.get('/api/v1/import-batch/:id', { summary: 'How far an import is', tag }, async (call) => answer(call, await batchIn(call)))
  api.get('/api/v1/import-batch/:id/rows', { summary: 'Rows of an import with what is wrong in them', tag, query: { state: importRowStates.join(', '), page: 'From 1', length: '1 to 500' } }, async (call) => {
    const batch = await batchIn(call)
    const state = importRowStates.find((one) => one === call.query['state'])
    const length = Math.min(Math.max(numberIn(call.query, 'length') ?? 50, 1), 500)
    const page = Math.max(numberIn(call.query, 'page') ?? 1, 1)
    const where = sql`import_batch_id = ${batch.id} ${state === undefined ? sql`` : sql`and state = ${state}`}`
    const { counts } = batch
    // What is to be mended comes before what only waits for it, as long as the database need not put a whole large file in order.
    const isHeld = sql`coalesce(jsonb_array_length(errors) = 1 and errors->0->>'code' = ${heldCode}, false)`
    const order = state === 'ERROR' && counts.wrong <= mostOrdered ? sql`${isHeld}, row_no` : sql`row_no`
    const known = { NEW: 0, VALID: counts.right, WARNING: counts.warned, ERROR: counts.wrong, SKIPPED: counts.skipped, COMMITTED: counts.imported }
    const rows = await call.services.database.rows(sql`select row_no, state, raw, errors, records from import_row where ${where} order by ${order} limit ${length} offset ${(page - 1) * length}`)
    return { recordsTotal: state === undefined ? counts.total : known[state], rows: await rowsOnWire(call.services, call.services.database, call.user, rows) }
  })
  api.get('/api/v1/import-batch/:id/payments', { summary: 'What became of the money of each row of a payment file', tag, query: { page: 'From 1', length: '1 to 500' } }, async (call) => {
    const batch = await batchIn(call)
    if (screenOf(call.services, batch).log !== 'payments') return fail('NOT_FOUND.import')
    const length = Math.min(Math.max(numberIn(call.query, 'length') ?? 50, 1), 500)
    const page = Math.max(numberIn(call.query, 'page') ?? 1, 1)
    return { recordsTotal: batch.counts.total, rows: await paymentLog(call.services.database, batch, { from: (page - 1) * length, length }) }
  })
  api.put('/api/v1/import-batch/:id/rows', { summary: 'Mend cells in place; their rows are checked again', tag }, async (call) => answer(call, await jobs.mend(call.user, idOf(call), mendingIn(bodyOf(call)))))
  api.put('/api/v1/import-batch/:id/reading', { summary: 'Say how the file is read and which column is which; it is checked again', tag }, async (call) => answer(call, await jobs.read(call.user, idOf(call), readingIn(bodyOf(call)))))
  api.post('/api/v1/import-batch/:id/commit', { summary: 'Import the rows that are right, in the background', tag, headers: ['Acknowledge'] }, async (call) => answer(call, await jobs.begin(call.user, idOf(call), 'COMMIT', acknowledged(call))))
  api.post('/api/v1/import-batch/:id/undo', { summary: 'Take back what was imported, as far as nothing uses it', tag }, async (call) => answer(call, await jobs.begin(call.user, idOf(call), 'UNDO', [])))
  api.post('/api/v1/import-batch/:id/cancel', { summary: 'Stop what is under way, or discard the file', tag }, async (call) => answer(call, await jobs.cancel(call.user, idOf(call))))
  api.get('/api/v1/import-batch/:id/failed', { summary: 'The rows that were not imported, with what is wrong, as a file', tag, query: { format: 'xlsx or csv', language: 'en, cn or id' } }, async (call) => {
    const batch = await batchIn(call)
    const format = formatIn(call)
    const body = await failedFile(call.services, batch, { format, translate: textsOf(languageOf(call.query['language'])), time: new LocalTime() })
    return fileAnswer(body, `${batch.code}-not-imported`, format)
  })
}

/** The import of the path, if the user may open it. */
function screenIn(call: Call): ImportScreen {
  const { metadata } = call.services
  const id = call.params['screen'] ?? ''
  const screen = Object.hasOwn(metadata.screens, id) ? metadata.screens[id] : undefined
  if (screen?.kind !== 'import') return fail('NOT_FOUND.import')
  requireScreen(metadata, call.user, screen)
  return screen
}

async function batchIn(call: Call): Promise<Batch> {
  return requireBatch(call.services, call.services.database, call.user, idOf(call))
}

async function answer(call: Call, batch: Batch): Promise<object> {
  const now = (await findBatch(call.services.database, batch.id)) ?? batch
  return { record: { ...onWire(screenOf(call.services, now), now, call.user), Waiting: await waitingApprovals(call.services, call.services.database, call.user, now) } }
}

function formatIn(call: Call): ImportFileFormat {
  return call.query['format'] === 'csv' ? 'csv' : 'xlsx'
}

function acknowledged(call: Call): readonly string[] {
  const header = call.request.headers['acknowledge']
  return typeof header === 'string' ? header.split(',').map((id) => id.trim()) : []
}

function fileAnswer(body: FileAnswer['body'], name: string, format: ImportFileFormat): FileAnswer {
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return new FileAnswer(body, { 'content-type': type, 'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}.${format}"` })
}

function readingIn(body: Readonly<Record<string, unknown>>): ImportReading {
  const { form, sheet, mapping } = body
  const parts = typeof form === 'object' && form !== null && !Array.isArray(form) ? new Map(Object.entries(form)) : new Map<string, unknown>()
  const among = <T extends string>(name: string, known: readonly T[]): Partial<Record<string, T>> => {
    const value = parts.get(name)
    if (value === undefined) return {}
    return { [name]: known.find((one) => one === value) ?? invalid([wrong(`form.${name}`, 'NOT_A_CHOICE', { choices: known })]) }
  }
  const named = parts.get('sheet')
  return {
    form: {
      ...among('encoding', encodings), ...among('delimiter', delimiters), ...among('decimal', ['.', ',']), ...among('date', dateOrders),
      ...(typeof named === 'string' ? { sheet: named.slice(0, 100) } : {}),
    },
    ...(typeof sheet === 'string' ? { sheet } : {}),
    ...(mapping === undefined ? {} : { mapping: mappingIn(mapping) }),
  }
}

function mappingIn(value: unknown): readonly (string | null)[] {
  if (!Array.isArray(value) || value.length > 1_000) return invalid([wrong('mapping', 'WRONG_TYPE.list', { limit: 1_000 })])
  const names = value.map((name: unknown) => (name === null ? null : typeof name === 'string' ? name.slice(0, 100) : invalid([wrong('mapping', 'WRONG_TYPE.text')])))
  const used = names.filter((name) => name !== null)
  return new Set(used).size === used.length ? names : invalid([wrong('mapping', 'DUPLICATE.column')])
}

function mendingIn(body: Readonly<Record<string, unknown>>): ImportMending {
  const { cells, everywhere } = body
  if (!Array.isArray(cells) || cells.length === 0 || cells.length > 500) return invalid([wrong('cells', 'WRONG_TYPE.list', { limit: 500 })])
  return {
    cells: cells.map((cell: unknown, i) => {
      const parts = typeof cell === 'object' && cell !== null ? new Map<string, unknown>(Object.entries(cell)) : new Map<string, unknown>()
      const [row, column, value] = [parts.get('row'), parts.get('column'), parts.get('value')]
      if (typeof row !== 'number' || !Number.isSafeInteger(row) || row > 2_147_483_647) return invalid([wrong(`cells[${i}].row`, 'WRONG_TYPE.integer')])
      if (typeof column !== 'string' || typeof value !== 'string' || value.includes('\u0000')) return invalid([wrong(`cells[${i}].value`, 'WRONG_TYPE.text')])
      return { row, column, value: wellFormed(value.slice(0, 32_767)) }
    }),
    everywhere: everywhere === true,
  }
}

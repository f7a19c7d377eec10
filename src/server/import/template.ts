import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { CellError } from '#api/import.ts'
import type { ImportColumn, ImportScreen, ImportSheet } from '#meta/resolved.ts'
import { compose } from '#meta/sentence.ts'
import type { Row, User } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { CsvFile } from '#server/export/csvFile.ts'
import type { LocalTime } from '#server/export/localTime.ts'
import type { Send, TableFile } from '#server/export/tableFile.ts'
import { XlsxFile } from '#server/export/xlsxFile.ts'
import { fieldMap, knownEntity } from '#server/documents/entities.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Services } from '#server/services.ts'
import type { Translate } from '#server/texts.ts'
import type { Batch } from './batches.ts'

export type ImportFileFormat = 'xlsx' | 'csv'

interface Making {
  readonly format: ImportFileFormat
  readonly translate: Translate
  readonly time: LocalTime
}

/** Over the reasons why rows were not imported. */
const errorHead = 'Error'

/** Codes listed in the notes of a column. */
const mostListed = 100

/** An empty sheet to fill in: heads, a line that explains them, and a second sheet with everything a column may hold. */
export async function templateFile(services: Services, user: User, screen: ImportScreen, sheet: ImportSheet, making: Making): Promise<Readable> {
  const { translate } = making
  const notes = await Promise.all(sheet.columns.map(async (column) => ({ column, allowed: await allowedIn(services, user, column, translate) })))
  return written(making, translate(screen.title), async (file) => {
    await file.openSheet({ name: translate(sheet.title), widths: sheet.columns.map(({ name }) => Math.max(14, name.length + 4)), frozen: 1, hasHead: true, groups: 0 })
    line(file, 'head', sheet.columns.map(({ name }) => name))
    line(file, 'row', sheet.columns.map((column, i) => `${i === 0 ? '# ' : ''}${hintOf(sheet, column, translate)}`))
    await file.closeSheet()
    await file.openSheet({ name: translate('import.notes'), widths: [20, 26, 14, 18, 26, 60], frozen: 1, hasHead: true, groups: 0 })
    line(file, 'head', ['column', 'meaning', 'required', 'type', 'example', 'allowed'].map((name) => translate(`import.note.${name}`)))
    for (const { column, allowed } of notes) {
      line(file, 'row', [column.name, translate(column.label), requiredWord(sheet, column, translate), translate(`import.type.${typeWord(column)}`), column.example ?? '', allowed])
    }
    await file.closeSheet()
  })
}

/** The rows that were not imported, as they are, with what is wrong in a last column: mended, the file is sent in again. */
export async function failedFile(services: Services, batch: Batch, making: Making): Promise<Readable> {
  const { database } = services
  const { translate } = making
  // What was sent in may be such a file itself: its reasons give way to those of now.
  const isAgain = batch.heads.at(-1) === errorHead && (batch.mapping[batch.heads.length - 1] ?? null) === null
  const heads = isAgain ? batch.heads.slice(0, -1) : batch.heads
  return written(making, batch.code, async (file) => {
    await file.openSheet({ name: batch.form.sheet || 'Sheet1', widths: [...heads.map((head) => Math.max(12, head.length + 2)), 60], frozen: 0, hasHead: true, groups: 0 })
    line(file, 'head', [...heads, errorHead])
    let last = 0
    for (;;) {
      const rows = await database.rows(sql`
        select row_no, raw, errors from import_row where import_batch_id = ${batch.id} and state in ('ERROR', 'SKIPPED') and row_no > ${last} order by row_no limit 1000`)
      if (rows.length === 0) break
      for (const row of rows) {
        const cells = row['raw'] as readonly string[]
        line(file, 'row', [...heads.map((_, i) => cells[i] ?? ''), errorText(row, translate)])
      }
      last = Number(rows.at(-1)?.['row_no'] ?? 0)
      await file.flush()
    }
    await file.closeSheet()
  })
}

function errorText(row: Row, translate: Translate): string {
  const errors = (row['errors'] ?? []) as readonly CellError[]
  const textOf = (key: string): string => translate(key)
  return errors.map(({ column, code, text, key, params }) => {
    const said = key === undefined ? text : (compose({ key, ...(params === undefined ? {} : { params }) }, textOf) ?? text)
    return `${column === '' ? '' : `${column}: `}${said} (${code})`
  }).join('; ')
}

function written({ format, time, translate }: Making, title: string, write: (file: TableFile) => Promise<void>): Readable {
  const body = new PassThrough({ highWaterMark: 1024 * 1024 })
  body.on('error', () => undefined)
  const send: Send = async (bytes) => {
    if (!body.write(bytes)) await once(body, 'drain', { signal: AbortSignal.timeout(60_000) })
  }
  const file = format === 'xlsx'
    ? new XlsxFile(send, time, { title, author: 'Arus', at: new Date(0).toISOString() })
    : new CsvFile(send, { delimiter: ',', decimal: '.', hasMark: true }, time, { yes: translate('ui.yes'), no: translate('ui.no') })
  write(file)
    .then(() => file.finish())
    .then(
      () => body.end(),
      (error: unknown) => {
        file.abandon()
        body.destroy(error instanceof Error ? error : new Error(String(error)))
      },
    )
  return body
}

function line(file: TableFile, kind: 'head' | 'row', cells: readonly string[]): void {
  file.startRow(kind)
  for (const cell of cells) file.text(cell)
  file.endRow()
}

function hintOf(sheet: ImportSheet, column: ImportColumn, translate: Translate): string {
  const word = requiredWord(sheet, column, translate)
  return column.example === undefined ? word : `${word}: ${column.example}`
}

/** A column that is spared where the row names what is there already is required only sometimes. */
function requiredWord({ existing }: ImportSheet, { name, required, requiredWhen }: ImportColumn, translate: Translate): string {
  const isSometimes = requiredWhen !== undefined || (required && existing?.spares.includes(name) === true)
  return translate(isSometimes ? 'import.sometimes' : required ? 'import.required' : 'import.optional')
}

function typeWord({ type }: ImportColumn): 'text' | 'number' | 'date' | 'flag' | 'code' {
  if (type === 'ref') return 'code'
  if (type === 'date' || type === 'datetime') return 'date'
  if (type === 'boolean') return 'flag'
  return ['integer', 'quantity', 'money', 'percent', 'rate', 'price', 'cost'].includes(type) ? 'number' : 'text'
}

/** What a column may hold: its choices, or the codes of a master small enough to be listed. */
async function allowedIn(services: Services, user: User, column: ImportColumn, translate: Translate): Promise<string> {
  if (column.words !== undefined) return Object.entries(column.words).map(([word, value]) => `${word} (${value})`).join(', ')
  if (column.choices !== undefined) return column.choices.map(({ value, label }) => `${value} (${translate(label)})`).join(', ')
  if (column.type === 'boolean') return 'Y, N'
  if (column.entity === undefined) return column.maxLength === undefined ? '' : translate('import.longest', { n: column.maxLength })
  const target = knownEntity(services.metadata, column.entity)
  const [code, name] = target.display
  const scope = scopeCondition(services.metadata, user, target, 't')
  const active = fieldMap(target).has('is_active') ? sql`t.is_active` : sql`true`
  const rows = await services.database.rows<{ code: string; name: string }>(sql`
    select t.${ident(code)}::text as code, t.${ident(name)}::text as name from ${ident(target.table)} t where ${active} ${scope ? sql`and ${scope}` : sql``} order by 1 limit ${mostListed + 1}`)
  if (rows.length > mostListed) return translate('import.code-of', { entity: translate(target.title) })
  return rows.map((row) => (row.code === row.name ? row.code : `${row.code} (${row.name})`)).join(', ')
}


import fs from 'node:fs'
import { dateOrderOf, decimalProofs, delimiterOf, encodingOf, isDoubtful } from '#domain/importing/recognise.ts'
import type { FileForm } from '#domain/importing/fileForm.ts'
import { fail, ProblemError } from '#server/problemError.ts'
import { csvRows } from './csvRows.ts'
import { jsonRows, looksLikeJson } from './jsonRows.ts'
import type { SourceRow } from './sourceRow.ts'
import { Workbook } from './xlsxRows.ts'

const sampleCells = 40_000
/** What proves a decimal sign or the order of a date is no longer. */
const longestSample = 40

/**
 * Looks into a file: what it is, and what its values prove about decimals and dates. What is given is taken as it is; `usual` holds where the
 * values prove nothing. Where neither says how numbers are written, the form names those that could be two.
 */
export async function recogniseFile(path: string, given: Partial<FileForm>, usual: Partial<Pick<FileForm, 'decimal' | 'date'>> = {}): Promise<FileForm> {
  const head = await headOf(path)
  if (head.length === 0) return fail('FILE_EMPTY.rows')
  const start: FileForm = { kind: 'csv', encoding: 'utf-8', delimiter: ',', decimal: '.', date: 'DMY', sheet: '', sheets: [] }
  const told = head[0] === 0x50 && head[1] === 0x4b ? await ofWorkbook(path, start, given) : await ofText(path, head, start, given)
  const samples = await samplesOf(path, told)
  const { comma, point } = samples
  const proved = comma === point ? usual.decimal : comma > point ? ',' : '.'
  const said = given.doubtful === undefined ? given.decimal : undefined
  const form: FileForm = { ...told, decimal: said ?? proved ?? '.', date: given.date ?? dateOrderOf(samples.texts, usual.date) }
  return said === undefined && proved === undefined && samples.doubtful.some((value) => value !== null) ? { ...form, doubtful: samples.doubtful } : form
}

interface Samples {
  readonly texts: readonly string[]
  /** Values that prove each decimal sign. */
  readonly comma: number
  readonly point: number
  readonly doubtful: readonly (string | null)[]
}

/** Values of the file: as many as tell how it is written, and all of it while nothing of that is known of its numbers. */
async function samplesOf(path: string, form: FileForm): Promise<Samples> {
  const texts: string[] = []
  const doubtful: (string | null)[] = []
  const proofs = { comma: 0, point: 0 }
  // JSON has one way to write numbers.
  const isWritten = form.kind !== 'json'
  try {
    const other = form.kind === 'xlsx' ? rowsOf(path, { ...form, decimal: ',' }) : undefined
    for await (const rows of rowsOf(path, form)) {
      const others = await other?.next()
      for (const [at, { cells }] of rows.entries()) {
        const again: readonly string[] = others?.value?.[at]?.cells ?? cells
        for (const [i, cell] of cells.entries()) {
          if (texts.length < sampleCells) texts.push(cell.length > longestSample ? '' : cell)
          // A number of a workbook is one, however it is shown: it stands otherwise with another sign.
          if (!isWritten || cell.length > longestSample || again[i] !== cell) continue
          const { comma, point } = decimalProofs([cell])
          proofs.comma += comma
          proofs.point += point
          if (isDoubtful(cell)) doubtful[i] ??= cell.trim()
        }
      }
      if (texts.length >= sampleCells && (proofs.comma !== proofs.point || doubtful.length > 0 || !isWritten)) break
    }
  } catch (error) {
    // Whoever reads it meets the same; what it is taken for is known before, so that it can be corrected.
    if (!(error instanceof ProblemError)) throw error
  }
  return { texts, ...proofs, doubtful: Array.from(doubtful, (value) => value ?? null) }
}

/** Rows with something in them, in slices. */
export async function* rowsOf(path: string, form: FileForm): AsyncGenerator<readonly SourceRow[]> {
  if (form.kind === 'csv') yield* csvRows(path, form.encoding, form.delimiter)
  else if (form.kind === 'json') yield* jsonRows(path)
  else yield* (await Workbook.open(path)).rows(form.sheet, form.decimal)
}

async function ofWorkbook(path: string, start: FileForm, given: Partial<FileForm>): Promise<FileForm> {
  const { sheets } = await Workbook.open(path)
  const sheet = sheets.find((name) => name === given.sheet) ?? sheets[0] ?? ''
  return { ...start, kind: 'xlsx', sheet, sheets }
}

async function ofText(path: string, head: Buffer, start: FileForm, given: Partial<FileForm>): Promise<FileForm> {
  const encoding = given.encoding ?? encodingOf(head, await isUtf8(path))
  if (!encoding.startsWith('utf-16') && head.includes(0)) return fail('FILE_BROKEN.not-text')
  if (encoding === 'utf-8' && looksLikeJson(head.toString('utf8'))) return { ...start, kind: 'json' }
  const delimiter = given.delimiter ?? delimiterOf(new TextDecoder(encoding).decode(head))
  return { ...start, encoding, delimiter }
}

async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of fs.createReadStream(path)) decoder.decode(chunk as Buffer, { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

async function headOf(path: string): Promise<Buffer> {
  const handle = await fs.promises.open(path)
  try {
    const head = Buffer.alloc(256 * 1024)
    const { bytesRead } = await handle.read(head, 0, head.length, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

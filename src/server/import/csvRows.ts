import fs from 'node:fs'
import { CsvError, parse, type Parser } from 'csv-parse'
import type { Delimiter, Encoding } from '#domain/importing/fileForm.ts'
import { fail } from '#server/problemError.ts'
import { checkCell, checkColumn, type SourceRow } from './sourceRow.ts'

const slice = 2_000

/** Rows of a text file in slices. Quoted cells may hold line breaks; rows may end in any of the three ways. Rows without a value are left out. */
export async function* csvRows(path: string, encoding: Encoding, delimiter: Delimiter): AsyncGenerator<readonly SourceRow[]> {
  const parser = parse({
    delimiter, bom: true, relax_column_count: true, relax_quotes: true, info: true, max_record_size: 8 * 1024 * 1024, record_delimiter: ['\r\n', '\n', '\r'],
  })
  const feeding = (async () => {
    let isFirst = true
    for await (const piece of textsOf(path, encoding)) {
      const text = isFirst ? piece.replace(signLine, '') : piece
      isFirst = false
      if (text !== '' && !parser.write(text)) await roomIn(parser)
    }
    parser.end()
  })()
  feeding.catch((error: unknown) => parser.destroy(error instanceof Error ? error : new Error(String(error))))
  let rows: SourceRow[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<{ readonly record: readonly string[]; readonly info: { readonly lines: number; readonly records: number } }>) {
      if (record.every((cell) => cell === '')) continue
      const no = info.records
      record.forEach((cell, i) => {
        if (cell !== '') checkColumn(i)
      })
      rows.push({ no, cells: record.slice(0, lastFilled(record) + 1).map((cell) => checkCell(bare(cell), no)) })
      if (rows.length < slice) continue
      yield rows
      rows = []
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The parser has read on to the end of the file; what it cannot read begins where its last value ended.
    const row = await lineAt(path, encoding, Number(error['bytes'] ?? 0))
    fail(error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'FILE_BROKEN.quote' : error.code === 'CSV_MAX_RECORD_SIZE' ? 'FILE_BROKEN.record' : 'FILE_BROKEN.csv', { row })
  } finally {
    parser.destroy()
  }
  if (rows.length > 0) yield rows
}

/** The file as text, piece by piece. */
async function* textsOf(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of fs.createReadStream(path)) yield decoder.decode(chunk as Buffer, { stream: true })
  yield decoder.decode()
}

/** Files of spreadsheets may name the sign between their values in a line of its own. */
const signLine = /^sep=.\r?\n/

/** The line of the file in which a value stands, `at` bytes of UTF-8 behind the line of the sign. */
async function lineAt(path: string, encoding: Encoding, at: number): Promise<number> {
  let line = 1
  let left = at
  let isFirst = true
  let isHalf = false
  for await (const text of textsOf(path, encoding)) {
    if (isFirst) left += Buffer.byteLength(signLine.exec(text)?.[0] ?? '')
    isFirst = false
    const bytes = Buffer.from(text)
    for (const byte of bytes.subarray(0, left)) {
      // Lines end in either sign or in both.
      if (byte === 13 || (byte === 10 && !isHalf)) line++
      isHalf = byte === 13
    }
    left -= bytes.length
    if (left <= 0) break
  }
  return line
}

/** Resolves when the parser takes more, or nothing any more. */
function roomIn(parser: Parser): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      parser.off('drain', go).off('close', go)
      resolve()
    }
    parser.on('drain', go).on('close', go)
  })
}

/** The apostrophe by which spreadsheets, and our own files, keep text from being taken for a formula. */
function bare(cell: string): string {
  return /^'(\s*[=+\-@\uFF1D\uFF20\uFF0B\uFF0D]|[\t\r\n])/.test(cell) ? cell.slice(1) : cell
}

function lastFilled(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell !== '')
}

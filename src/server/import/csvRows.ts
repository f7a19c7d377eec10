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
  let isFirst = true
  async function* texts(): AsyncGenerator<string> {
    const decoder = new TextDecoder(encoding)
    for await (const chunk of fs.createReadStream(path)) {
      const text = decoder.decode(chunk as Buffer, { stream: true })
      // Files of spreadsheets may name the sign between their values in a line of its own.
      yield isFirst ? text.replace(/^sep=.\r?\n/, '') : text
      isFirst = false
    }
    yield decoder.decode()
  }
  const feeding = (async () => {
    for await (const text of texts()) if (text !== '' && !parser.write(text)) await roomIn(parser)
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
    const row = typeof error['lines'] === 'number' ? error['lines'] : 0
    fail(error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'FILE_BROKEN.quote' : error.code === 'CSV_MAX_RECORD_SIZE' ? 'FILE_BROKEN.record' : 'FILE_BROKEN.csv', { row })
  } finally {
    parser.destroy()
  }
  if (rows.length > 0) yield rows
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

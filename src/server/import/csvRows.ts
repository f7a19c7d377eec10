import fs from 'node:fs'
import { CsvError, parse, type Parser } from 'csv-parse'
import { unguardedText } from '#base/formulaText.ts'
import type { Delimiter, Encoding } from '#domain/importing/fileForm.ts'
import { nextTurn } from '#server/nextTurn.ts'
import { fail } from '#server/problemError.ts'
import { checkCell, checkColumn, mostBlank, type SourceRow } from './sourceRow.ts'

const slice = 2_000
/** Letters read in one turn: a line may be a single one, and rows that wait in their thousands are slow to take up. */
const turn = 4 * 1024

/** Rows of a text file in slices, which may be empty. Quoted cells may hold line breaks; rows may end in any of the three ways. Rows without a value are left out. */
export async function* csvRows(path: string, encoding: Encoding, delimiter: Delimiter): AsyncGenerator<readonly SourceRow[]> {
  const parser = parse({
    delimiter, bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true, max_record_size: 8 * 1024 * 1024, record_delimiter: ['\r\n', '\n', '\r'],
  })
  let blank = 0
  const feeding = (async () => {
    let isFirst = true
    for await (const piece of textsOf(path, encoding)) {
      const text = isFirst ? piece.replace(signLine, '') : piece
      isFirst = false
      for (let at = 0, end = 0; at < text.length; at = end) {
        // Not between the halves of a character.
        end = at + turn + (/[\uD800-\uDBFF]/.test(text[at + turn - 1] ?? '') ? 1 : 0)
        if (!parser.write(text.slice(at, end))) await roomIn(parser)
        await nextTurn()
        if (parser.destroyed) return
        if (blank + parser.info.empty_lines > mostBlank) fail('FILE_BROKEN.blank', { limit: mostBlank })
      }
    }
    parser.end()
  })()
  feeding.catch((error: unknown) => parser.destroy(error instanceof Error ? error : new Error(String(error))))
  let rows: SourceRow[] = []
  let since = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<{ readonly record: readonly string[]; readonly info: { readonly empty_lines: number; readonly records: number } }>) {
      since++
      if (record.every((cell) => cell === '')) {
        blank++
        if (since < slice) continue
      }
      const no = info.records + info.empty_lines
      record.forEach((cell, i) => {
        if (cell !== '') checkColumn(i)
      })
      if (lastFilled(record) >= 0) rows.push({ no, cells: record.slice(0, lastFilled(record) + 1).map((cell) => checkCell(unguardedText(cell), no)) })
      if (since < slice) continue
      yield rows
      rows = []
      since = 0
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

function lastFilled(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell !== '')
}

import fs from 'node:fs'
import { nextTurn } from '#server/nextTurn.ts'
import { fail } from '#server/problemError.ts'
import { jsonRecords, type JsonRecord } from './jsonRecords.ts'
import { checkCell, checkColumn, type SourceRow } from './sourceRow.ts'

/** A JSON file is read whole; larger lists come as text or workbooks. */
const mostBytes = 8 * 1024 * 1024
const slice = 2_000
/** Records that name few of many columns become as many cells as those that name all. */
const cellsATurn = 20_000

/** Is this the beginning of a list of records, or of an object that holds one? */
export function looksLikeJson(head: string): boolean {
  return /^\uFEFF?\s*(\[\s*[{\]]|\{\s*["}])/.test(head)
}

/**
 * A list of records, or the first list in an object, as rows: names above, then a row for each record that is not empty. Numbers keep their
 * digits, what is no plain value stands as its JSON.
 */
export async function* jsonRows(path: string): AsyncGenerator<readonly SourceRow[]> {
  if ((await fs.promises.stat(path)).size > mostBytes) fail('FILE_BROKEN.json-large', { limit: mostBytes / 1024 / 1024 })
  const text = await fs.promises.readFile(path, 'utf8')
  const heads = await headsOf(text)
  if (heads.length === 0) return
  const row = (cells: readonly string[], no: number): SourceRow => ({ no, cells: cells.map((cell) => checkCell(cell, no)) })
  yield [row(heads, 1)]
  let rows: SourceRow[] = []
  let no = 1
  let cells = 0
  for await (const records of jsonRecords(text)) {
    for (const record of records) {
      no++
      if (Object.keys(record).length === 0) continue
      rows.push(row(heads.map((head) => cellOf(record, head)), no))
      cells += heads.length
      if (cells < cellsATurn) continue
      cells = 0
      await nextTurn()
    }
    if (rows.length < slice) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

/** All names, and that all of the file can be read. */
async function headsOf(text: string): Promise<readonly string[]> {
  const heads = new Set<string>()
  for await (const records of jsonRecords(text)) {
    for (const record of records) for (const head of Object.keys(record)) heads.add(head)
    checkColumn(heads.size - 1)
  }
  return [...heads]
}

function cellOf(record: JsonRecord, head: string): string {
  const value = Object.hasOwn(record, head) ? record[head] : null
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}

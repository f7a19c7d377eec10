import fs from 'node:fs'
import { fail } from '#server/problemError.ts'
import { checkCell, checkColumn, type SourceRow } from './sourceRow.ts'

/** A JSON file is read whole; larger lists come as text or workbooks. */
const mostBytes = 32 * 1024 * 1024
const slice = 2_000

/** Is this the beginning of a list of records, or of an object that holds one? */
export function looksLikeJson(head: string): boolean {
  return /^\uFEFF?\s*(\[\s*[{\]]|\{\s*["}])/.test(head)
}

/** A list of records, or the first list in an object, as rows: names above, then the values of each. Numbers stay as they are written. */
export async function* jsonRows(path: string): AsyncGenerator<readonly SourceRow[]> {
  if ((await fs.promises.stat(path)).size > mostBytes) fail('FILE_BROKEN.json-large', { limit: mostBytes / 1024 / 1024 })
  const records = recordsIn(parsed(await fs.promises.readFile(path, 'utf8')))
  const heads = [...new Set(records.flatMap((record) => Object.keys(record)))]
  if (heads.length === 0) return
  checkColumn(heads.length - 1)
  const rows = [heads, ...records.map((record) => heads.map((head) => cellOf(record[head])))].map((cells, i): SourceRow => ({ no: i + 1, cells: cells.map((cell) => checkCell(cell, i + 1)) }))
  for (let at = 0; at < rows.length; at += slice) yield rows.slice(at, at + slice)
}

/** Bare numbers become text before anything reads them: as numbers of JavaScript they would lose digits. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '').replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${token}"`)))
  } catch {
    return fail('FILE_BROKEN.json')
  }
}

type Json = Readonly<Record<string, unknown>>

function recordsIn(value: unknown): readonly Json[] {
  if (Array.isArray(value)) return value.filter(isRecord)
  if (!isRecord(value)) return []
  const list = Object.values(value).find((part) => Array.isArray(part))
  return Array.isArray(list) ? list.filter(isRecord) : [value]
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function cellOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : ''
}

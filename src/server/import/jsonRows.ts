import fs from 'node:fs'
import { fail } from '#server/problemError.ts'
import { checkCell, checkColumn, type SourceRow } from './sourceRow.ts'

/** A JSON file is read whole; larger lists come as text or workbooks. */
const mostBytes = 8 * 1024 * 1024
const slice = 2_000

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
  const records = recordsIn(parsed(await fs.promises.readFile(path, 'utf8')))
  const heads = headsOf(records)
  if (heads.length === 0) return
  const row = (cells: readonly string[], no: number): SourceRow => ({ no, cells: cells.map((cell) => checkCell(cell, no)) })
  yield [row(heads, 1)]
  // Few at a time: a small file may name many columns once and leave them all out in a million records.
  for (let at = 0; at < records.length; at += slice) {
    yield records.slice(at, at + slice).flatMap((record, i) => (Object.keys(record).length === 0 ? [] : row(heads.map((head) => cellOf(record, head)), at + i + 2)))
  }
}

function headsOf(records: readonly Json[]): readonly string[] {
  const heads = new Set<string>()
  for (const record of records) {
    for (const head of Object.keys(record)) heads.add(head)
    checkColumn(heads.size - 1)
  }
  return [...heads]
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

function cellOf(record: Json, head: string): string {
  const value = Object.hasOwn(record, head) ? record[head] : null
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}

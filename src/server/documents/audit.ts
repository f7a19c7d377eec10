import type { Queries, Row } from '#server/context.ts'
import type { FieldType } from '#meta/resolved.ts'
import { appendPending } from '#server/db/pendingRows.ts'
import { isDecimalType } from './columns.ts'

/** One changed value; `field` is a column name, or `lines[2].qty`. */
export interface Change {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

export interface LogEntry {
  readonly docType: string
  readonly docId: number
  readonly at: string
  /** null: the system by itself. */
  readonly actorId: number | null
  /** For whom a deputy acted. */
  readonly onBehalfOfId?: number | undefined
  readonly action: string
  readonly fromStatus?: number | null
  readonly toStatus?: number | null
  readonly note?: string | null
  readonly diff?: readonly Change[]
  readonly requestId?: string
}

/** Appends to the history of a record; in the transaction of the change it describes. */
export async function writeLog(tx: Queries, entry: LogEntry): Promise<void> {
  await appendPending(tx, 'document_log', {
    doc_type: entry.docType, doc_id: entry.docId, at: entry.at, actor_id: entry.actorId, action: entry.action, from_status: entry.fromStatus ?? null, to_status: entry.toStatus ?? null,
    note: entry.note ?? null, diff: entry.diff ?? null, request_id: entry.requestId ?? null, on_behalf_of_id: entry.onBehalfOfId ?? null,
  })
}

/** Columns that say when and by whom are the log itself and never part of a difference. */
const silent = new Set(['version', 'updated_at', 'updated_by', 'created_at', 'created_by', 'password_hash'])

/** Fields of columns, by name. */
type Fields = ReadonlyMap<string, { readonly type: FieldType }>

/** What `after` changes in `before`, column by column; values compare as their fields do. */
export function changesOf(before: Row, after: Row, fields: Fields, prefix = ''): Change[] {
  return Object.entries(after)
    // A state that is a number is told as where the record went from and to.
    .filter(([column, value]) => !silent.has(column) && !(column === 'status' && typeof value === 'number') && !isSame(before[column], value, fields.get(column)))
    .map(([column, value]) => ({ field: prefix + column, from: before[column] ?? null, to: value ?? null }))
}

/** What was taken from a set of names and what was given; nothing when neither. */
export function setChange(field: string, taken: readonly string[], given: readonly string[]): readonly Change[] {
  const said = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(', '))
  return taken.length + given.length === 0 ? [] : [{ field, from: said(taken), to: said(given) }]
}

/** Numbers are the same by their worth, `812` and `812.0`; as texts those are two. Without a field what looks like numbers is taken for them. */
export function isSame(a: unknown, b: unknown, field?: { readonly type: FieldType }): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true
  if (field !== undefined && isDecimalType(field.type) && typeof a === 'string' && typeof b === 'string' && isNumeric(a) && isNumeric(b)) return trimmed(a) === trimmed(b)
  if (typeof a === 'object' || typeof b === 'object') return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
  return false
}

function isNumeric(text: string): boolean {
  return /^-?\d+\.\d+$|^-?\d+$/.test(text)
}

/** `12.50` and `12.5` are one amount; `007` stays a code. */
function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

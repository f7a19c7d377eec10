import { periodOf, type DateText } from '#base/date.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { writeLog } from '#server/documents/audit.ts'

export interface NewDocument extends Row {
  readonly operating_unit_id: number
  readonly territory_id: number | null
  readonly doc_date: DateText
}

/** Writes a document another document brings about, with its lines; status 0 and no number unless given. Answers id and line ids in order. */
export async function insertDocument(
  context: CommandContext,
  table: string,
  header: NewDocument,
  lines: { readonly table: string; readonly rows: readonly Row[] } | null = null,
): Promise<{ readonly id: number; readonly lineIds: readonly number[] }> {
  const now = context.now.toISOString()
  const posting = header['posting_date']
  const [id] = await insertRows(context.tx, table, [
    {
      status: 0,
      period: typeof posting === 'string' ? periodOf(posting) : null,
      currency: 'IDR',
      rate: '1',
      created_by: context.user.id,
      created_at: now,
      updated_by: context.user.id,
      updated_at: now,
      version: 1,
      source: 'SYSTEM',
      ...header,
    },
  ])
  if (id === undefined) throw new Error(`No row was written to ${table}`)
  const lineIds = lines === null ? [] : await insertRows(context.tx, lines.table, lines.rows.map((row, at) => ({ [`${table}_id`]: id, line_no: at + 1, ...row })))
  return { id, lineIds }
}

export interface StatusChange {
  readonly id: number
  readonly from: number
  readonly to: number
}

/** History of statuses that follow from other documents (an invoice paid, an order delivered). */
export async function logStatusChanges(context: CommandContext, docType: string, action: string, changes: readonly StatusChange[]): Promise<void> {
  for (const change of changes) {
    if (change.from === change.to) continue
    await writeLog(context.tx, { docType, docId: change.id, at: context.now.toISOString(), actorId: context.user.id, action, fromStatus: change.from, toStatus: change.to })
  }
}

/** Column values of a row that its table promises: a missing one is a broken assumption. */
export function numberOf(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw new Error(`Column ${column} holds no number`)
  return value
}

export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null || row[column] === undefined ? null : numberOf(row, column)
}

export function textOf(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw new Error(`Column ${column} holds no text`)
  return value
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : textOf(row, column)
}


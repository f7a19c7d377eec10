import { periodOf, type DateText } from '#base/date.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { reserveIds } from '#server/db/insertRows.ts'
import { insertPending } from '#server/db/pendingRows.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { writeLog } from '#server/documents/audit.ts'

export interface NewDocument extends Row {
  readonly operating_unit_id: number
  readonly territory_id: number | null
  readonly doc_date: DateText
}

export interface NewDocumentIds {
  readonly id: number
  readonly lineIds: readonly number[]
}

/** Ids for a document and its lines to come. */
export async function newDocumentIds(context: CommandContext, table: string, lines: { readonly table: string; readonly count: number } | null): Promise<NewDocumentIds> {
  const [[id], lineIds] = await Promise.all([reserveIds(context.tx.ahead, table, 1), lines === null ? Promise.resolve<number[]>([]) : reserveIds(context.tx.ahead, lines.table, lines.count)])
  if (id === undefined) throw new Error(`No id was given for ${table}`)
  return { id, lineIds }
}

/**
 * Writes a document another document brings about, with its lines; status 0 and no number unless given. Answers id and line ids in order. It is
 * sent with the next statement; moved on before that, it is written once.
 */
export async function insertDocument(
  context: CommandContext,
  table: string,
  header: NewDocument,
  lines: { readonly table: string; readonly rows: readonly Row[] } | null = null,
  ids?: NewDocumentIds,
): Promise<NewDocumentIds> {
  const now = context.now.toISOString()
  const posting = header['posting_date']
  const given = ids ?? (await newDocumentIds(context, table, lines === null ? null : { table: lines.table, count: lines.rows.length }))
  await insertPending(context.tx, table, [
    {
      status: 0,
      period: typeof posting === 'string' ? periodOf(posting) : null,
      currency: await homeCurrency(context.tx.ahead, header.operating_unit_id),
      rate: '1',
      created_by: context.user.id,
      created_at: now,
      updated_by: context.user.id,
      updated_at: now,
      version: 1,
      source: 'SYSTEM',
      ...header,
      id: given.id,
    },
  ])
  if (lines !== null) {
    await insertPending(context.tx, lines.table, lines.rows.map((row, at) => ({ [`${table}_id`]: given.id, line_no: at + 1, ...row, id: given.lineIds[at] ?? 0 })))
  }
  context.tellMade(table, given.id)
  return given
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


import { compare, fixed, isDecimal, isZero, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Field, Param } from '#meta/resolved.ts'
import { decidedAction } from '#meta/screenUse.ts'
import type { Queries, Row } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { ident, sql } from '#server/db/sql.ts'
import { isSame, writeLog } from '#server/documents/audit.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { lockRecord } from '#server/documents/readRecord.ts'
import { partsOf } from '#server/inventory/countedUnits.ts'
import { invalid, wrong } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'

interface Request {
  readonly doc_type: string
  readonly doc_id: number
  readonly transition: string
}

/** What a decision of a request may say beside reason and note, by wire name. */
export async function decisionParams({ metadata }: Services, tx: Queries, requestId: number): Promise<ReadonlyMap<string, Field>> {
  const request = await tx.first<{ doc_type: string; transition: string }>(sql`select doc_type, transition from approval_request where id = ${requestId}`)
  return new Map(request === undefined ? [] : paramsOf(metadata, request).map((param) => [param.wire, param]))
}

function paramsOf({ workflows }: Services['metadata'], { doc_type: docType, transition }: Pick<Request, 'doc_type' | 'transition'>): readonly Param[] {
  return workflows[docType]?.transitions.find(({ action }) => action === decidedAction(transition))?.params ?? []
}

/**
 * Makes the number of each line less that the approver has cut: `quantities`, `{ "<line id>": "<number>" }`. Lines he says nothing of stay. The history keeps what
 * it was and what it is; a document of which nothing is left is not approved.
 */
export async function cutLines(run: CommandRun, request: Request, input: Row, onBehalfOfId: number | undefined): Promise<void> {
  const { services, tx, user } = run
  const { quantities } = input
  const each = paramsOf(services.metadata, request).find((param) => param.each !== undefined)?.each
  if (each === undefined || quantities == null) return
  const entity = knownEntity(services.metadata, request.doc_type)
  const lines = entity.lines.find(({ wire }) => wire === each.lines)
  if (lines === undefined) throw new Error(`${entity.id} has no lines ${String(each.lines)}`)
  await lockRecord(services, tx, undefined, entity, request.doc_id)
  const column = each.field.name
  const table = ident(knownEntity(services.metadata, lines.entity).table)
  const known = await tx.rows<{ id: number; item_id: number; number: Decimal }>(sql`
    select id, item_id, ${ident(column)} as number from ${table} where ${ident(lines.column)} = ${request.doc_id} order by line_no, id for update`)
  const cut = cutNumbers(quantities, known.map(({ id }) => id))
  const rows = known.map((line) => ({ ...line, itemId: line.item_id, qtyBase: cut.get(line.id) ?? line.number }))
  const parts = await partsOf(tx, rows)
  const problems = [
    ...rows.filter(({ qtyBase, number }) => compare(qtyBase, number) > 0).map(({ id, number }) => wrong(`Quantities.${id}`, 'TOO_LARGE.stage', { most: number })),
    ...parts.map(({ id, item, qty }) => wrong(`Quantities.${id}`, 'INVALID.part-of-piece', { item, qty })),
  ]
  if (problems.length > 0) invalid(problems)
  const [first] = rows
  if (first !== undefined && rows.every(({ qtyBase }) => isZero(qtyBase))) invalid([wrong(`Quantities.${first.id}`, 'REQUIRED.something-approved')])
  const changed = rows.flatMap(({ id, number, qtyBase }, at) => (isSame(number, qtyBase) ? [] : [{ id, qty: qtyBase, change: { field: `${lines.name}[${at}].${column}`, from: number, to: qtyBase } }]))
  if (changed.length === 0) return
  await tx.run(sql`update ${table} l set ${ident(column)} = x.qty from ${recordset(changed.map(({ id, qty }) => ({ id, qty })), { id: 'bigint', qty: 'numeric' }, 'x')} where l.id = x.id`)
  await writeLog(tx, { docType: entity.id, docId: request.doc_id, at: run.now.toISOString(), actorId: user.id, onBehalfOfId, action: 'cut', diff: changed.map(({ change }) => change) })
}

function cutNumbers(quantities: unknown, ids: readonly number[]): ReadonlyMap<number, Decimal> {
  if (typeof quantities !== 'object' || quantities === null || Array.isArray(quantities)) return invalid([wrong('Quantities', 'INVALID.quantities')])
  const problems: FieldProblem[] = []
  const cut = new Map<number, Decimal>()
  for (const [key, value] of Object.entries(quantities)) {
    const text: unknown = typeof value === 'number' ? String(value) : value
    const id = Number(key)
    if (!ids.includes(id)) problems.push(wrong(`Quantities.${key}`, 'NOT_IN_SCOPE.line'))
    else if (typeof text !== 'string' || !isDecimal(text, 3) || compare(text, '0') < 0) problems.push(wrong(`Quantities.${key}`, 'NEGATIVE'))
    else cut.set(id, fixed(text, 3))
  }
  return problems.length > 0 ? invalid(problems) : cut
}

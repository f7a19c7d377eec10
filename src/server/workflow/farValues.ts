import { createHash } from 'node:crypto'
import { exact, fixed, grouped, isDecimal, quantityText } from '#base/decimal.ts'
import { holds } from '#meta/evaluate.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import { say, type Sentence } from '#meta/sentence.ts'
import type { Queries, Row, TransitionContext } from '#server/context.ts'
import { pendingRows } from '#server/db/pendingRows.ts'
import { ident, sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { tell } from '#server/sentences.ts'
import { setting } from '#server/settings.ts'
import { numberOrNull } from './newDocument.ts'

const farCode = 'FAR_VALUE'

/** Of many lines so many are named. */
const mostNamed = 10

interface Far {
  readonly row: Row
  readonly value: string
  readonly usual: string
  /** How far it lies from what it is measured by, in percent. */
  readonly percent: string
}

/** Asks about values of the document and its lines that lie further from what they are measured by than a setting allows: most likely a slip of the hand, or meant for another unit. */
export async function warnOfFarValues(context: TransitionContext): Promise<void> {
  const { entity, metadata, current, tx } = context
  await warnOf(context, entity, () => Promise.resolve([current]))
  for (const { entity: name, column } of entity.lines) {
    const lines = knownEntity(metadata, name)
    await warnOf(context, lines, ({ name: field, against }) => linesOf(tx, lines, column, current.id, [field, against.field]))
  }
}

type Measured = EntityField & Required<Pick<EntityField, 'against'>>

async function warnOf(context: TransitionContext, owner: ResolvedEntity, rowsFor: (field: Measured) => Promise<readonly Row[]>): Promise<void> {
  const { tx, metadata, action, current, user, today } = context
  for (const field of owner.fields) {
    const { against } = field
    if (against === undefined || !against.on.includes(action.action)) continue
    const most = await setting(tx, against.beyond, numberOrNull(current, 'operating_unit_id'), Number.MAX_SAFE_INTEGER)
    const rows = (await rowsFor({ ...field, against })).filter((row) => against.when === undefined || holds(against.when, row, { user: { ...user }, today, params: {} }))
    const far = rows.flatMap((row) => farOf(row, row[field.name], row[against.field], most))
    if (far.length === 0) continue
    // What was seen is part of the name: another value is another question.
    const seen = createHash('sha256').update(JSON.stringify(far.map(({ row, value, usual }) => [row['id'], value, usual]))).digest('hex').slice(0, 16)
    const names = await namesOf(tx, owner, against.named, metadata, far.slice(0, mostNamed).map(({ row }) => row))
    const items: readonly Sentence[] = far.slice(0, mostNamed).map(({ value, usual, percent }, i) => say('warning.far-value.one', { name: names[i] ?? '', value: shown(value), usual: shown(usual), percent }))
    const filling = { field: { key: field.label }, most: String(most), items }
    context.warn(`${farCode}-${field.name}-${seen}`, farCode, far.length > mostNamed ? tell('warning.far-value.more', { ...filling, more: far.length - mostNamed }) : tell('warning.far-value', filling))
  }
}

function farOf(row: Row, value: unknown, usual: unknown, most: number): Far[] {
  if (!isDecimal(value, 6) || !isDecimal(usual, 6) || exact(usual).eq(0)) return []
  const moved = exact(value).minus(usual).times(100).div(usual)
  if (!moved.abs().gt(most)) return []
  const percent = fixed(moved, 1)
  return [{ row, value, usual, percent: `${percent.startsWith('-') ? '−' : '+'}${quantityText(percent.replace('-', ''))} %` }]
}

/** Lines of the document that have both values, as this command has left them. */
async function linesOf(tx: Queries, lines: ResolvedEntity, column: string, documentId: number, [field = '', usual = '']: readonly string[]): Promise<readonly Row[]> {
  const made = pendingRows(tx, lines.table).filter((row) => row[column] === documentId)
  if (made.length > 0) return made
  return tx.rows(sql`select * from ${ident(lines.table)} where ${ident(column)} = ${documentId} and ${ident(field)} is not null and ${ident(usual)} is not null order by line_no, id`)
}

/** What the lines are called: codes of what they refer to, other values as they stand. */
async function namesOf(tx: Queries, owner: ResolvedEntity, named: readonly string[], metadata: TransitionContext['metadata'], rows: readonly Row[]): Promise<readonly string[]> {
  const parts = await Promise.all(named.map(async (name) => {
    const entity = owner.fields.find((field) => field.name === name)?.entity
    if (entity === undefined) return rows.map((row) => String(row[name] ?? ''))
    const { table, display: [code] } = knownEntity(metadata, entity)
    const found = await tx.rows<{ id: number; code: string }>(sql`select id, ${ident(code)} as code from ${ident(table)} where id = any(${rows.map((row) => Number(row[name] ?? 0))}::bigint[])`)
    const codes = new Map(found.map((one) => [one.id, one.code]))
    return rows.map((row) => codes.get(Number(row[name] ?? 0)) ?? '')
  }))
  return rows.map((_, i) => parts.map((part) => part[i] ?? '').filter((part) => part !== '').join(' '))
}

function shown(value: string): string {
  return grouped(fixed(value, 2))
}

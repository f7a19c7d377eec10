import { isDate } from '#base/date.ts'
import { compare, fixed, sum } from '#base/decimal.ts'
import { fieldsOf, holds } from '#meta/evaluate.ts'
import type { FirstFitting, MadeValue, Making, ResolvedEntity } from '#meta/resolved.ts'
import type { CommandContext, Effect, Precondition, Row, TransitionContext } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { moneyOfReferences } from '#server/documents/bookMoney.ts'
import { deriveValues } from '#server/documents/derive.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { firstFitting } from '#server/documents/fitting.ts'
import { readersOf, type Reader } from '#server/documents/reach.ts'
import { fail, invalid } from '#server/problemError.ts'
import { linesOf } from './documentLines.ts'
import { insertDocument, logStatusChanges, numberOf, type NewDocument } from './newDocument.ts'

/** Makes the documents the workflow says come out of this one at this transition. */
export const make: Effect = async (context) => {
  for (const making of makingsOf(context)) {
    for (const readers of await groupsOf(context, making)) await makeOne(context, making, readers)
  }
}

function makingsOf({ metadata, entity, action }: TransitionContext): readonly Making[] {
  return (metadata.workflows[entity.id]?.makes ?? []).filter(({ at }) => at === undefined || at.includes(action.action))
}

/** What each document is made of: the document itself, a line, or lines that are the same in the fields that group them. */
async function groupsOf(context: TransitionContext, { each, when, group, set, lines = {} }: Making): Promise<readonly (readonly [Reader, ...Reader[]])[]> {
  const { entity, current, user, today } = context
  const records = each === undefined ? [{ entity, row: current }] : await linesOf(context, each)
  const paths = [...Object.values(set), ...Object.values(lines)].flatMap(pathsOf)
  const readers = await readersOf(context, records, [...paths, ...(group ?? []), ...(when === undefined ? [] : fieldsOf(when))])
  const fitting = readers.filter((read) => when === undefined || holds(when, read, { user: { id: user.id }, today, params: {} }))
  const groups = new Map<string, [Reader, ...Reader[]]>()
  for (const [i, read] of fitting.entries()) {
    const key = group === undefined ? String(i) : JSON.stringify(group.map((name) => read(name) ?? null))
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [read])
    else known.push(read)
  }
  return [...groups.values()]
}

function pathsOf(value: MadeValue): readonly string[] {
  if (typeof value === 'string') return [value]
  return 'sum' in value ? [value.sum] : []
}

async function makeOne(context: TransitionContext, making: Making, readers: readonly [Reader, ...Reader[]]): Promise<void> {
  const { current, today } = context
  const made = knownEntity(context.metadata, making.entity)
  const [line] = made.lines
  const isMadeOf = { [making.by]: current.id, ...(await valuesOf(context, made, making.set, readers)) }
  const lines = making.lines === undefined || line === undefined ? [] : await Promise.all(readers.map(async (read) => valuesOf(context, knownEntity(context.metadata, line.entity), making.lines ?? {}, [read])))
  const { values, rows } = await withDerived(context, made, isMadeOf, lines)
  const unit = values['operating_unit_id'] ?? current['operating_unit_id']
  const date = isDate(values['doc_date']) ? values['doc_date'] : today
  if (typeof unit !== 'number') throw new Error(`A ${made.id} is made without a unit`)
  const code = making.status === undefined ? {} : { code: await context.nextNumber(making.series ?? made.series ?? '', unit, date), status: making.status }
  const header: NewDocument = { territory_id: null, ...values, operating_unit_id: unit, doc_date: date, ...code }
  const problems = header['rate'] === undefined ? await moneyOfReferences(context.tx, context.metadata, made, undefined, header) : []
  if (problems.length > 0) invalid(problems)
  const { id } = await insertDocument(context, made.table, header, making.lines === undefined || line === undefined ? null : { table: knownEntity(context.metadata, line.entity).table, rows })
  await logStatusChanges(context, made.id, 'create', making.status === undefined ? [] : [{ id, from: 0, to: making.status }])
  if (making.as !== undefined) context.set({ [making.as]: id })
  if (making.then !== undefined) context.followedBy(made.id, id, making.then)
}

/** What the entity derives, as in saving; what the workflow says goes before it. */
async function withDerived(context: TransitionContext, made: ResolvedEntity, header: Row, lines: readonly Row[]): Promise<{ readonly values: Row; readonly rows: readonly Row[] }> {
  const values = { ...header }
  const rows = lines.map((columns) => ({ columns: { ...columns }, stored: undefined }))
  const [line] = made.lines
  await deriveValues(context, made, undefined, values, line === undefined ? {} : { [line.wire]: rows })
  return { values: { ...values, ...header }, rows: rows.map(({ columns }, i) => ({ ...columns, ...lines[i] })) }
}

async function valuesOf(context: TransitionContext, made: ResolvedEntity, values: Readonly<Record<string, MadeValue>>, readers: readonly [Reader, ...Reader[]]): Promise<Row> {
  const [first] = readers
  const valueOf = async (value: MadeValue): Promise<unknown> => {
    if (typeof value === 'string') return first(value) ?? null
    if ('value' in value) return value.value
    if ('now' in value) return context.today
    if ('sum' in value) return fixed(sum(readers.map((read) => String(read(value.sum) ?? '0'))), 2)
    const found = await firstFitting(context, value, { entity: context.entity, row: context.current })
    if (found === null) fail('VALIDATION_FAILED.nothing-fits', { kind: { key: knownEntity(context.metadata, value.first).title }, document: { key: made.title } })
    return found
  }
  return Object.fromEntries(await Promise.all(Object.entries(values).map(async ([name, value]) => [name, await valueOf(value)] as const)))
}

/** Is there what a document to be made names by `first`? `row`: the document it is made of, as far as it is known. */
export async function canBeMade(context: CommandContext, of: string, made: string, row: Row): Promise<boolean> {
  const making = context.metadata.workflows[of]?.makes?.find(({ entity }) => entity === made)
  const wanted = Object.values(making?.set ?? {}).filter((value): value is FirstFitting => typeof value === 'object' && 'first' in value)
  const found = await Promise.all(wanted.map((one) => firstFitting(context, one, { entity: knownEntity(context.metadata, of), row })))
  return making !== undefined && found.every((id) => id !== null)
}

/** What was made is as it was made: a draft still, or an open item nothing has been taken of. Locked, so that it stays so. */
export const madeIsUnused: Precondition = async (context) => {
  for (const { made, row } of await madeRows(context)) if (!isUntouched(made, row)) fail('ILLEGAL_TRANSITION.made-used', { document: String(row['code'] ?? `DRAFT-${row.id}`) })
}

/** Takes back what was made, as long as nobody has used it. */
export const unmake: Effect = async (context) => {
  await madeIsUnused(context)
  const at = context.now.toISOString()
  for (const { made, row } of await madeRows(context)) {
    const from = numberOf(row, 'status')
    const to = from === 0 ? 6 : 7
    const nothing = made.openItem === undefined ? sql`` : sql`, ${ident(made.openItem.remaining)} = 0`
    await context.tx.run(sql`update ${ident(made.table)} set status = ${to}, version = version + 1, updated_at = ${at}, updated_by = ${context.user.id}, cancelled_at = ${at}, cancelled_by = ${context.user.id} ${nothing} where id = ${row.id}`)
    await logStatusChanges(context, made.id, to === 6 ? 'cancel' : 'reverse', [{ id: row.id, from, to }])
  }
}

async function madeRows(context: TransitionContext): Promise<readonly { readonly made: ResolvedEntity; readonly row: Row & { readonly id: number } }[]> {
  const { metadata, entity, current, tx } = context
  const kinds = new Map((metadata.workflows[entity.id]?.makes ?? []).map(({ entity: name, by }) => [`${name} ${by}`, { made: knownEntity(metadata, name), by }]))
  const found = await Promise.all([...kinds.values()].map(async ({ made, by }) => {
    const rows = await tx.rows<Row & { readonly id: number }>(sql`select * from ${ident(made.table)} where ${ident(by)} = ${current.id} and status not in (6, 7) order by id for update`)
    return rows.map((row) => ({ made, row }))
  }))
  return found.flat()
}

function isUntouched(made: ResolvedEntity, row: Row): boolean {
  if (row['pending_transition'] != null) return false
  if (row['status'] === 0) return true
  const { openItem } = made
  return row['status'] === 1 && openItem !== undefined && compare(String(row[openItem.remaining]), String(row[openItem.whole])) === 0
}

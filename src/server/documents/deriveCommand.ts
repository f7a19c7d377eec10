import { referenceNames, wireName } from '#base/wireName.ts'
import type { EntityLines, ResolvedEntity } from '#meta/resolved.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Command, Row } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'
import { isRow } from './bodyColumns.ts'
import { conditionSql } from './conditionSql.ts'
import { deriveValues, type DerivedLine } from './derive.ts'
import { knownEntity } from './entities.ts'
import { filled, operandsOf, scopeOf } from './fitting.ts'
import { mostLines, parseRecord } from './parseRecord.ts'
import { readersOf, type Reader } from './reach.ts'
import { hookKey } from './readRecord.ts'

/**
 * Works out what an entity derives, of a record as typed: `{ record: { header values, Lines }, errors: [] }`. While no line is entered, the
 * lines are those that may be proposed; `Brought` names candidates that shall be its lines. Nothing is saved or locked; what the user may not see gives nothing away.
 */
export function deriveCommand(entity: ResolvedEntity): Command {
  return async (context, { body, params }) => {
    if (!(context instanceof CommandRun)) throw new Error('Asked outside a command')
    const { metadata, tx, user, services } = context
    const { Brought: _brought, ...record } = body
    const parsed = parseRecord(services, entity, record)
    const ids = typeof params['Brought'] === 'string' ? idsIn(params['Brought']) : undefined
    // What is missing is still to come; what cannot be read is told.
    const unread = parsed.errors.filter(({ code }) => code === 'WRONG_TYPE')
    if (unread.length > 0) invalid(unread)
    const header: Row = { ...parsed.columns }
    const brought = ids === undefined ? {} : await broughtAlong(context, entity, ids)
    Object.assign(header, brought)
    // What lines are proposed by may be worked out itself.
    await deriveValues({ tx, metadata }, entity, undefined, header, {}, user)
    const typed: Record<string, { readonly sent: Row; readonly columns: Row }[]> = {}
    const [read] = await readersOf({ tx, metadata }, [{ entity, row: header }], entity.lines.flatMap((line) => operandsOfLines(knownEntity(metadata, line.entity))), user)
    for (const line of entity.lines) {
      const rows = body[line.wire]
      if (!Array.isArray(rows)) continue
      const sent = rows.filter(isRow)
      const columns = parsed.lines[line.wire]?.map(({ columns: own }) => ({ ...own })) ?? []
      const found = sent.length === 0 && read !== undefined ? await candidatesFor(context, line, read, ids) : []
      typed[line.wire] = sent.length === 0 ? found.map((own) => ({ sent: {}, columns: own })) : sent.map((row, i) => ({ sent: row, columns: columns[i] ?? {} }))
    }
    const lines: Record<string, DerivedLine[]> = Object.fromEntries(Object.entries(typed).map(([wire, rows]) => [wire, rows.map(({ columns }) => ({ columns, stored: undefined }))]))
    await services.hooks[hookKey(entity)]?.workOut?.({ tx, metadata, user, id: typeof body['ID'] === 'number' ? body['ID'] : undefined }, header, lines)
    await deriveValues({ tx, metadata }, entity, undefined, header, lines, user)
    const answered = { ...Object.fromEntries(Object.keys(entity.derive ?? {}).map((name) => [wireName(name), header[name] ?? null])), ...(await called(context, entity, [header], Object.keys(brought)))[0] }
    const named = await Promise.all(entity.lines.filter(({ wire }) => typed[wire] !== undefined).map(async (line) => [line.wire, await answeredLines(context, line, typed[line.wire] ?? [])] as const))
    return { record: { ...answered, ...Object.fromEntries(named) }, errors: [] }
  }
}

/** Lines as they are answered: what was sent, what was worked out, and what references that were proposed or worked out are called. */
async function answeredLines({ tx, metadata }: CommandRun, line: EntityLines, rows: readonly { readonly sent: Row; readonly columns: Row }[]): Promise<readonly Row[]> {
  const entity = knownEntity(metadata, line.entity)
  const proposed = rows.some(({ sent }) => Object.keys(sent).length === 0)
  const names = [...(proposed ? Object.keys(entity.candidates?.takes ?? {}) : []), ...Object.keys(entity.derive ?? {})]
  const named = await called({ tx, metadata }, entity, rows.map(({ columns }) => columns), names)
  return rows.map(({ sent, columns }, i) => ({ ...sent, ...Object.fromEntries(Object.keys(columns).map((name) => [wireName(name), columns[name] ?? null])), ...named[i] }))
}

/** The values of these fields as they travel, references with code and name. */
async function called(reading: Pick<CommandRun, 'tx' | 'metadata'>, entity: ResolvedEntity, rows: readonly Row[], names: readonly string[]): Promise<readonly Row[]> {
  const references = entity.fields.flatMap((field) => (names.includes(field.name) && field.entity !== undefined ? [{ field, target: knownEntity(reading.metadata, field.entity) }] : []))
  const readers = await readersOf(reading, rows.map((row) => ({ entity, row })), references.flatMap(({ field, target }) => target.display.map((column) => `${field.name}.${column}`)))
  return rows.map((row, i) => Object.fromEntries([
    ...names.map((name) => [wireName(name), row[name] ?? null]),
    ...references.flatMap(({ field, target }) => {
      const keys = referenceNames(field.name)
      return target.display.map((column, at) => [at === 0 ? keys.code : keys.name, readers[i]?.(`${field.name}.${column}`) ?? null] as const)
    }),
  ]))
}

function idsIn(text: string): readonly number[] {
  const ids = text.split(',').map(Number)
  if (ids.length > mostLines || ids.some((id) => !Number.isSafeInteger(id) || id <= 0)) invalid([wrong('Brought', 'WRONG_TYPE.id')])
  return ids
}

/** What the header begins with where its lines are brought along: what those say, as long as they agree. */
async function broughtAlong({ tx, metadata, user }: CommandRun, entity: ResolvedEntity, ids: readonly number[]): Promise<Row> {
  const found: Row = {}
  for (const line of entity.lines) {
    const { candidates } = knownEntity(metadata, line.entity)
    if (candidates?.header === undefined) continue
    const from = knownEntity(metadata, candidates.entity)
    const scope = scopeCondition(metadata, user, from, 't')
    const [first] = await tx.rows(sql`select t.* from ${ident(from.table)} t where t.id = any(${[...ids]}::bigint[]) ${scope === undefined ? sql`` : sql`and ${scope}`} order by t.id limit 1`)
    for (const [name, taken] of Object.entries(candidates.header)) found[name] = first?.[taken] ?? null
  }
  return found
}

/** Columns of lines out of the records that may become one, in their order; `ids`: those and no others, of which none may be missing. */
async function candidatesFor({ tx, metadata, user, today }: CommandRun, line: EntityLines, read: Reader, ids: readonly number[] | undefined): Promise<readonly Row[]> {
  const { candidates } = knownEntity(metadata, line.entity)
  if (candidates === undefined) return []
  const from = knownEntity(metadata, candidates.entity)
  const where = candidates.where === undefined ? undefined : filled(candidates.where, read)
  // What the record must say first is not said yet.
  if (where === null) return ids === undefined ? [] : invalid([wrong(line.wire, 'NOT_IN_SCOPE.picked', { count: ids.length })])
  const scope = scopeCondition(metadata, user, from, 't')
  const test = where === undefined ? sql`true` : conditionSql(where, scopeOf({ user, today }, from, 't'))
  const narrowed = Object.entries(candidates.narrows ?? {}).flatMap(([own, same]) => {
    const value = read(own)
    return value === null || value === undefined ? [] : [sql`and t.${ident(same)} = ${value}`]
  })
  const rows = await tx.rows(sql`select t.* from ${ident(from.table)} t where ${test} ${join(narrowed, ' ')} ${ids === undefined ? sql`` : sql`and t.id = any(${[...ids]}::bigint[])`} ${scope === undefined ? sql`` : sql`and ${scope}`} order by t.${ident(candidates.sort)}, t.id limit ${mostLines}`)
  if (ids !== undefined && rows.length < new Set(ids).size) invalid([wrong(line.wire, 'NOT_IN_SCOPE.picked', { count: new Set(ids).size - rows.length })])
  return rows.map((row) => Object.fromEntries(Object.entries(candidates.takes).map(([name, taken]) => [name, row[taken] ?? null])))
}

/** Fields of the header candidates are chosen by. */
function operandsOfLines({ candidates }: ResolvedEntity): readonly string[] {
  return [...operandsOf(candidates?.where), ...Object.keys(candidates?.narrows ?? {})]
}

import { fixed } from '#base/decimal.ts'
import { wireName } from '#base/wireName.ts'
import type { WireRecord } from '#api/envelope.ts'
import { decimalPlaces } from '#meta/ddl.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import { requireEntityGuard } from '#server/access/guards.ts'
import { approvedFields, proposedFor } from '#server/approval/proposed.ts'
import { isWithin, lineCondition, scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { pendingRow } from '#server/db/pendingRows.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import type { Problem } from '#api/problems.ts'
import { fail, problem } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { columnRef, isDecimalType, RecordQuery, visibleColumn, type ColumnRef } from './columns.ts'
import { fieldMap, knownEntity } from './entities.ts'
import type { ActionsOf } from './listQuestion.ts'
import { emptyValue } from './emptyValue.ts'

/** One record with its lines, as it travels. Refused unless the user may view such records; NOT_IN_SCOPE when there is none he may see. */
export async function readRecord(services: Services, queries: Queries, user: User, entity: ResolvedEntity, id: number, actionsOf: ActionsOf): Promise<WireRecord> {
  requireEntityGuard(services.metadata, user, entity, 'view')
  const [[header], inner, ...lineRows] = await Promise.all([
    wireRows(services, queries, entity, [sql`t.id = ${id}`, scopeCondition(services.metadata, user, entity, 't')]),
    queries.first(sql`select * from ${ident(entity.table)} where id = ${id}`),
    ...entity.lines.map((line) => {
      const of = knownEntity(services.metadata, line.entity)
      return wireRows(services, queries, of, [sql`t.${ident(line.column)} = ${id}`, lineCondition(services.metadata, user, of, 't')], { order: ['line_no', 'id'], beyond: beyondShown(services.metadata, user, of) })
    }),
  ])
  if (!header) return notInScope(entity)
  const lines: Row = Object.fromEntries(entity.lines.map((line, i) => [line.wire, lineRows[i] ?? []]))
  const record: WireRecord = {
    ...header, ...lines, ID: id, Actions: inner ? actionsOf(inner) : [],
    ...(approvedFields(entity).length === 0 ? {} : { Proposed: await proposedFor(queries, user, entity, id) }),
  }
  return (await services.hooks[hookKey(entity)]?.afterRead?.(queries, user, record)) ?? record
}

/** The row of a record by column name, locked until the transaction ends; out of scope is not there. `user` undefined: the system. */
export async function lockRecord(services: Pick<Services, 'metadata'>, tx: Queries, user: User | undefined, entity: ResolvedEntity, id: number): Promise<Row & { readonly id: number }> {
  const scope = user && scopeCondition(services.metadata, user, entity, 't')
  // Made by this transaction and not sent yet: nobody else can have it.
  const made = pendingRow(tx, entity.table, id)
  if (made && (scope === undefined || (user && isWithin(services.metadata, user, entity, made)))) return { ...columnsUnsaid(entity), ...made, id }
  const known = user === undefined ? takeLocked(tx, entity, id) : undefined
  if (known) return { ...known, id }
  const row = await tx.first(sql`select t.* from ${ident(entity.table)} t where t.id = ${id} ${scope ? sql`and ${scope}` : sql``} for update of t`)
  return row ? { ...row, id } : notInScope(entity)
}

/** Why the user may change nothing of a record he sees: it holds lines he does not see, and what is done to it is done to them. */
export async function partSeen(services: Pick<Services, 'metadata'>, tx: Queries, user: User, entity: ResolvedEntity, id: number): Promise<Problem | undefined> {
  const hidden = entity.lines.flatMap((line) => {
    const of = knownEntity(services.metadata, line.entity)
    const condition = lineCondition(services.metadata, user, of, 't')
    return condition ? [sql`select 1 from ${ident(of.table)} t where t.${ident(line.column)} = ${id} and (${condition}) is not true`] : []
  })
  return hidden.length > 0 && (await tx.first(sql`${join(hidden, ' union all ')} limit 1`)) !== undefined ? problem('FORBIDDEN_GUARD.partly') : undefined
}

/** Refuses what would be done to lines the user does not see. */
export async function requireWhole(services: Pick<Services, 'metadata'>, tx: Queries, user: User, entity: ResolvedEntity, id: number): Promise<void> {
  if ((await partSeen(services, tx, user, entity, id)) !== undefined) fail('FORBIDDEN_GUARD.partly')
}

const locked = new WeakMap<object, Map<string, Row>>()

/** Hands over a row that this transaction has just locked and read whole: the system's next `lockRecord` of it asks nothing. */
export function keepLocked(tx: Queries, entity: ResolvedEntity, row: Row & { readonly id: number }): void {
  const own = locked.get(tx.unit) ?? new Map<string, Row>()
  if (tx.unit !== tx.home) locked.set(tx.unit, own)
  own.set(`${entity.table} ${row.id}`, row)
}

function takeLocked(tx: Queries, entity: ResolvedEntity, id: number): Row | undefined {
  const key = `${entity.table} ${id}`
  const row = locked.get(tx.unit)?.get(key)
  locked.get(tx.unit)?.delete(key)
  return row
}

/** What a new row has in the columns it does not name. */
function columnsUnsaid(entity: ResolvedEntity): Row {
  return Object.fromEntries(entity.fields.map((field) => [field.name, field.default ?? (field.nullable ? null : (emptyValue(field) ?? null))]))
}

const beyondOf = new WeakMap<Metadata, ReadonlyMap<string, readonly string[]>>()

/** What pages show of lines beyond their own fields, by name: of the records these refer to, as the unit stock is kept in. */
export function beyondNames(metadata: Metadata, entity: ResolvedEntity): readonly string[] {
  const known = beyondOf.get(metadata) ?? hopsOfLines(metadata)
  beyondOf.set(metadata, known)
  return known.get(entity.id) ?? []
}

/** Of it what this user may see. */
function beyondShown(metadata: Metadata, user: User, entity: ResolvedEntity): readonly ColumnRef[] {
  return beyondNames(metadata, entity).flatMap((name) => visibleColumn(metadata, user, entity, name) ?? [])
}

function hopsOfLines({ screens }: Metadata): ReadonlyMap<string, readonly string[]> {
  const tabs = Object.values(screens).flatMap((screen) => (screen.kind === 'detail' ? screen.tabs : []))
  const hops = tabs.flatMap((tab) => (tab.kind === 'lines' ? tab.columns.flatMap(({ name }) => (name.includes('.') ? [[tab.entity, name] as const] : [])) : []))
  return new Map(hops.map(([entity]) => [entity, [...new Set(hops.flatMap(([of, name]) => (of === entity ? [name] : [])))]]))
}

/** Wire records of an entity with every field people may see, references with code and name; `beyond`: columns of what it refers to. */
export async function wireRows(
  services: Services,
  queries: Queries,
  entity: ResolvedEntity,
  conditions: readonly (ReturnType<typeof scopeCondition>)[],
  { order = [], beyond = [] }: { readonly order?: readonly string[]; readonly beyond?: readonly ColumnRef[] } = {},
): Promise<Row[]> {
  const builder = new RecordQuery(services.metadata, entity)
  const columns = entity.fields.flatMap((field) => {
    const column = columnRef(services.metadata, entity, field.name)
    return column ? [column] : []
  })
  const select = [...columns, ...beyond].flatMap((column) => builder.select(column))
  const tests = conditions.filter((condition) => condition !== undefined)
  const known = order.filter((name) => fieldMap(entity).has(name))
  const orderBy = known.length === 0 ? sql`` : sql`order by ${join(known.map((name) => sql`t.${ident(name)}`))}`
  return queries.rows(sql`select ${join(select)} from ${builder.from()} where ${tests.length === 0 ? sql`true` : join(tests, ' and ')} ${orderBy}`)
}

export function notInScope(entity: ResolvedEntity): never {
  fail('NOT_IN_SCOPE.record', { record: { key: entity.title } })
}

/** Entities are known by generated names; a lookup by any other text finds nothing. */
export function hookKey(entity: ResolvedEntity): keyof Services['hooks'] {
  return entity.id as keyof Services['hooks']
}

/** A database row by wire names, hidden columns left out. */
export function wireOf(entity: ResolvedEntity, row: Row & { readonly id: number }): WireRecord {
  const fields = fieldMap(entity)
  const entries = Object.entries(row).flatMap(([column, value]) => {
    const field = fields.get(column)
    return field === undefined || field.hidden ? [] : [[wireName(column), asStored(field, value)] as const]
  })
  return { ...Object.fromEntries(entries), ID: row.id }
}

/** A decimal with the places of its column, also where the row was never read back. */
function asStored(field: EntityField, value: unknown): unknown {
  return typeof value === 'string' && isDecimalType(field.type) ? fixed(value, decimalPlaces(field.type)) : value
}

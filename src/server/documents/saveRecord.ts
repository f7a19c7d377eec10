import type { FieldProblem } from '#api/problems.ts'
import type { Metadata } from '#meta/metadata.ts'
import { editingIn } from '#meta/editing.ts'
import type { Editing, EntityField, EntityLines, ResolvedEntity } from '#meta/resolved.ts'
import { hasEntityGuard, requireEntityGuard } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { reserveIds } from '#server/db/insertRows.ts'
import { changeRow, insertPending } from '#server/db/pendingRows.ts'
import { forgetMarks } from '#server/db/remembered.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'
import { checkFieldFiles, dropFieldFiles, settleFieldFiles, settleLineFiles } from '#server/files/fieldFiles.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { isShipped } from '#server/seed/shipped.ts'
import type { Services } from '#server/services.ts'
import { askFor, forgetChanges, holdBack } from '#server/approval/changes.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { actionWord } from '#server/workflow/actionWord.ts'
import { once } from '#server/workflow/once.ts'
import { changesOf, isSame, setChange, writeLog, type Change } from './audit.ts'
import { bookCurrency, foreignMoney, moneyOfReferences } from './bookMoney.ts'
import { assertCodesFree, codedLines } from './codes.ts'
import { columnValue } from './columnValue.ts'
import { askReferences, checkReferences, type AskedReferences } from './checkReferences.ts'
import { deriveValues } from './derive.ts'
import { fieldMap, isDocument, knownEntity } from './entities.ts'
import type { SavingLine, Written } from './hooks.ts'
import { emptyValue } from './emptyValue.ts'
import { parseRecord, type ParsedRecord } from './parseRecord.ts'
import { changedMeanwhile } from './changedMeanwhile.ts'
import { hookKey, lockRecord, requireWhole } from './readRecord.ts'
import { statusWord } from './statusNames.ts'
import { brokenRules } from './rules.ts'
import { watchReliances } from './reliances.ts'
import { keptFields, usedIn, warnOfUses } from './usedIn.ts'
import { isCreatable, isWritable } from './writable.ts'

export type SaveContext = CommandRun

/** A record to be made as it was sent, read before its transaction begins; undefined where `createRecord` has to say why not. */
export function sentRecord(services: Services, user: User, entity: ResolvedEntity, body: unknown): ParsedRecord | undefined {
  if (!isCreatable(services, entity) || !hasEntityGuard(services.metadata, user, entity, 'create')) return undefined
  const parsed = parseRecord(services, entity, withoutDrawn(entity, body))
  return parsed.errors.length === 0 ? parsed : undefined
}

/** A record read, with what has been asked for it. */
export interface PreparedRecord {
  readonly parsed: ParsedRecord
  readonly references: AskedReferences
  readonly ids: Promise<NewIds>
}

/** Asks early for what `createRecord` will need of the database, so that it travels with other questions. Says nothing about the record: that is `createRecord`'s. */
export function prepareRecord(context: SaveContext, entity: ResolvedEntity, parsed: ParsedRecord, next?: string): PreparedRecord {
  const { services, tx } = context
  if (isDocument(entity)) void homeOf(context, parsed.columns)
  services.hooks[hookKey(entity)]?.prepare?.(context, parsed.columns, next)
  const ids = newIds(services, tx, entity, parsed.lines)
  // Who needs them is told when they cannot be had.
  ids.catch(() => undefined)
  return { parsed, references: askReferences(context, entity, parsed), ids }
}

/** A form says of every field what stands in it: where nothing stands for the number, it is drawn. */
function withoutDrawn(entity: ResolvedEntity, body: unknown): unknown {
  if (entity.base !== 'master' || entity.series === undefined || typeof body !== 'object' || body === null || !('Code' in body) || (body.Code !== null && body.Code !== '')) return body
  const { Code: _, ...rest } = body
  return rest
}

/** Creates a record with its lines; returns its id. Documents start as drafts without a number. `next`: the action that will be taken right after; `prepared`: what was asked early of this body. */
export async function createRecord(context: SaveContext, entity: ResolvedEntity, body: unknown, next?: string, prepared?: PreparedRecord): Promise<number> {
  const { services, user } = context
  if (!isCreatable(services, entity)) fail('FORBIDDEN_GUARD.not-made')
  requireEntityGuard(services.metadata, user, entity, 'create')
  return makeRecord(context, entity, body, next, prepared)
}

/** As `createRecord`, for a command that asks for a permission of its own and says what is in the body. */
export async function makeRecord(context: SaveContext, entity: ResolvedEntity, body: unknown, next?: string, prepared?: PreparedRecord): Promise<number> {
  const { services } = context
  const parsed = prepared?.parsed ?? parseRecord(services, entity, withoutDrawn(entity, body))
  if (prepared === undefined) services.hooks[hookKey(entity)]?.prepare?.(context, parsed.columns, next)
  const header: Row = { ...(await startingValues(context, entity, parsed.columns)), ...parsed.columns }
  return save(context, entity, undefined, header, { ...parsed, lines: withAllLines(entity, parsed.lines) }, prepared)
}

/** Saves a record the user has read at `version`; lines the body does not mention stay. Documents only as long as they are drafts or rejected, or their workflow says so of their status. */
export async function updateRecord(context: SaveContext, entity: ResolvedEntity, id: number, version: number, body: unknown): Promise<void> {
  const { services, user } = context
  if (!isWritable(services, entity)) fail('FORBIDDEN_GUARD.not-changed')
  requireEntityGuard(services.metadata, user, entity, 'edit')
  const before = await lockRecord(services, context.tx, user, entity, id)
  await requireWhole(services, context.tx, user, entity, id)
  await assertVersion(context, entity, before, version)
  const stage = assertEditable(services.metadata, entity, before)
  const parsed = parseRecord(services, entity, body)
  if (stage?.fields !== undefined) assertOpen(entity, before, parsed, stage)
  const { code = before['code'] } = parsed.columns
  if (code !== before['code'] && isShipped(entity, before)) invalid([wrong('Code', 'INVALID.shipped')])
  await save(context, entity, before, { ...parsed.columns }, parsed)
}

/** Deletes a draft or an unused master record. */
export async function deleteRecord(context: SaveContext, entity: ResolvedEntity, id: number, version: number): Promise<void> {
  const { services, user, tx } = context
  if (!isCreatable(services, entity)) fail('FORBIDDEN_GUARD.not-deleted')
  requireEntityGuard(services.metadata, user, entity, 'delete')
  const before = await lockRecord(services, tx, user, entity, id)
  await requireWhole(services, tx, user, entity, id)
  await assertVersion(context, entity, before, version)
  assertEditable(services.metadata, entity, before)
  if (isDocument(entity) && Number(before['status']) !== beginsIn(services.metadata, entity)) {
    fail('ILLEGAL_TRANSITION.delete', { status: statusWord(entity, before['status']) })
  }
  const relied = await watchReliances(context, entity, id)
  const { beforeDelete, belongings = {} } = services.hooks[hookKey(entity)] ?? {}
  await beforeDelete?.(context, before)
  for (const [owned, column] of Object.entries(belongings)) await tx.run(sql`delete from ${ident(knownEntity(services.metadata, owned).table)} where ${ident(column)} = ${id}`)
  await forgetChanges(context, entity, id)
  const uses = isDocument(entity) ? undefined : await usedIn(services, tx, user, entity, id)
  if (uses !== undefined && uses.sentences.length > 0) fail('IN_USE.where', { where: uses.sentences }, { obstacles: uses.obstacles })
  if (isShipped(entity, before)) fail('IN_USE.shipped')
  try {
    for (const line of entity.lines) {
      const lineEntity = knownEntity(services.metadata, line.entity)
      await dropFieldFiles(tx, lineEntity, sql`select id from ${ident(lineEntity.table)} where ${ident(line.column)} = ${id}`, context.now)
      await tx.run(sql`delete from ${ident(lineEntity.table)} where ${ident(line.column)} = ${id}`)
    }
    await tx.run(sql`delete from ${ident(entity.table)} where id = ${id}`)
    // References checked at commit are checked here, so that the refusal can say what it is about.
    await tx.run(sql`set constraints all immediate`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23503') fail('IN_USE.deactivate')
    throw error
  }
  await relied()
  await dropFieldFiles(tx, entity, sql`${id}`, context.now)
  await writeLog(tx, { docType: entity.id, docId: id, at: context.now.toISOString(), actorId: user.id, action: 'delete', ...requestOf(context) })
}

async function save(context: SaveContext, entity: ResolvedEntity, before: (Row & { readonly id: number }) | undefined, header: Row, parsed: ParsedRecord, prepared?: PreparedRecord): Promise<number> {
  const { services, tx, user } = context
  const hooks = services.hooks[hookKey(entity)]
  const errors: FieldProblem[] = [...parsed.errors]
  const lineRows = await currentLines(context, entity, before, parsed.lines, errors)
  const lines: Record<string, SavingLine[]> = Object.fromEntries(
    Object.entries(parsed.lines).map(([wire, rows]) => [wire, rows.map((line) => ({ id: line.id, columns: { ...line.columns }, extra: line.extra }))]),
  )
  requireValues(services, entity, before, header, lines, new Set(hooks?.computed), errors)
  if (errors.length > 0) invalid(errors)
  const written: Written = { services, tx, user, entity, before, header, lines }
  const known = before ? [] : [...(isDocument(entity) ? await homeReferences(context, parsed.columns) : []), ...(prepared ? [prepared.references] : [])]
  const [problems, ids] = await Promise.all([checkReferences(written, lineRows, known), before ? undefined : (prepared?.ids ?? newIds(services, tx, entity, lines))])
  errors.push(...problems, ...(await checkFieldFiles(written, lineRows)))
  if (errors.length > 0) invalid(errors)

  const more: Change[] = []
  const saving = {
    context, before, header, lines: Object.keys(lines).length === 0 ? undefined : lines, extra: parsed.extra,
    problem: (problem: FieldProblem) => void errors.push(problem),
    changed: (field: string, taken: readonly string[], given: readonly string[]) => void more.push(...setChange(field, taken, given)),
  }
  const unit = header['operating_unit_id']
  const { currency } = header
  await hooks?.beforeDerive?.(saving)
  await deriveValues(context, entity, before, header, Object.fromEntries(Object.entries(lines).map(([wire, rows]) => [wire, rows.map(({ id, columns }) => ({ columns, stored: id === undefined ? undefined : lineRows.get(wire)?.get(id) }))])))
  errors.push(...(await moneyOfReferences(tx.ahead, services.metadata, entity, before, header)))
  await hooks?.beforeSave?.(saving)
  // A hook has found out where it belongs: to a company, it may be, with other books.
  if (before === undefined && unit !== header['operating_unit_id'] && currency === header['currency']) Object.assign(header, await bookCurrency(tx, entity, parsed.columns, header['operating_unit_id']))
  errors.push(...(await foreignMoney(tx.ahead, entity, { ...(entity.otherCurrencies !== undefined ? {} : before), ...parsed.columns }, header['operating_unit_id'] ?? before?.['operating_unit_id'], { ...before, ...header }['currency'])))
  if (errors.length === 0) requireValues(services, entity, before, header, lines, new Set(), errors)
  if (errors.length === 0) errors.push(...(await brokenRules(context, entity, before, header, lines, lineRows)))
  const held = errors.length > 0 ? undefined : await holdBack(context, entity, before, header, saving.problem)
  if (errors.length > 0) invalid(errors)

  const diff: Change[] = before ? changesOf(before, header, fieldMap(entity)) : []
  if (before) errors.push(...(await keptFields(services, tx, entity, before.id, new Set(diff.map(({ field }) => field)))))
  if (errors.length > 0) invalid(errors)
  await assertCodesFree(context, entity, before, header, codedLines(context, entity, lines, lineRows))
  const relied = before && (await watchReliances(context, entity, before.id, new Set([...diff.map(({ field }) => field), ...Object.keys(parsed.extra)])))
  if (before && !isDocument(entity) && isTakenOff(before, header)) await warnOfUses(context, entity, before.id)
  const id = before ? updateHeader(context, entity, before, header) : await insertHeader(context, entity, header, ids?.id)
  const lineIds: Record<string, readonly number[]> = {}
  for (const line of entity.lines) {
    const rows = lines[line.wire]
    if (!rows) continue
    const stored = lineRows.get(line.wire) ?? new Map<number, Row>()
    const saved = await saveLines(context, entity, line, id, rows, stored, before ? diff : undefined, ids?.lines[line.wire])
    await settleLineFiles(tx, knownEntity(services.metadata, line.entity), rows, stored, saved, context.now)
    lineIds[line.wire] = saved
  }
  await settleFieldFiles(tx, entity, before, header, id, context.now)
  if (!isDocument(entity)) forgetMarks(tx)
  await hooks?.afterSave?.(saving, { id, lineIds })
  await relied?.()
  await writeLog(tx, {
    docType: entity.id, docId: id, at: context.now.toISOString(), actorId: user.id, action: before ? 'edit' : 'create',
    fromStatus: statusOf(before), toStatus: statusOf(header) ?? statusOf(before), ...(before ? { diff: [...diff, ...more] } : {}), ...requestOf(context),
  })
  if (held) await askFor(context, entity, { ...before, ...header, id }, held)
  return id
}

/** A new record: column defaults, and for documents today, the customer's territory and unit, or the user's only unit. */
async function startingValues(context: SaveContext, entity: ResolvedEntity, columns: Row): Promise<Row> {
  const fields = fieldMap(entity)
  const start: Row = {}
  for (const field of entity.fields) if (field.default !== undefined) start[field.name] = field.default
  if (isDocument(entity)) {
    Object.assign(start, { status: beginsIn(context.services.metadata, entity), doc_date: context.today, source: context.source ?? 'WEB' })
    const customer = await homeOf(context, columns)
    if (customer) Object.assign(start, { operating_unit_id: customer['operating_unit_id'], territory_id: customer['territory_id'] })
  }
  if (fields.has('operating_unit_id') && start['operating_unit_id'] == null && entity.scope.operating_unit === 'operating_unit_id') {
    const units = context.user.operatingUnits
    if (units !== 'all' && units.length === 1) start['operating_unit_id'] = units[0]
  }
  Object.assign(start, await bookCurrency(context.tx, entity, columns, columns['operating_unit_id'] ?? start['operating_unit_id']))
  if (entity.base === 'master' && entity.series !== undefined && columns['code'] == null) {
    start['code'] = await context.nextNumber(entity.series, Number(columns['operating_unit_id'] ?? start['operating_unit_id'] ?? 0), context.today)
    delete columns['code']
  }
  return start
}

interface Home extends Row {
  readonly operating_unit_id: number
  readonly territory_id: number
  /** null: out of the user's scope. */
  readonly is_unit_active: boolean | null
  readonly is_territory_active: boolean | null
}

/** Where the customer of a new document belongs. One out of scope gives nothing away, not even that. */
function homeOf({ services: { metadata }, user, tx }: SaveContext, columns: Row): Promise<Home | undefined> {
  const id = columns['customer_id']
  if (typeof id !== 'number') return Promise.resolve(undefined)
  const scopeOf = (entity: string, alias: string): Sql => {
    const scope = scopeCondition(metadata, user, knownEntity(metadata, entity), alias)
    return scope ? sql`and ${scope}` : sql``
  }
  // The territory is the customer's at this moment and stays, whatever becomes of the customer.
  return once(tx, `home of customer ${id}`, () => tx.first<Home>(sql`
    select t.operating_unit_id, t.territory_id, u.is_active as is_unit_active, r.is_active as is_territory_active from customer t
    left join operating_unit u on u.id = t.operating_unit_id ${scopeOf('operating_unit', 'u')} left join territory r on r.id = t.territory_id ${scopeOf('territory', 'r')}
    where t.id = ${id} ${scopeOf('customer', 't')}`))
}

/** Unit and territory of the customer as references: they came with him. */
async function homeReferences(context: SaveContext, columns: Row): Promise<readonly AskedReferences[]> {
  const home = await homeOf(context, columns)
  if (home === undefined) return []
  const of = (id: number, isActive: boolean | null): ReadonlyMap<number, boolean> => new Map(isActive === null ? [] : [[id, isActive]])
  const { operating_unit_id: unit, territory_id: territory } = home
  return [{
    ids: new Map([['operating_unit', new Set([unit])], ['territory', new Set([territory])]]),
    found: Promise.resolve(new Map([['operating_unit', of(unit, home.is_unit_active)], ['territory', of(territory, home.is_territory_active)]])),
  }]
}

/** The lines as they stand, by wire name and id; a line id that is not of this record is an error. */
async function currentLines(
  context: SaveContext,
  entity: ResolvedEntity,
  before: (Row & { readonly id: number }) | undefined,
  lines: ParsedRecord['lines'],
  errors: FieldProblem[],
): Promise<Map<string, Map<number, Row>>> {
  const { services, tx } = context
  const result = new Map<string, Map<number, Row>>()
  for (const line of entity.lines) {
    const sent = lines[line.wire]
    if (!sent) continue
    const table = knownEntity(services.metadata, line.entity).table
    const order = line.owned ? sql`id` : sql`line_no, id`
    const rows = before ? await tx.rows(sql`select * from ${ident(table)} where ${ident(line.column)} = ${before.id} order by ${order} for update`) : []
    const byId = new Map(rows.map((row) => [Number(row['id']), row]))
    result.set(line.wire, byId)
    for (const [i, part] of sent.entries()) {
      const row = part.id === undefined ? undefined : byId.get(part.id)
      if (part.id !== undefined && row === undefined) errors.push(wrong(`${line.wire}[${i}].ID`, 'NOT_IN_SCOPE.line'))
      // An owned record may be changed on a page of its own as well.
      else if (before && row && part.version !== undefined && row['version'] !== undefined && row['version'] !== part.version) await changedMeanwhile(context, entity, before, row)
    }
  }
  return result
}

function requireValues(
  services: Services,
  entity: ResolvedEntity,
  before: Row | undefined,
  header: Row,
  lines: Readonly<Record<string, readonly SavingLine[]>>,
  computed: ReadonlySet<string>,
  errors: FieldProblem[],
): void {
  const known = new Set(errors.map((error) => error.field))
  const neededOf = (owner: ResolvedEntity, linePrefix: string, given = ''): readonly EntityField[] =>
    owner.fields.filter((field) => !field.readOnly && field.name !== given && !field.nullable && !computed.has(linePrefix + field.name) && field.name !== 'line_no')
  const missing = (needed: readonly EntityField[], row: Row, isNew: boolean, prefix: string): void => {
    for (const field of needed) {
      const value = Object.hasOwn(row, field.name) ? row[field.name] : isNew ? (emptyValue(field) ?? null) : undefined
      if (value === null && !known.has(prefix + field.wire)) errors.push(wrong(prefix + field.wire, 'REQUIRED'))
    }
  }
  missing(neededOf(entity, ''), header, before === undefined, '')
  for (const line of entity.lines) {
    const needed = neededOf(knownEntity(services.metadata, line.entity), 'lines.', line.column)
    lines[line.wire]?.forEach((row, i) => missing(needed, row.columns, row.id === undefined, `${line.wire}[${i}].`))
  }
}

interface NewIds {
  readonly id: number | undefined
  /** By wire name, in the order of the lines. */
  readonly lines: Readonly<Record<string, readonly number[]>>
}

async function newIds(services: Services, tx: Queries, entity: ResolvedEntity, lines: Readonly<Record<string, readonly unknown[]>>): Promise<NewIds> {
  const [[id], ...ofLines] = await Promise.all([
    reserveIds(tx, entity.table, 1),
    ...entity.lines.map((line) => reserveIds(tx, knownEntity(services.metadata, line.entity).table, lines[line.wire]?.length ?? 0)),
  ])
  return { id, lines: Object.fromEntries(entity.lines.map((line, i) => [line.wire, ofLines[i] ?? []])) }
}

async function insertHeader(context: SaveContext, entity: ResolvedEntity, header: Row, id: number | undefined): Promise<number> {
  if (id === undefined) throw new Error(`${entity.id}: no id was given`)
  await insertPending(context.tx, entity.table, [{ ...stamped(context, entity, header, true), id }])
  return id
}

function updateHeader(context: SaveContext, entity: ResolvedEntity, before: Row & { readonly id: number }, header: Row): number {
  const columns = { ...header, ...stamped(context, entity, {}, false), ...(fieldMap(entity).has('version') ? { version: Number(before['version']) + 1 } : {}) }
  const fields = fieldMap(entity)
  changeRow(context.tx, entity.table, before.id, columns, (name, value) => {
    const field = fields.get(name)
    if (!field) throw new Error(`${entity.id} has no column ${name}`)
    return columnValue(field, value)
  })
  return before.id
}

function stamped(context: SaveContext, entity: ResolvedEntity, row: Row, isNew: boolean): Row {
  const fields = fieldMap(entity)
  const now = context.now.toISOString()
  const stamps: Row = { updated_at: now, updated_by: context.user.id, ...(isNew ? { created_at: now, created_by: context.user.id } : {}) }
  return { ...row, ...Object.fromEntries(Object.entries(stamps).filter(([name]) => fields.has(name))) }
}

/** Writes the lines as they shall stand: changes, additions, removals. Returns their ids in order; differences are added to `diff`. */
async function saveLines(
  context: SaveContext,
  entity: ResolvedEntity,
  { entity: lineEntityId, name, column: parentColumn, owned }: EntityLines,
  id: number,
  rows: readonly SavingLine[],
  before: ReadonlyMap<number, Row>,
  diff: Change[] | undefined,
  given: readonly number[] = [],
): Promise<readonly number[]> {
  const lineEntity = knownEntity(context.services.metadata, lineEntityId)
  const table = ident(lineEntity.table)
  const kept = new Set(rows.map((row) => row.id))
  const removed = [...before.keys()].filter((lineId) => !kept.has(lineId))
  if (removed.length > 0) {
    if (owned) await removeOwned(context.tx, lineEntity, removed)
    else context.tx.later(sql`delete from ${table} where id = any(${removed}::bigint[])`)
    const places = [...before.keys()]
    for (const lineId of removed) diff?.push({ field: `${name}[${owned ? places.indexOf(lineId) : Number(before.get(lineId)?.['line_no']) - 1}]`, from: lineContent(context, entity, lineEntity, before.get(lineId) ?? {}), to: null })
  }
  const fields = fieldMap(lineEntity)
  const ids: number[] = []
  const added: { readonly at: number; readonly columns: Row }[] = []
  for (const [i, row] of rows.entries()) {
    const old = row.id === undefined ? undefined : before.get(row.id)
    const columns: Row = owned ? { ...row.columns } : { ...row.columns, line_no: i + 1 }
    if (row.id === undefined || !old) {
      ids.push(0)
      added.push({ at: i, columns: owned ? { ...startOf(lineEntity), ...stamped(context, lineEntity, columns, true) } : columns })
      diff?.push({ field: `${name}[${i}]`, from: null, to: lineContent(context, entity, lineEntity, columns) })
      continue
    }
    ids.push(row.id)
    const changed = Object.entries(columns).filter(([column, value]) => !isSame(old[column], value, fields.get(column)))
    if (changed.length === 0) continue
    if (owned && isTakenOff(old, columns)) await warnOfUses(context, lineEntity, row.id)
    diff?.push(...changesOf(old, Object.fromEntries(changed.filter(([column]) => column !== 'line_no')), fields, `${name}[${i}].`))
    const stamps = owned ? { ...stamped(context, lineEntity, {}, false), ...(fields.has('version') ? { version: Number(old['version']) + 1 } : {}) } : {}
    const sets = [...changed, ...Object.entries(stamps)].map(([column, value]) => {
      const field = fields.get(column)
      if (!field) throw new Error(`${lineEntity.id} has no column ${column}`)
      return sql`${ident(column)} = ${columnValue(field, value)}`
    })
    context.tx.later(sql`update ${table} set ${join(sets)} where id = ${row.id}`)
  }
  // Rows a hook has added have no id yet.
  const ready = added.map((row) => given[row.at])
  const more = await reserveIds(context.tx.ahead, lineEntity.table, ready.filter((lineId) => lineId === undefined).length)
  await insertPending(context.tx, lineEntity.table, added.map((row, i) => {
    const lineId = ready[i] ?? more.shift() ?? 0
    ids[row.at] = lineId
    return Object.assign(row.columns, { id: lineId, [parentColumn]: id })
  }))
  return ids
}

/** What people entered in a line, for the history of one that came or went. */
function lineContent(context: SaveContext, entity: ResolvedEntity, lineEntity: ResolvedEntity, row: Row): Row {
  const computed = new Set(context.services.hooks[hookKey(entity)]?.computed)
  // Who may not read or write a field by himself still leaves behind what stood in it.
  const isEntered = ({ hidden, readOnly, readBy, writeBy }: EntityField): boolean => readBy !== undefined || writeBy !== undefined || (!hidden && !readOnly)
  const fields = lineEntity.fields.filter((field) => isEntered(field) && field.type !== 'json' && field.name !== 'line_no' && !computed.has(`lines.${field.name}`))
  return Object.fromEntries(fields.filter((field) => row[field.name] != null && row[field.name] !== '' && !isSame(row[field.name], field.default, field)).map(({ name }) => [name, row[name]]))
}

/** Values a new owned record starts with; the columns that lines have of themselves it has from its entity. */
function startOf(entity: ResolvedEntity): Row {
  return Object.fromEntries(entity.fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]])))
}

/** Owned records that something else refers to stay: who wants them gone makes them inactive. */
async function removeOwned(tx: Queries, entity: ResolvedEntity, ids: readonly number[]): Promise<void> {
  try {
    await tx.run(sql`delete from ${ident(entity.table)} where id = any(${ids}::bigint[])`)
    await tx.run(sql`set constraints all immediate`)
    await tx.run(sql`set constraints all deferred`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23503') fail('IN_USE.deactivate')
    throw error
  }
}

function isTakenOff(before: Row, after: Row): boolean {
  return before['is_active'] === true && after['is_active'] === false
}

async function assertVersion(context: SaveContext, entity: ResolvedEntity, before: Row & { readonly id: number }, version: number): Promise<void> {
  if (before['version'] !== undefined && before['version'] !== version) await changedMeanwhile(context, entity, before)
}

/** The status a new document has. */
function beginsIn({ workflows }: Metadata, { id }: ResolvedEntity): number {
  return workflows[id]?.begins ?? 0
}

/** Refuses what can no longer be changed; answers what its status restricts. */
function assertEditable(metadata: Metadata, entity: ResolvedEntity, before: Row): Editing | undefined {
  if (before['pending_transition'] != null) {
    fail('PENDING_TRANSITION.action', { action: actionWord(metadata, entity, String(before['pending_transition'])) })
  }
  const status = Number(before['status'])
  const editing = editingIn(metadata.workflows[entity.id]?.editing ?? [], status, before['stage'])
  if (isDocument(entity) && editing === undefined && status !== 0 && status !== 5) fail('ILLEGAL_TRANSITION.ended', { status: statusWord(entity, status) })
  return editing
}

/** In some statuses only some fields may be changed; a form may send the others as they are. */
function assertOpen(entity: ResolvedEntity, before: Row, { columns, lines }: ParsedRecord, { fields = [] }: Editing): void {
  const known = fieldMap(entity)
  const shut = Object.entries(columns).filter(([name, value]) => !fields.includes(name) && !isSame(before[name], value, known.get(name))).map(([name]) => known.get(name)?.wire ?? name)
  const all = [...shut, ...Object.keys(lines)]
  if (all.length > 0) invalid(all.map((field) => wrong(field, 'READ_ONLY.status', { status: statusWord(entity, Number(before['status'])) })))
}

function withAllLines(entity: ResolvedEntity, lines: ParsedRecord['lines']): ParsedRecord['lines'] {
  return { ...Object.fromEntries(entity.lines.map((line) => [line.wire, []])), ...lines }
}

function statusOf(row: Row | undefined): number | null {
  return row?.['status'] === undefined || row['status'] === null ? null : Number(row['status'])
}

function requestOf(context: SaveContext): { readonly requestId?: string } {
  return context.requestId === undefined ? {} : { requestId: context.requestId }
}


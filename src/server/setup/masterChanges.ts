import { compare, isDecimal } from '#base/decimal.ts'
import { wireName } from '#base/wireName.ts'
import { cellValue } from '#domain/importing/cellValue.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import { requireEntityGuard } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import { mayAddTo, withdrawChange } from '#server/approval/changes.ts'
import { openRequestOf, proposalOf } from '#server/approval/proposed.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { fieldMap, knownEntity } from '#server/documents/entities.ts'
import type { DocumentHooks, Saving } from '#server/documents/hooks.ts'
import { hookKey } from '#server/documents/readRecord.ts'
import { updateRecord } from '#server/documents/saveRecord.ts'
import { fail, wrong } from '#server/problemError.ts'
import { labelsOf } from '#server/texts.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'

/** Word of the sheet → entity. */
const kinds: Readonly<Record<string, string>> = {
  CUSTOMER: 'customer', ITEM: 'item', VENDOR: 'business_partner', SALESMAN: 'employee', AREA: 'sales_area', CHANNEL: 'sales_channel', CATEGORY: 'item_category', GROUP: 'customer_group', REASON: 'reason',
  UNIT: 'operating_unit', WAREHOUSE: 'warehouse', VEHICLE: 'vehicle',
}

/** Numbers with a point, days as 31/12/2026 or 2026-12-31: what the sheet says, whatever its other columns are like. */
const form = { decimal: '.', date: 'DMY' } as const

interface Change {
  readonly entity: ResolvedEntity
  readonly record: Row & { readonly id: number }
  readonly field: EntityField
  readonly value: unknown
}

const prepared = new WeakMap<Saving, Change>()

/** One field of one master record, changed only if it still says what the sheet thinks it says. */
export const masterChangeHooks: DocumentHooks = {
  computed: ['record_id'],
  async beforeSave(saving) {
    const { header } = saving
    if (saving.before !== undefined) fail('ILLEGAL_TRANSITION.posted')
    const change = await changeOf(saving)
    if (change === undefined) return
    header['record_id'] = change.record.id
    prepared.set(saving, change)
  },
  async afterSave(saving) {
    const change = prepared.get(saving)
    if (change === undefined) return
    await write(saving.context, change.entity, change.record, change.field, change.value)
  },
  /** Takes the change back, if nobody has changed the value since. */
  async beforeDelete(context, row) {
    const entity = knownEntity(context.metadata, kinds[String(row['entity_kind'])] ?? '')
    const record = await context.tx.first<Row & { id: number }>(sql`select * from ${ident(entity.table)} where id = ${Number(row['record_id'])}`)
    const field = fieldNamed(context, entity, String(row['field_name']))
    if (record === undefined || field === undefined) return
    if (field.approval === true && (await takeBackRequest(context, entity, record, field, row))) return
    if (!(await says(context, field, record[field.name], textOf(row['value_after'])))) fail('ILLEGAL_TRANSITION.changed-since')
    const old = await valueOf(context, field, textOf(row['value_before']))
    // What it named is put out of use since: an empty field is not what it was.
    if (!old.ok) fail('ILLEGAL_TRANSITION.old-value-gone', { value: textOf(row['value_before']) })
    await write(context, entity, record, field, old.value ?? null)
    // What somebody else has approved is not undone without him.
    if (field.approval === true && (await openRequestOf(context.tx, entity, record.id)) !== undefined) fail('ILLEGAL_TRANSITION.approved-since')
  },
}

/** What was asked for and is not decided yet, or was refused, has changed nothing: only the request goes. */
async function takeBackRequest(context: CommandContext, entity: ResolvedEntity, record: Row & { readonly id: number }, field: EntityField, row: Row): Promise<boolean> {
  if (!(await says(context, field, record[field.name], textOf(row['value_before'])))) return false
  const request = await openRequestOf(context.tx, entity, record.id)
  if (request !== undefined && (await proposalOf(context.tx, request.id)).changes.some((change) => change.field === field.name)) await withdrawChange(commandRun(context), entity, record, request.id, field.name)
  return true
}

async function changeOf(saving: Saving): Promise<Change | undefined> {
  const { context, header } = saving
  const entity = knownEntity(context.metadata, kinds[String(header['entity_kind'])] ?? '')
  requireEntityGuard(context.metadata, context.user, entity, 'edit')
  const field = fieldNamed(context, entity, String(header['field_name']))
  if (field === undefined) {
    const choices = editable(context, entity).map(({ name }) => wireName(name))
    return refused(saving, wrong('FieldName', 'NOT_A_CHOICE', { choices }))
  }
  const scope = scopeCondition(context.metadata, context.user, entity, 't')
  const record = await context.tx.first<Row & { id: number }>(sql`
    select t.* from ${ident(entity.table)} t where lower(t.${ident(entity.display[0])}::text) = lower(${String(header['code'])}) ${scope === undefined ? sql`` : sql`and ${scope}`} order by t.id limit 1`)
  if (record === undefined) return refused(saving, wrong('Code', 'NOT_IN_SCOPE'))
  if (!(await says(context, field, record[field.name], textOf(header['value_before'])))) {
    return refused(saving, wrong('ValueBefore', 'INVALID.old-value', { value: await shown(context, field, record[field.name]) }))
  }
  // Saving will ask for approval, with what the same file has asked for of the record already.
  const open = field.approval === true ? await openRequestOf(context.tx, entity, record.id) : undefined
  if (open !== undefined && !mayAddTo(open, context.user, [field])) return refused(saving, wrong('FieldName', 'PENDING_CHANGE'))
  const read = await valueOf(context, field, textOf(header['value_after']))
  if (!read.ok) return refused(saving, wrong('ValueAfter', 'INVALID.new-value', { value: textOf(header['value_after']) }))
  if (read.value === null && field.required) return refused(saving, wrong('ValueAfter', 'REQUIRED'))
  return { entity, record, field, value: read.value }
}

function refused(saving: Saving, problem: Parameters<Saving['problem']>[0]): undefined {
  saving.problem(problem)
  return undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

/** Fields a form could change, too; none with a permission of its own, for the change itself is there for others to read. */
function editable(context: CommandContext, entity: ResolvedEntity): readonly EntityField[] {
  const computed = context instanceof CommandRun ? (context.services.hooks[hookKey(entity)]?.computed ?? []) : []
  const key = new Set([entity.display[0], ...entity.key.flat(), ...Object.values(entity.scope)])
  return entity.fields.filter((field) => !field.readOnly && !field.hidden && field.readBy === undefined && !['id', 'json', 'secret', 'status', 'datetime'].includes(field.type) && !key.has(field.name) && !computed.includes(field.name))
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** By its name, its label in any language, or the head it has in the import of such records. */
function fieldNamed(context: CommandContext, entity: ResolvedEntity, name: string): EntityField | undefined {
  const fields = editable(context, entity)
  const known = fields.find((field) => [field.name, field.name.replace(/_id$/, ''), ...labelsOf(field.label)].some((one) => plain(one) === plain(name)))
  if (known !== undefined) return known
  const sheets = Object.values(context.metadata.screens).flatMap((screen) => (screen.kind === 'import' ? screen.sheets : []))
  const heads = sheets.filter(({ records }) => records[0]?.entity === entity.id).flatMap(({ records, columns }) =>
    columns.filter((column) => plain(column.name) === plain(name)).flatMap(({ targets }) => targets.filter(({ record }) => record === records[0]?.id).map(({ field }) => field)))
  return fields.find((field) => heads.includes(field.name))
}

interface Read {
  readonly ok: boolean
  readonly value?: unknown
}

/** What the text means in the field: a code is looked up, the rest is read as any cell is. */
async function valueOf(context: CommandContext, field: EntityField, text: string): Promise<Read> {
  const read = cellValue(field, text, form, labelsOf)
  if (!read.ok) return { ok: false }
  if (read.value === null || field.entity === undefined) return { ok: true, value: read.value }
  const target = knownEntity(context.metadata, field.entity)
  const active = fieldMap(target).has('is_active') ? sql`and t.is_active` : sql``
  const found = await context.tx.first<{ id: number }>(sql`select t.id from ${ident(target.table)} t where lower(t.${ident(target.display[0])}::text) = lower(${text}) ${active} order by t.id limit 1`)
  return found === undefined ? { ok: false } : { ok: true, value: found.id }
}

/** Does the value read as the sheet says? Numbers by their worth, codes and choices in any case. */
async function says(context: CommandContext, field: EntityField, value: unknown, text: string): Promise<boolean> {
  if (value === null || value === undefined || value === '') return text === ''
  if (field.entity !== undefined) return (await shown(context, field, value)).toLowerCase() === text.toLowerCase()
  const read = cellValue(field, text, form, labelsOf)
  if (!read.ok || read.value === null) return false
  const isNumber = ['quantity', 'money', 'percent', 'rate', 'price', 'cost'].includes(field.type)
  if (isNumber && isDecimal(String(read.value), 6)) return compare(String(read.value), String(value)) === 0
  return JSON.stringify(read.value) === JSON.stringify(value)
}

async function shown(context: CommandContext, field: EntityField, value: unknown): Promise<string> {
  if (value === null || value === undefined) return ''
  if (field.type === 'boolean') return value === true ? 'Y' : 'N'
  if (field.entity === undefined) return Array.isArray(value) ? value.join(';') : String(value)
  const target = knownEntity(context.metadata, field.entity)
  const found = await context.tx.first<{ code: string }>(sql`select t.${ident(target.display[0])}::text as code from ${ident(target.table)} t where t.id = ${Number(value)}`)
  return found?.code ?? ''
}

async function write(context: CommandContext, entity: ResolvedEntity, record: Row & { readonly id: number }, field: EntityField, value: unknown): Promise<void> {
  await updateRecord(commandRun(context), entity, record.id, Number(record['version'] ?? 1), { [wireName(field.name)]: value })
}

function commandRun(context: CommandContext): CommandRun {
  if (!(context instanceof CommandRun)) throw new Error('A master is changed by a command')
  return context
}

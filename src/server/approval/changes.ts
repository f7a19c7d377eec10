import type { FieldProblem } from '#api/problems.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import { changeAction } from '#meta/screenUse.ts'
import { say } from '#meta/sentence.ts'
import { loadUser } from '#server/access/users.ts'
import type { Row, User } from '#server/context.ts'
import { changeRow } from '#server/db/pendingRows.ts'
import { forgetMarks } from '#server/db/remembered.ts'
import { ident, sql } from '#server/db/sql.ts'
import { changesOf, isSame, writeLog } from '#server/documents/audit.ts'
import { checkReferences } from '#server/documents/checkReferences.ts'
import { columnValue } from '#server/documents/columnValue.ts'
import { fieldMap, knownEntity } from '#server/documents/entities.ts'
import type { Saving } from '#server/documents/hooks.ts'
import { hookKey, lockRecord } from '#server/documents/readRecord.ts'
import { brokenRules } from '#server/documents/rules.ts'
import { fail, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { approvedFields, openRequestOf, proposalOf, type OpenRequest, type Proposal, type Proposed, type Text } from './proposed.ts'
import { openRequest, requiredLevels, type ApprovalAsked } from './requestApproval.ts'
import type { Level } from './matrix.ts'
import { settleRequest } from './tell.ts'

/*
 * Fields with `approval`: saving a record keeps their old values and opens a request; the last approval writes the new ones. A new record of an entity
 * whose status knows waiting (4) waits in it as a whole until it is approved. There is no other way to such a field.
 */

/** Saved later, when the record is written: what has to be asked for. */
export interface HeldBack {
  readonly asked: ApprovalAsked
  readonly proposal: Proposal
  readonly levels: readonly Level[]
  /** The open request it takes the place of: the same, with more fields. */
  readonly instead: number | undefined
}

/**
 * Takes out of `header` what somebody else must approve first; what was taken is asked for by `askFor` once the record is written. A new record, or
 * one that was refused before, is set to waiting instead. Undefined: there is nothing to approve.
 */
export async function holdBack(context: CommandRun, entity: ResolvedEntity, before: (Row & { readonly id: number }) | undefined, header: Row, problem: (problem: FieldProblem) => void): Promise<HeldBack | undefined> {
  const fields = approvedFields(entity)
  if (fields.length === 0) return undefined
  // A draft that is only put away is not asked for again.
  const isNew = waits(entity) && (before === undefined || before['status'] === 0) && header['is_active'] !== false
  if (before === undefined && !isNew) return undefined
  const changed = fields.filter((field) => Object.hasOwn(header, field.name) && (isNew || !isSame(before?.[field.name], header[field.name], field)))
  if (changed.length === 0 && !isNew) return undefined
  const open = before && (await openRequestOf(context.tx, entity, before.id))
  if (open !== undefined && !mayAddTo(open, context.user, changed)) {
    for (const field of changed) problem(wrong(field.wire, 'PENDING_CHANGE'))
    return undefined
  }
  const stand: Row = { ...before, ...header }
  const changes: Proposed[] = [...(open?.payload.changes ?? [])]
  for (const field of isNew ? fields : changed) {
    const from = isNew ? null : (before?.[field.name] ?? null)
    const to = stand[field.name] ?? null
    changes.push({ field: field.name, from, to, from_text: await textOf(context, field, from), to_text: await textOf(context, field, to) })
  }
  const proposal = { is_new: isNew, changes }
  const asked = askedFor(entity, proposal)
  const levels = await requiredLevels(context, entity, stand, asked)
  // Nobody has to be asked: it counts at once, also what was refused before.
  if (levels === 'auto') {
    if (isNew) header['status'] = 1
    return undefined
  }
  if (isNew) header['status'] = 4
  else for (const { name } of changed) delete header[name]
  return { asked, proposal, levels, instead: open?.id }
}

/** As long as nobody has spoken about a request, its maker may ask for further fields of the record with it. */
export function mayAddTo({ requested_by: by, is_begun: isBegun, payload }: OpenRequest, user: User, fields: readonly EntityField[]): boolean {
  return by === user.id && !isBegun && !payload.is_new && !payload.changes.some((change) => fields.some(({ name }) => name === change.field))
}

function askedFor(entity: ResolvedEntity, proposal: Proposal): ApprovalAsked {
  return {
    amount: '0', action: changeAction, payload: { ...proposal },
    reasons: proposal.is_new ? [{ code: 'NEW', ...tell('block.NEW'), value: null }] : proposal.changes.map((change) => reasonOf(entity, change)),
  }
}

/** Opens the request for what was held back of a record that is now written. */
export async function askFor(context: CommandRun, entity: ResolvedEntity, current: Row & { readonly id: number }, { asked, proposal, levels, instead }: HeldBack): Promise<void> {
  if (instead !== undefined) await closeRequest(context, instead)
  const more = proposal.is_new ? await context.services.hooks[hookKey(entity)]?.newReasons?.(context.tx, current.id) : undefined
  await openRequest(context, entity, current, { ...asked, reasons: [...asked.reasons, ...(more ?? [])] }, levels)
  // What a new record holds stands where it was created.
  const diff = proposal.is_new ? [] : proposal.changes.map(({ field, from, to }) => ({ field, from, to }))
  await writeLog(context.tx, { docType: entity.id, docId: current.id, at: context.now.toISOString(), actorId: context.user.id, action: `ask-${changeAction}`, diff })
}

/** The last approval: the values asked for are written, or the new record counts. Refused when what they replace is no longer there. */
export async function makeChanges(run: CommandRun, request: { readonly id: number; readonly doc_type: string; readonly doc_id: number; readonly requested_by: number }, note: string | null, onBehalfOfId: number | undefined): Promise<void> {
  const entity = knownEntity(run.services.metadata, request.doc_type)
  const record = await lockRecord(run.services, run.tx, undefined, entity, request.doc_id)
  const { is_new: isNew, changes } = await proposalOf(run.tx, request.id)
  const columns: Row = {}
  if (isNew) {
    if (record['status'] !== 4) fail('VERSION_CONFLICT.changed-since', { field: { key: 'field.status' } })
    columns['status'] = 1
  } else {
    for (const change of changes) {
      const field = fieldMap(entity).get(change.field)
      if (field?.approval !== true || !isSame(record[change.field], change.from, field)) fail('VERSION_CONFLICT.changed-since', { field: { key: field?.label ?? `field.${change.field}` } })
      columns[change.field] = change.to
    }
  }
  await assertStillRight(run, entity, isNew ? undefined : record, record, columns, request.requested_by)
  await write(run, entity, record, columns, { action: changeAction, note, onBehalfOfId })
}

/**
 * Between asking and deciding the world goes on: what is written now must keep the rules now. References are those its maker may choose.
 * `before`: undefined of a record that has waited as a whole.
 */
async function assertStillRight(run: CommandRun, entity: ResolvedEntity, before: Row | undefined, record: Row & { readonly id: number }, columns: Row, makerId: number): Promise<void> {
  const { services, tx } = run
  const errors: FieldProblem[] = []
  const header = before === undefined ? { ...record, ...columns } : columns
  const maker = (await loadUser(tx, makerId)) ?? run.user
  errors.push(...(await checkReferences({ services, tx, user: maker, entity, before, header, lines: {} }, new Map())))
  const saving: Saving = { context: run, before: record, header: columns, lines: undefined, extra: {}, problem: (problem) => void errors.push(problem), changed: () => undefined }
  await services.hooks[hookKey(entity)]?.beforeSave?.(saving)
  errors.push(...(await brokenRules(run, entity, record, columns, {})))
  if (errors.length === 0) return
  const where = errors.map(({ field, key, params }) => say('problem.VALIDATION_FAILED.field', {
    field: { key: entity.fields.find(({ wire }) => wire === field)?.label ?? `field.${field}` }, reason: { key, ...(params === undefined ? {} : { params }) },
  }))
  fail('VALIDATION_FAILED.change', { where })
}

/** Refused, given back or withdrawn: values stay as they are; a new record becomes a draft again. */
export async function dropChanges(run: CommandRun, request: { readonly id: number; readonly doc_type: string; readonly doc_id: number }, action: string, note: string | null, onBehalfOfId?: number): Promise<void> {
  const entity = knownEntity(run.services.metadata, request.doc_type)
  const record = await lockRecord(run.services, run.tx, undefined, entity, request.doc_id)
  const { is_new: isNew } = await proposalOf(run.tx, request.id)
  await write(run, entity, record, isNew && record['status'] === 4 ? { status: 0 } : {}, { action: `${action}-${changeAction}`, note, onBehalfOfId })
}

/** Its maker takes a request back. */
export async function withdrawChanges(run: CommandRun, requestId: number): Promise<void> {
  const request = await run.tx.first<{ id: number; doc_type: string; doc_id: number; requested_by: number; status: number; transition: string }>(
    sql`select id, doc_type, doc_id, requested_by, status, transition from approval_request where id = ${requestId} for update`)
  if (!request || request.transition !== changeAction || request.requested_by !== run.user.id) return fail('NOT_IN_SCOPE.request')
  if (request.status !== 4) return fail('ILLEGAL_TRANSITION.decided', { status: { key: request.status === 1 ? 'done.request.1' : request.status === 5 ? 'done.request.5' : 'done.request.6' } })
  await closeRequest(run, requestId)
  await dropChanges(run, request, 'recall', null)
}

/** Its maker takes one field back out of a request; the others go on waiting. */
export async function withdrawChange(run: CommandRun, entity: ResolvedEntity, record: Row & { readonly id: number }, requestId: number, field: string): Promise<void> {
  const { changes } = await proposalOf(run.tx, requestId)
  await withdrawChanges(run, requestId)
  const rest = changes.filter((change) => change.field !== field)
  if (rest.length === 0) return
  const proposal = { is_new: false, changes: rest }
  const asked = askedFor(entity, proposal)
  const levels = await requiredLevels(run, entity, record, asked)
  if (levels !== 'auto') await askFor(run, entity, record, { asked, proposal, levels, instead: undefined })
}

/** The record goes: nobody needs to decide any more. */
export async function forgetChanges(run: CommandRun, entity: ResolvedEntity, id: number): Promise<void> {
  if (approvedFields(entity).length === 0) return
  const request = await openRequestOf(run.tx, entity, id)
  if (request) await closeRequest(run, request.id)
}

async function closeRequest(run: CommandRun, requestId: number): Promise<void> {
  await run.tx.run(sql`update approval_request set status = 6, decided_at = ${run.now.toISOString()}, version = version + 1 where id = ${requestId}`)
  await settleRequest(run.tx, run.now, requestId)
}

/** Does a new record wait as a whole? */
function waits(entity: ResolvedEntity): boolean {
  const states = fieldMap(entity).get('status')?.choices?.map(({ value }) => value) ?? []
  return [0, 1, 4].every((state) => states.includes(state))
}

function reasonOf(entity: ResolvedEntity, { field, from_text: from, to_text: to }: Proposed) {
  const label = fieldMap(entity).get(field)?.label ?? `field.${field}`
  const word = (text: Text | null) => (text === null ? '–' : text.key === undefined ? text.text : { key: text.key })
  return { code: field.replace(/_id$/, '').toUpperCase(), ...tell('block.CHANGE', { field: { key: label }, from: word(from), to: word(to) }), value: null }
}

/** A value as people read it: code and name of what is referred to, the word of a choice. */
async function textOf(context: CommandRun, field: EntityField, value: unknown): Promise<Text | null> {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return { text: value ? 'Yes' : 'No', key: value ? 'ui.yes' : 'ui.no' }
  const choice = field.choices?.find((one) => one.value === value)
  if (choice !== undefined) return { text: String(value), key: choice.label }
  if (field.type !== 'ref' || field.entity === undefined) return { text: String(value) }
  const target = knownEntity(context.services.metadata, field.entity)
  const [code, name] = target.display
  const row = await context.tx.first<{ code: string; name: string }>(sql`select ${ident(code)}::text as code, ${ident(name)}::text as name from ${ident(target.table)} where id = ${value}`)
  return { text: row === undefined ? String(value) : row.code === row.name ? row.code : `${row.code} · ${row.name}` }
}

interface Said {
  readonly action: string
  readonly note: string | null
  readonly onBehalfOfId: number | undefined
}

async function write(run: CommandRun, entity: ResolvedEntity, record: Row & { readonly id: number }, columns: Row, { action, note, onBehalfOfId }: Said): Promise<void> {
  const fields = fieldMap(entity)
  const now = run.now.toISOString()
  if (Object.keys(columns).length > 0) {
    const stamps: Row = { version: Number(record['version'] ?? 0) + 1, updated_at: now, updated_by: run.user.id }
    const all = Object.fromEntries(Object.entries({ ...columns, ...stamps }).filter(([name]) => fields.has(name)))
    changeRow(run.tx, entity.table, record.id, all, (name, value) => {
      const field = fields.get(name)
      return field ? columnValue(field, value) : value
    })
    forgetMarks(run.tx)
  }
  const from = typeof record['status'] === 'number' ? record['status'] : null
  await writeLog(run.tx, {
    docType: entity.id, docId: record.id, at: now, actorId: run.user.id, onBehalfOfId, action, fromStatus: from, toStatus: typeof columns['status'] === 'number' ? columns['status'] : from, note,
    diff: changesOf(record, columns, fields), ...(run.requestId === undefined ? {} : { requestId: run.requestId }),
  })
}

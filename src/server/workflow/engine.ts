import type { DateText } from '#base/date.ts'
import { isDate } from '#base/date.ts'
import { isUnseen } from '#base/unseen.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Worded } from '#api/problems.ts'
import type { ResolvedEntity, Transition } from '#meta/resolved.ts'
import { hasTransition, requireTransition } from '#server/access/guards.ts'
import type { CommandContext, Queries, Row, TransitionContext, User } from '#server/context.ts'
import { changeRow } from '#server/db/pendingRows.ts'
import { sql } from '#server/db/sql.ts'
import { changesOf, writeLog } from '#server/documents/audit.ts'
import { fieldMap } from '#server/documents/entities.ts'
import { checkParams } from '#server/documents/checkReferences.ts'
import { changedMeanwhile } from '#server/documents/changedMeanwhile.ts'
import { lockRecord, requireWhole } from '#server/documents/readRecord.ts'
import { statusWord } from '#server/documents/statusNames.ts'
import { columnValue } from '#server/documents/columnValue.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { actionWord } from './actionWord.ts'
import type { CommandRun } from './commandRun.ts'
import { existsFor } from './existing.ts'
import { warnOfFarValues } from './farValues.ts'
import { followUpOf } from './followUp.ts'
import { counterOf, numberFor } from './numbering.ts'
import { checkRulesAt } from './rulesAt.ts'
import type { PeriodModule } from '#meta/resolved.ts'

export interface TransitionRequest {
  readonly entity: ResolvedEntity
  readonly id: number
  readonly action: string
  /** Reason, note and params by column name. */
  readonly input: Row
  /** Version the user has seen; refused when the record has moved on. */
  readonly version?: number | undefined
  /** No guard, no scope: another document or the approval engine acts. */
  readonly asSystem: boolean
  /** The history names him beside the user, who acts as his deputy. */
  readonly onBehalfOfId?: number | undefined
  /** An approval that nobody had to give: the history says so, for it names whoever took the step before. */
  readonly isUnasked?: boolean
  /** What the history says in place of the note: an approver's reason with it. */
  readonly said?: string | null
}

/**
 * Takes one action of a document's workflow inside the transaction of `run`: lock, scope, version, guard, status, reason, preconditions,
 * number, effects, status change, history; then what the effects asked to follow. Any refusal throws and leaves nothing. Returns the header.
 */
export async function runTransition(run: CommandRun, request: TransitionRequest): Promise<Row & { readonly id: number }> {
  const { services, user } = run
  const { entity, id } = request
  const offered = offeredTransitions(run, request)
  if (offered.length === 0) fail('NOT_FOUND.action')
  const [first] = offered
  if (!request.asSystem && first && !offered.some((transition) => hasTransition(services.metadata, user, entity, transition))) requireTransition(services.metadata, user, entity, first)

  const record = await lockRecord(services, run.tx, request.asSystem ? undefined : user, entity, id)
  if (!request.asSystem) await requireWhole(services, run.tx, user, entity, id)
  return take(run, request, record)
}

/** The action, on a record that is locked. */
async function take(run: CommandRun, request: TransitionRequest, record: Row & { readonly id: number }): Promise<Row & { readonly id: number }> {
  const { services, user } = run
  const { entity, id, action } = request
  const offered = offeredTransitions(run, request)
  if (request.version !== undefined && record['version'] !== request.version) await changedMeanwhile(run, entity, record)
  if (record['pending_transition'] != null && !request.asSystem) {
    fail('PENDING_TRANSITION.action', { action: actionWord(services.metadata, entity, String(record['pending_transition'])) })
  }
  const existing = offered.filter((candidate) => existsFor(candidate, record, user, run.today))
  if (existing.length === 0) fail('ILLEGAL_TRANSITION.not-for-this', { action: actionWord(services.metadata, entity, action) })
  const transition = existing.find((candidate) => candidate.from.includes(Number(record['status'])))
  if (!transition) {
    const from = [...new Set(existing.flatMap((candidate) => candidate.from))].map((status) => statusWord(entity, status))
    return fail('ILLEGAL_TRANSITION.status', { status: statusWord(entity, record['status']), action: actionWord(services.metadata, entity, action), from })
  }
  if (!request.asSystem) requireTransition(services.metadata, user, entity, transition)
  await checkReason(run, transition, request)
  if (!request.asSystem) await checkParams(run, transition.params, request.input)

  const context = new TransitionRun(run, entity, transition, record, request)
  const hasColumn = (name: string): boolean => fieldMap(entity).has(name)
  if (hasColumn('reason_id') && (request.input['reason_id'] != null || request.input['reason_text'] != null)) {
    // Where the text is a field to be filled in, it says why somebody asks: who decides leaves it as it is.
    const isAsked = fieldMap(entity).get('reason_text')?.required === true
    context.set({ reason_id: request.input['reason_id'] ?? null, ...(isAsked ? {} : { reason_text: request.input['reason_text'] ?? null }) })
  }
  if (transition.keeps === true) context.set(Object.fromEntries(transition.params.filter(({ name }) => hasColumn(name)).map(({ name }) => [name, request.input[name] ?? null])))
  // What the record itself must keep to comes first: preconditions go by it.
  await checkRulesAt(context)
  for (const name of transition.preconditions) await implementation(services.preconditions, name)(context)
  for (const name of transition.effects) implementation(services.effects, name).first?.(context)
  if (entity.series !== undefined && record['code'] == null && entity.base === 'document' && transition.to !== 6) {
    const date = context.current['posting_date'] ?? context.current['doc_date']
    const draw = await counterOf(run.tx, entity.series, Number(record['operating_unit_id']), isDate(date) ? date : run.today)
    const number = numberFor(run.tx, entity.id, id, () => draw())
    // Refused while something else fails: nobody would be waiting for it.
    number.catch(() => undefined)
    for (const name of transition.effects) implementation(services.effects, name).ahead?.(context)
    context.set({ code: await number })
  }
  for (const name of transition.effects) await implementation(services.effects, name)(context)
  await warnOfFarValues(context)

  const saved = await write(context, hasColumn, request)
  for (const other of context.followers) await context.transition(other.entity, other.id, other.action)
  const next = followUpOf(context)
  // The row is ours and known: it need not be read again, nor written twice.
  return next === undefined ? saved : take(run, { entity, id, action: next, input: {}, asSystem: true, isUnasked: true }, saved)
}

function offeredTransitions({ services }: CommandRun, { entity, action, asSystem }: TransitionRequest): readonly Transition[] {
  return (services.metadata.workflows[entity.id]?.transitions ?? []).filter((transition) => transition.action === action && (asSystem || !transition.system))
}

/** Asks a transition's preconditions of a record under lock; throws what the first of them refuses. Nothing is written. */
export async function checkPreconditions(run: CommandRun, entity: ResolvedEntity, transition: Transition, record: Row & { readonly id: number }): Promise<void> {
  const context = new TransitionRun(run, entity, transition, record, { input: {} })
  for (const name of transition.preconditions) await implementation(run.services.preconditions, name)(context)
}

async function write(context: TransitionRun, hasColumn: (name: string) => boolean, { onBehalfOfId, isUnasked = false, said }: TransitionRequest): Promise<Row & { readonly id: number }> {
  const { run, entity, action, record } = context
  const now = run.now.toISOString()
  const from = Number(record['status'])
  const to = context.endStatus ?? action.to
  const stamps: Row = { status: to, version: Number(record['version'] ?? 0) + 1, updated_at: now, updated_by: run.user.id }
  if (from === 0 && to !== 0 && to !== 6) Object.assign(stamps, { submitted_at: now, submitted_by: run.user.id })
  if (action.action === 'approve' || (from === 0 && to === 1)) Object.assign(stamps, { approved_at: now, approved_by: run.user.id })
  if (to === 6 || to === 7) Object.assign(stamps, { cancelled_at: now, cancelled_by: run.user.id })
  const columns = Object.entries({ ...stamps, ...context.changes }).filter(([name]) => hasColumn(name))
  const fields = fieldMap(entity)
  changeRow(run.tx, entity.table, record.id, Object.fromEntries(columns), (name, value) => {
    const field = fields.get(name)
    return field ? columnValue(field, value) : value
  })
  await writeLog(run.tx, {
    docType: entity.id, docId: record.id, at: now, actorId: run.user.id, onBehalfOfId, action: isUnasked ? `${action.action}-unasked` : action.action, fromStatus: from, toStatus: to,
    note: said ?? noteOf(context.input), diff: changesOf(record, context.changes, fields), ...(run.requestId === undefined ? {} : { requestId: run.requestId }),
  })
  return { ...record, ...Object.fromEntries(columns), id: record.id }
}

function noteOf(input: Row): string | null {
  const parts = [input['reason_text'], input['note']].filter((part) => typeof part === 'string' && part !== '')
  return parts.length === 0 ? null : parts.join(' ')
}

async function checkReason(run: CommandRun, transition: Transition, request: TransitionRequest): Promise<void> {
  const { input } = request
  const reasonId = input['reason_id']
  const text = [input['reason_text'], input['note']].find((part) => typeof part === 'string' && !isUnseen(part))
  if (transition.reason === 'required' && reasonId == null && text === undefined && !request.asSystem) {
    invalid([wrong('ReasonID', 'REQUIRED.reason')])
  }
  if (reasonId == null) return
  const reason = await run.tx.first(sql`
    select usage, needs_note, is_active, needs_attachment and not exists (select 1 from attachment a where a.purpose = 'DOCUMENT' and a.doc_type = ${request.entity.id} and a.doc_id = ${request.id}) as lacks_file
    from reason where id = ${reasonId}`)
  if (!reason || reason['is_active'] !== true || (transition.reasonUsage !== undefined && reason['usage'] !== transition.reasonUsage && !request.asSystem)) {
    invalid([wrong('ReasonID', 'NOT_A_CHOICE.reason')])
  }
  if (reason?.['needs_note'] === true && text === undefined) invalid([wrong('Note', 'REQUIRED.reason-note')])
  if (reason?.['lacks_file'] === true) invalid([wrong('ReasonID', 'REQUIRED.reason-file')])
}

function implementation<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined
  if (found === undefined) throw new Error(`Nothing implements ${name}`)
  return found
}

class TransitionRun implements TransitionContext {
  readonly run: CommandRun
  readonly entity: ResolvedEntity
  readonly action: Transition
  readonly record: Row & { readonly id: number }
  readonly input: Row
  readonly isUnasked: boolean
  #changes: Row = {}
  #current: (Row & { readonly id: number }) | undefined
  endStatus: number | undefined
  readonly followers: { readonly entity: string; readonly id: number; readonly action: string }[] = []

  constructor(run: CommandRun, entity: ResolvedEntity, action: Transition, record: Row & { readonly id: number }, { input, isUnasked = false }: Pick<TransitionRequest, 'input' | 'isUnasked'>) {
    this.run = run
    this.entity = entity
    this.action = action
    this.record = record
    this.input = input
    this.isUnasked = isUnasked
  }

  get tx(): Queries {
    return this.run.tx
  }

  get metadata(): Metadata {
    return this.run.metadata
  }

  get user(): User {
    return this.run.user
  }

  get today(): DateText {
    return this.run.today
  }

  get now(): Date {
    return this.run.now
  }

  get acknowledged(): ReadonlySet<string> {
    return this.run.acknowledged
  }

  get source(): 'IMPORT' | undefined {
    return this.run.source
  }

  get changes(): Row {
    return this.#changes
  }

  get current(): Row & { readonly id: number } {
    return (this.#current ??= { ...this.record, ...this.#changes, id: this.record.id })
  }

  set(columns: Row): void {
    const fields = fieldMap(this.entity)
    const unknown = Object.keys(columns).find((name) => !fields.has(name))
    if (unknown !== undefined) throw new Error(`${this.entity.id} has no column ${unknown}`)
    this.#changes = { ...this.#changes, ...columns }
    this.#current = undefined
  }

  endIn(status: number): void {
    this.endStatus = status
  }

  followedBy(entity: string, id: number, action: string): void {
    this.followers.push({ entity, id, action })
  }

  warn(id: string, code: string, sentence: Worded): void {
    this.run.warn(id, code, sentence)
  }

  isWarned(code: string): boolean {
    return this.run.isWarned(code)
  }

  tellMade(entity: string, id: number): void {
    this.run.tellMade(entity, id)
  }

  apart<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
    return this.run.apart(work)
  }

  transition(entity: string, id: number, action: string, input?: Row): ReturnType<CommandContext['transition']> {
    return this.run.transition(entity, id, action, input)
  }

  nextNumber(series: string, operatingUnitId: number, date: DateText): Promise<string> {
    return this.run.nextNumber(series, operatingUnitId, date)
  }

  assertPeriodOpen(modules: readonly PeriodModule[], operatingUnitId: number, date: DateText): Promise<void> {
    return this.run.assertPeriodOpen(modules, operatingUnitId, date)
  }
}

import { isUnseen } from '#base/unseen.ts'
import type { ApprovalFact, Decision } from '#api/approval.ts'
import { changeAction } from '#meta/screenUse.ts'
import { requireQueue } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { sql, ident } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { runTransition } from '#server/workflow/engine.ts'
import { dropChanges, makeChanges } from './changes.ts'
import { cutLines } from './cuts.ts'
import { isSelfApprovalAllowed, makersColumn, namesOfSteps, turnOf, voicesOf, whyNot, type Spoken } from './deputies.ts'
import { factsNow } from './facts.ts'
import { dueAfter, type Level, type Step } from './matrix.ts'
import { settleRequest, tellApprovers, tellMaker, tellRepresented } from './tell.ts'
import { warnOfWorse } from './worsened.ts'

/** How a request ended, by its status. */
const decidedWords: Readonly<Record<number, string>> = { 1: 'done.request.1', 5: 'done.request.5', 6: 'done.request.6' }

interface RequestRow extends Row {
  readonly id: number
  readonly doc_type: string
  readonly doc_id: number
  readonly doc_code: string
  readonly transition: string
  readonly current_level: number
  readonly max_level: number
  readonly levels: readonly Level[]
  readonly status: number
  /** Absent from requests older than they were kept. */
  readonly facts: readonly ApprovalFact[] | null
  readonly requested_by: number
  readonly makers: readonly number[]
  readonly operating_unit_id: number
  readonly territory_id: number | null
}

export interface Decided {
  readonly isFinal: boolean
  /** Approved, but the level asks others as well. */
  readonly isLevelDone: boolean
}

/**
 * One approver's decision. Approval of the last level takes the document's action; a rejection or return takes its `reject` or `return`,
 * or, for a pending reversal, only lifts the mark. No maker ever decides; a deputy decides in the name of somebody whose turn it is.
 */
export async function decide(run: CommandRun, requestId: number, decision: Decision, input: Row): Promise<Decided> {
  const { services, tx, user } = run
  const requests = knownEntity(services.metadata, 'approval_request')
  const scope = scopeCondition(services.metadata, user, requests, 't')
  const request = await tx.first<RequestRow>(sql`select t.*, ${makersColumn} from approval_request t where t.id = ${requestId} ${scope ? sql`and ${scope}` : sql``} for update`)
  if (!request) fail('NOT_IN_SCOPE.request')
  requireQueue(services.metadata, user, knownEntity(services.metadata, request.doc_type), request.transition)
  if (request.status !== 4) fail('ILLEGAL_TRANSITION.decided', { status: { key: decidedWords[request.status] ?? 'done.request.6' } })
  const level = request.levels[request.current_level - 1]
  if (!level) throw new Error(`approval_request ${requestId} has no level ${request.current_level}`)
  const [voices, spoken, mayDecideOwn] = await Promise.all([voicesOf(tx, user, run.today), spokenOf(tx, requestId), isSelfApprovalAllowed(tx)])
  const turn = turnOf(services.metadata, voices, { ...request, spoken }, mayDecideOwn)
  if (!turn) return refuse(tx, request, level, user, spoken, mayDecideOwn)
  const { voice, steps: mine } = turn
  const onBehalfOf = voice.docTypes === undefined ? undefined : voice.user
  const note = await whyOf(tx, input)
  if (decision === 'reject' && note === null) invalid([wrong('ReasonID', 'REQUIRED.reject')])
  if (decision === 'return' && note === null) invalid([wrong('Note', 'REQUIRED.return')])

  const now = run.now.toISOString()
  await tx.run(sql`
    insert into approval_action (request_id, level, actor_id, action, note, at, on_behalf_of_id)
    values (${requestId}, ${level.level}, ${user.id}, ${decision.toUpperCase()}, ${note}, ${now}, ${onBehalfOf?.id ?? null})`)
  if (onBehalfOf) await tellRepresented(tx, services.metadata, run.now, request, decision, { by: user, principal: onBehalfOf })
  const numbers = await factsNow(tx, services.metadata, request, run.today)
  const facts = JSON.stringify(numbers)
  if (decision !== 'approve') {
    await tx.run(sql`update approval_request set status = ${decision === 'reject' ? 5 : 6}, decided_at = ${now}, decided_facts = ${facts}::jsonb, version = version + 1 where id = ${requestId}`)
    if (request.transition === 'approve') await runTransition(run, { ...requestOf(run, request, decision, input), onBehalfOfId: onBehalfOf?.id, said: note })
    else if (request.transition === changeAction) await dropChanges(run, request, decision, note, onBehalfOf?.id)
    else await liftPending(run, request, decision, note, onBehalfOf?.id)
    await settleRequest(tx, run.now, requestId)
    await tellMaker(tx, services.metadata, run.now, request, decision, user)
    return { isFinal: true, isLevelDone: true }
  }
  await cutLines(run, request, input, onBehalfOf?.id)
  if (request.facts !== null) warnOfWorse(run, request.facts, numbers)
  const steps: readonly Step[] = level.steps.map((step) => (mine.includes(step) ? { ...step, approvedBy: [...new Set([...step.approvedBy, voice.user.id])] } : step))
  const levels = request.levels.map((other) => (other === level ? { ...level, steps } : other))
  const isDone = await isSatisfied(tx, request, steps)
  const isFinal = isDone && request.current_level >= request.max_level
  await tx.run(sql`
    update approval_request set levels = ${JSON.stringify(levels)}::jsonb, version = version + 1,
      current_level = ${isDone && !isFinal ? request.current_level + 1 : request.current_level},
      status = ${isFinal ? 1 : 4}, decided_at = ${isFinal ? now : null}, decided_facts = ${isFinal ? facts : null}::jsonb,
      due_at = case when ${isDone && !isFinal} then ${dueAfter(run.now, levels[request.current_level])}::timestamptz else due_at end
    where id = ${requestId}`)
  // Whoever was asked for a level that is over, and whoever has spoken, has nothing left to do.
  await settleRequest(tx, run.now, requestId, isDone ? undefined : user.id)
  if (!isDone && onBehalfOf) await settleRequest(tx, run.now, requestId, onBehalfOf.id)
  if (!isFinal) {
    await writeLog(tx, { docType: request.doc_type, docId: request.doc_id, at: now, actorId: user.id, onBehalfOfId: onBehalfOf?.id, action: 'approve-level', note })
  }
  if (isDone && !isFinal) await tellApprovers(tx, services.metadata, run, request, levels[request.current_level], await nameOf(tx, request.requested_by))
  if (isFinal) {
    const entity = knownEntity(services.metadata, request.doc_type)
    if (request.transition === changeAction) {
      await makeChanges(run, request, note, onBehalfOf?.id)
      await tellMaker(tx, services.metadata, run.now, request, 'approve', user)
      return { isFinal, isLevelDone: isDone }
    }
    if (request.transition !== 'approve') await tx.run(sql`update ${ident(entity.table)} set pending_transition = null where id = ${request.doc_id}`)
    await runTransition(run, { ...requestOf(run, request, request.transition, input), onBehalfOfId: onBehalfOf?.id })
    await tellMaker(tx, services.metadata, run.now, request, 'approve', user)
  }
  return { isFinal, isLevelDone: isDone }
}

/** The reason chosen and what was said beside it: one sentence for whoever reads what has become of the request. */
async function whyOf(tx: Queries, input: Row): Promise<string | null> {
  const { reason_id: reasonId } = input
  const reason = typeof reasonId === 'number' ? await tx.first<{ name: string }>(sql`select name from reason where id = ${reasonId}`) : undefined
  const parts = [reason?.name, input['reason_text'], input['note']].flatMap((part) => (typeof part === 'string' && !isUnseen(part) ? [part.trim()] : []))
  return parts.length === 0 ? null : parts.join(': ')
}

async function nameOf(tx: Queries, userId: number): Promise<string> {
  return (await tx.first<{ name: string }>(sql`select name from app_user where id = ${userId}`))?.name ?? ''
}

/** Says why it is not this user's turn. */
async function refuse(tx: Queries, request: RequestRow, level: Level, user: User, spoken: readonly Spoken[], mayDecideOwn: boolean): Promise<never> {
  const why = whyNot({ ...request, spoken }, user.id, mayDecideOwn)
  if (why === 'MAKER') fail(request.requested_by === user.id ? 'SELF_APPROVAL' : 'SELF_APPROVAL.entered')
  if (why === 'SPOKEN') fail('NOT_YOUR_LEVEL.twice', { level: request.current_level, levels: request.max_level })
  return fail('NOT_YOUR_LEVEL.level', { level: request.current_level, levels: request.max_level, roles: await namesOfSteps(tx, level.steps) })
}

/** Who has approved a request so far, and for whom. */
function spokenOf(tx: Queries, requestId: number): Promise<Spoken[]> {
  return tx.rows<Spoken & Row>(sql`select actor_id, on_behalf_of_id from approval_action where request_id = ${requestId} and action = 'APPROVE' order by id`)
}

/** ANY: one approval of each step; ALL: everybody who could give one and is no maker. */
async function isSatisfied(tx: Queries, request: RequestRow, steps: readonly Step[]): Promise<boolean> {
  for (const step of steps) {
    if (step.approvedBy.length === 0) return false
    if (step.mode === 'ANY' || step.kind === 'USER') continue
    const everyone = await tx.rows<{ id: number }>(
      step.kind === 'ROLE'
        ? sql`select u.id from app_user u join role r on r.id = u.role_id where r.code = ${step.ref} and u.is_active and (not u.territory_scope
            or exists (select 1 from user_territory ut where ut.user_id = u.id and (ut.territory_id = ${request.territory_id} or (${request.territory_id}::bigint is null and ut.operating_unit_id = ${request.operating_unit_id}))))`
        : sql`select u.id from app_user u join employee e on e.work_number = u.work_number where e.position = ${step.ref} and u.is_active and e.is_active`,
    )
    if (everyone.some(({ id }) => !request.makers.includes(id) && !step.approvedBy.includes(id))) return false
  }
  return true
}

async function liftPending(run: CommandRun, request: RequestRow, decision: Decision, note: string | null, onBehalfOfId: number | undefined): Promise<void> {
  const entity = knownEntity(run.services.metadata, request.doc_type)
  const now = run.now.toISOString()
  await run.tx.run(sql`
    update ${ident(entity.table)} set pending_transition = null, version = version + 1, updated_at = ${now}, updated_by = ${run.user.id} where id = ${request.doc_id}`)
  await writeLog(run.tx, { docType: entity.id, docId: request.doc_id, at: now, actorId: run.user.id, onBehalfOfId, action: `${decision}-${request.transition}`, note })
}

function requestOf(run: CommandRun, request: RequestRow, action: string, input: Row) {
  return { entity: knownEntity(run.services.metadata, request.doc_type), id: request.doc_id, action, input, asSystem: true }
}

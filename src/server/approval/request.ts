import type { ApprovalFact, ApprovalReason, ApprovalRequestAnswer, ApprovalStep, ApproverNeeded } from '#api/approval.ts'
import { changeAction } from '#meta/screenUse.ts'
import { requireQueue } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { fail } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { shownChanges, type Proposal } from './proposed.ts'
import { namesOfSteps } from './deputies.ts'
import { factsNow } from './facts.ts'
import type { Level } from './matrix.ts'
import { reasonsNow } from './reasonsNow.ts'

interface RequestRow extends Row {
  readonly id: number
  readonly doc_type: string
  readonly doc_id: number
  readonly transition: string
  readonly status: number
  readonly current_level: number
  readonly levels: readonly Level[]
  readonly reasons: readonly ApprovalReason[]
  readonly facts: readonly ApprovalFact[] | null
  readonly decided_facts: readonly ApprovalFact[] | null
  readonly payload: Proposal | null
}

/** What a decision rests on: numbers when it was asked and now, what has happened so far, and whose word is needed. Refused like its queue. */
export async function approvalRequest(services: Services, queries: Queries, user: User, id: number): Promise<ApprovalRequestAnswer> {
  const scope = scopeCondition(services.metadata, user, knownEntity(services.metadata, 'approval_request'), 't')
  const request = await queries.first<RequestRow>(sql`
    select t.id, t.doc_type, t.doc_id, t.transition, t.status, t.current_level, t.levels, t.reasons, t.facts, t.decided_facts, t.payload from approval_request t where t.id = ${id} ${scope ? sql`and ${scope}` : sql``}`)
  if (!request) return fail('NOT_IN_SCOPE.request')
  const entity = knownEntity(services.metadata, request.doc_type)
  requireQueue(services.metadata, user, entity, request.transition)
  const isOpen = request.status === 4
  const changes = request.transition === changeAction && request.payload !== null ? shownChanges(entity, request.payload.changes) : []
  const today = services.clock.today()
  const [reasons, now, steps, approvers] = await Promise.all([
    isOpen ? reasonsNow(queries, request, today) : [],
    isOpen ? factsNow(queries, services.metadata, request, today) : (request.decided_facts ?? []),
    stepsOf(queries, request),
    isOpen ? approversOf(queries, request) : [],
  ])
  return { ID: request.id, Changes: changes, ReasonsNow: reasons, FactsAsked: request.facts ?? [], FactsNow: now, Steps: steps, Approvers: approvers }
}

interface StepRow extends Row {
  readonly action: ApprovalStep['Action']
  readonly level: number
  readonly actor: string
  readonly on_behalf_of: string | null
  readonly at: string
  readonly note: string | null
}

async function stepsOf(queries: Queries, request: RequestRow): Promise<readonly ApprovalStep[]> {
  const rows = await queries.rows<StepRow>(sql`
    select s.* from (
      select 'ASK' as action, 0 as level, u.name as actor, null::text as on_behalf_of, r.requested_at as at, null::text as note, r.id as request_id, 0::bigint as action_id
      from approval_request r join app_user u on u.id = r.requested_by where r.doc_type = ${request.doc_type} and r.doc_id = ${request.doc_id} and r.transition = ${request.transition} and r.id <= ${request.id}
      union all
      select a.action, a.level, u.name, b.name, a.at, a.note, a.request_id, a.id
      from approval_action a join approval_request r on r.id = a.request_id join app_user u on u.id = a.actor_id left join app_user b on b.id = a.on_behalf_of_id
      where r.doc_type = ${request.doc_type} and r.doc_id = ${request.doc_id} and r.transition = ${request.transition} and r.id <= ${request.id}
    ) s order by s.request_id, s.action_id limit 500`)
  return rows.map((row) => ({ Action: row.action, Level: row.level, ActorName: row.actor, OnBehalfOfName: row.on_behalf_of, At: row.at, Note: row.note }))
}

/** Steps of the present level nobody has satisfied yet, and the levels after it. */
async function approversOf(queries: Queries, { levels, current_level }: RequestRow): Promise<readonly ApproverNeeded[]> {
  const needed = levels
    .slice(current_level - 1)
    .flatMap((level, i) => level.steps.filter((step) => i > 0 || step.approvedBy.length === 0 || step.mode === 'ALL').map((step) => ({ Kind: step.kind, Level: level.level, ref: step.ref })))
  const names = await namesOfSteps(queries, needed.map(({ Kind: kind, ref }) => ({ kind, ref })))
  return needed.map(({ ref, ...one }, i) => ({ ...one, Name: names[i] ?? ref }))
}

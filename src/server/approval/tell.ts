import type { Decision } from '#api/approval.ts'
import type { Metadata } from '#meta/metadata.ts'
import { approvalGuard } from '#server/access/guards.ts'
import type { DateText } from '#base/date.ts'
import type { Queries, User } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { notify, settle } from '#server/notifications/notify.ts'
import { approvalPage } from './approvalPage.ts'
import { deputiesOf, isWholeIn, makersOf } from './deputies.ts'
import type { Level } from './matrix.ts'

/** A request as far as those who are told about it matter. */
interface Asked {
  readonly id: number
  readonly doc_type: string
  readonly doc_id: number
  readonly doc_code: string
  readonly transition: string
  readonly requested_by: number
  readonly operating_unit_id: number
  readonly territory_id: number | null
}

/**
 * Tells everybody who can decide this level now: named by it, allowed by his role, the document within his scope, and not its makers; and those who stand in
 * for one of them today.
 */
export async function tellApprovers(tx: Queries, metadata: Metadata, { now, today }: { readonly now: Date; readonly today: DateText }, request: Asked, level: Level | undefined, makerName: string): Promise<void> {
  if (level === undefined) return
  const path = approvalPage(metadata, request.doc_type, request.transition)
  const makers = makersOf({ docType: sql`${request.doc_type}::text`, docId: sql`${request.doc_id}::bigint`, isWhole: sql`exists (select 1 from approval_request r where r.id = ${request.id} and ${isWholeIn('r')})`, requestedBy: sql`${request.requested_by}::bigint` })
  const approvers = await approversOf(tx, metadata, request, makers, level)
  await notify(tx, now, [...approvers, ...(await deputiesOf(tx, metadata, approvers, request, makers, today))], {
    kind: 'APPROVAL_ASKED',
    title: request.transition === 'approve' ? 'notification.approval-asked' : `notification.${request.transition}-asked`,
    params: { document: request.doc_type, code: request.doc_code, by: makerName },
    link: path === undefined ? undefined : `${path}?id=${request.id}`,
    subject: subjectOf(request.id),
  })
}

const decidedTitles = { approve: 'notification.approved', reject: 'notification.rejected', return: 'notification.returned' } as const satisfies Record<Decision, string>

/** Tells the maker what has become of his request. */
export async function tellMaker(tx: Queries, metadata: Metadata, now: Date, request: Asked, decision: Decision, decider: User): Promise<void> {
  if (request.requested_by === decider.id) return
  await notify(tx, now, [request.requested_by], {
    kind: 'APPROVAL_DECIDED',
    title: decidedTitles[decision],
    params: { document: request.doc_type, code: request.doc_code, by: decider.name },
    link: knownEntity(metadata, request.doc_type).page?.replace('{ID}', String(request.doc_id)),
  })
}

const representedTitles = { approve: 'notification.approved-for-you', reject: 'notification.rejected-for-you', return: 'notification.returned-for-you' } as const satisfies Record<Decision, string>

/** Tells somebody what his deputy has decided in his name. */
export async function tellRepresented(tx: Queries, metadata: Metadata, now: Date, request: Asked, decision: Decision, { by, principal }: { readonly by: User; readonly principal: User }): Promise<void> {
  const path = approvalPage(metadata, request.doc_type, request.transition)
  await notify(tx, now, [principal.id], {
    kind: 'APPROVAL_DECIDED',
    title: representedTitles[decision],
    params: { document: request.doc_type, code: request.doc_code, by: by.name },
    link: path === undefined ? undefined : `${path}?state=${decision === 'approve' ? 'approved' : 'rejected'}&id=${request.id}`,
  })
}

/** The request needs nobody any more, or not this user. */
export async function settleRequest(tx: Queries, now: Date, requestId: number, userId?: number): Promise<void> {
  await settle(tx, now, subjectOf(requestId), userId)
}

async function approversOf(tx: Queries, metadata: Metadata, request: Asked, makers: Sql, level: Level): Promise<readonly number[]> {
  const named = (kind: Level['steps'][number]['kind']): string[] => level.steps.filter((step) => step.kind === kind).map((step) => step.ref)
  const guard = approvalGuard(metadata, knownEntity(metadata, request.doc_type)) ?? null
  const rows = await tx.rows<{ id: number }>(sql`
    select u.id from app_user u join role r on r.id = u.role_id
    where u.is_active and r.is_active and u.id <> all(${makers})
      and (r.code = any(${named('ROLE')}::text[]) or lower(u.email) = any(${named('USER').map((email) => email.toLowerCase())}::text[])
        or exists (select 1 from employee e where e.work_number = u.work_number and e.is_active and e.position = any(${named('POSITION')}::text[])))
      and (${guard}::text is null or exists (select 1 from role_permission p where p.role_id = u.role_id and p.guard_name = ${guard}))
      and (not u.territory_scope or (
        (${request.territory_id}::bigint is null or exists (select 1 from user_territory ut where ut.user_id = u.id and ut.territory_id = ${request.territory_id}))
        and (u.operating_unit_id = ${request.operating_unit_id} or exists (select 1 from user_territory ut where ut.user_id = u.id and ut.operating_unit_id = ${request.operating_unit_id}))))
    order by u.id`)
  return rows.map((row) => row.id)
}

function subjectOf(requestId: number): string {
  return `approval_request:${requestId}`
}

import type { ProposedChange } from '#api/approval.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import { changeAction } from '#meta/screenUse.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fieldMap } from '#server/documents/entities.ts'

/** What a request for changed values carries. */
export interface Proposal {
  readonly is_new: boolean
  readonly changes: readonly Proposed[]
}

export interface Proposed {
  /** Column. */
  readonly field: string
  readonly from: unknown
  readonly to: unknown
  readonly from_text: Text | null
  readonly to_text: Text | null
}

/** A value as people read it; `key`: from the catalogue. */
export interface Text {
  readonly text: string
  readonly key?: string
}

/** Fields whose changes wait for somebody else. */
export function approvedFields(entity: ResolvedEntity): readonly EntityField[] {
  return entity.base === 'master' ? entity.fields.filter((field) => field.approval) : []
}

/** What waits for approval of a record, as its form shows it; null: nothing. */
export async function proposedFor(queries: Queries, user: User, entity: ResolvedEntity, id: number): Promise<Row | null> {
  const request = await openRequestOf(queries, entity, id)
  if (!request) return null
  const { is_new: isNew, changes } = request.payload
  return { RequestID: request.id, ByName: request.by_name, At: request.requested_at, IsMine: request.requested_by === user.id, IsNew: isNew, Changes: shownChanges(entity, changes) }
}

/** Old and new value of every field a request is about, as people read them. */
export function shownChanges(entity: ResolvedEntity, changes: readonly Proposed[]): readonly ProposedChange[] {
  return changes.filter(({ field }) => fieldMap(entity).get(field)?.hidden !== true).map(({ field, from_text: from, to_text: to }) => ({ Field: field, Label: fieldMap(entity).get(field)?.label ?? `field.${field}`, From: from, To: to }))
}

/** What a request for changed values carries. */
export async function proposalOf(queries: Queries, requestId: number): Promise<Proposal> {
  const row = await queries.first<{ payload: Proposal }>(sql`select payload from approval_request where id = ${requestId}`)
  return row?.payload ?? { is_new: false, changes: [] }
}

/** The request of a record that waits. */
export interface OpenRequest {
  readonly id: number
  readonly requested_by: number
  readonly requested_at: string
  readonly by_name: string
  /** Somebody has spoken about it. */
  readonly is_begun: boolean
  readonly payload: Proposal
}

export function openRequestOf(queries: Queries, entity: ResolvedEntity, id: number): Promise<OpenRequest | undefined> {
  return queries.first<OpenRequest & Row>(sql`
    select r.id, r.requested_by, r.requested_at, u.name as by_name, exists (select 1 from approval_action a where a.request_id = r.id) as is_begun, r.payload
    from approval_request r join app_user u on u.id = r.requested_by
    where r.doc_type = ${entity.id} and r.doc_id = ${id} and r.transition = ${changeAction} and r.status = 4 order by r.id desc limit 1`)
}

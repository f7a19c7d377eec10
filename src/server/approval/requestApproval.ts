import type { ApprovalReason } from '#api/approval.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { isAdministrator } from '#server/access/administrator.ts'
import type { CommandContext, Queries, Row, TransitionContext, User } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { customerOfOrder } from '#server/sales/orderCustomer.ts'
import { settingValue } from '#server/settings.ts'
import { followWith } from '#server/workflow/followUp.ts'
import { factsOf } from './facts.ts'
import { approvalLevels, dueAfter, type Level } from './matrix.ts'
import { settleRequest, tellApprovers } from './tell.ts'

export interface ApprovalAsked {
  /** Amount the matrix measures, decimal text. */
  readonly amount: string
  readonly reasons: readonly ApprovalReason[]
  /**
   * Workflow action the final approval runs. Absent: `approve`, for a document that waits in status 4. Any other (`reverse`, `cancel`) leaves
   * the document as it is and marks it as pending.
   */
  readonly action?: string
  /** What the approval will bring about, where the document itself does not say. */
  readonly payload?: Row
}

/**
 * Asks for approval of the transition under way. `waiting`: a request is open. `auto`: nobody has to be asked, and the engine takes the
 * action right after this transition. Without a matching row of the matrix the document type's default decides; BLOCK refuses.
 */
export async function requestApproval(context: TransitionContext, asked: ApprovalAsked): Promise<'auto' | 'waiting'> {
  const action = asked.action ?? 'approve'
  const levels = await requiredLevels(context, context.entity, context.current, asked)
  if (levels === 'auto') {
    followWith(context, action)
    return 'auto'
  }
  await openRequest(context, context.entity, context.current, asked, levels)
  if (action !== 'approve') context.set({ pending_transition: action })
  return 'waiting'
}

/** Whose word is needed; `auto`: nobody's. */
export async function requiredLevels({ tx, user, today }: CommandContext, entity: ResolvedEntity, current: Row, asked: ApprovalAsked): Promise<readonly Level[] | 'auto'> {
  const customerId = customerOf(entity, current)
  const own = current['customer_category_id']
  const levels = await approvalLevels(tx.ahead, {
    docType: entity.id,
    transition: asked.action ?? 'approve',
    amount: asked.amount,
    operatingUnitId: await unitOf(tx, user, current),
    territoryId: typeof current['territory_id'] === 'number' ? current['territory_id'] : null,
    customerCategoryId: typeof own === 'number' ? own : customerId === null ? null : await categoryOf(tx, customerId),
    reasons: asked.reasons,
  }, today)
  if (levels.length > 0) return levels
  return (await defaultFor(tx, entity.id)) === 'AUTO' ? 'auto' : fail('VALIDATION_FAILED.matrix')
}

/** Opens a request and tells those of its first level. */
export async function openRequest({ tx, user, now, today, metadata }: CommandContext, entity: ResolvedEntity, current: Row & { readonly id: number }, asked: ApprovalAsked, levels: readonly Level[]): Promise<void> {
  const customerId = customerOf(entity, current) ?? (entity.id === 'customer' ? current.id : null)
  const request = {
    doc_type: entity.id, doc_id: current.id, doc_code: String(current['code'] ?? `DRAFT-${current.id}`), transition: asked.action ?? 'approve', requested_by: user.id,
    operating_unit_id: await unitOf(tx, user, current), territory_id: typeof current['territory_id'] === 'number' ? current['territory_id'] : null,
  }
  const [id = 0] = await insertRows(tx, 'approval_request', [{
    ...request, amount: asked.amount, party_kind: customerId === null ? null : 'CUSTOMER', party_id: customerId, requested_at: now.toISOString(),
    current_level: 1, max_level: levels.length, levels, status: 4, reasons: asked.reasons, facts: await factsOf(tx, entity.id, current, today),
    ...(asked.payload === undefined ? {} : { payload: asked.payload }),
    due_at: dueAfter(now, levels[0]), version: 1,
  }])
  await tellApprovers(tx, metadata, { now, today }, { id, ...request }, levels[0], user.name)
}

function customerOf(entity: ResolvedEntity, current: Row): number | null {
  return entity.base === 'master' || typeof current['customer_id'] !== 'number' ? null : current['customer_id']
}

/** The unit of the record; of one that belongs to no unit, that of whoever asks. */
async function unitOf(tx: Queries, user: User, current: Row): Promise<number> {
  if (current['operating_unit_id'] != null) return Number(current['operating_unit_id'])
  const unit = await tx.first<{ id: number }>(sql`
    select coalesce((select operating_unit_id from app_user where id = ${user.id}), (select id from operating_unit where is_active order by is_head_office desc, id limit 1)) as id`)
  return unit?.id ?? fail('VALIDATION_FAILED.matrix')
}

async function categoryOf(tx: Queries, customerId: number): Promise<number | null> {
  // An order has asked for its customer already.
  return (await customerOfOrder(tx, customerId))?.customer_category_id ?? null
}

/** Takes the open request of a document back: recalled by its maker, or overtaken by something else, which is nobody's recall. */
export async function withdrawApproval(context: TransitionContext): Promise<void> {
  const request = await context.tx.first<{ id: number; requested_by: number }>(
    sql`select id, requested_by from approval_request where doc_type = ${context.entity.id} and doc_id = ${context.record.id} and status = 4 for update`,
  )
  if (!request) return
  const isRecall = context.action.system !== true && context.action.to !== 6
  if (isRecall && request.requested_by !== context.user.id && !isAdministrator(context.user)) fail('FORBIDDEN_GUARD.recall')
  await context.tx.run(sql`
    update approval_request set status = 6, decided_at = ${context.now.toISOString()}, version = version + 1 where id = ${request.id}`)
  await settleRequest(context.tx, context.now, request.id)
}

/** What happens to documents the matrix has no row for. */
export async function defaultFor(tx: Queries, docType: string): Promise<'AUTO' | 'BLOCK'> {
  const value = await settingValue(tx, 'approval_default', null)
  const own = typeof value === 'object' && value !== null ? (Object.entries(value).find(([key]) => key === docType) ?? Object.entries(value).find(([key]) => key === '*'))?.[1] : value
  return own === 'AUTO' ? 'AUTO' : 'BLOCK'
}

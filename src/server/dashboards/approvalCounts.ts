import type { ApprovalScreen } from '#meta/resolved.ts'
import { decidedAction } from '#meta/screenUse.ts'
import { scopeCondition } from '#server/access/scope.ts'
import { hasScreen } from '#server/access/guards.ts'
import type { User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { Services } from '#server/services.ts'

/** Approval screens in the user's menu. */
export function openQueues(services: Services, user: User): readonly ApprovalScreen[] {
  return Object.values(services.metadata.screens).flatMap((screen) => (screen.kind === 'approval' && hasScreen(services.metadata, user, screen) ? [screen] : []))
}

/** Documents that wait in each queue the user may open, by screen, whoever's turn it is. */
export async function approvalCounts(services: Services, user: User): Promise<ReadonlyMap<string, number>> {
  const scope = scopeCondition(services.metadata, user, knownEntity(services.metadata, 'approval_request'), 't')
  const rows = await services.database.rows<{ doc_type: string; transition: string; n: number }>(sql`
    select t.doc_type, t.transition, count(distinct t.doc_id) as n from approval_request t where t.status = 4 ${scope ? sql`and ${scope}` : sql``} group by 1, 2`)
  return new Map(openQueues(services, user).map((screen) => {
    const found = rows.find((row) => row.doc_type === screen.docType && row.transition === decidedAction(screen.transition))
    return [screen.id, found?.n ?? 0]
  }))
}

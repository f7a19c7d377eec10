import type { ImportBatch } from '#api/import.ts'
import { hasQueue } from '#server/access/guards.ts'
import { approvalPage } from '#server/approval/approvalPage.ts'
import type { Queries, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { Services } from '#server/services.ts'
import type { Batch } from './batches.ts'

/** What the rows of a batch became and somebody is still to decide about: imported does not mean that it counts yet. */
export async function waitingApprovals({ metadata }: Services, queries: Queries, user: User, batch: Batch): Promise<NonNullable<ImportBatch['Waiting']>> {
  if (batch.work !== null || batch.counts.imported === 0) return []
  const found = await queries.rows<{ doc_type: string; transition: string; n: number }>(sql`
    select t.doc_type, t.transition, count(*)::int as n from approval_request t
    where t.status = 4 and t.requested_by = ${batch.userId} and t.requested_at >= ${batch.row['created_at']}
      and (t.doc_type, t.doc_id) in (
        select r->>'entity', (r->>'id')::bigint from import_row i cross join lateral jsonb_array_elements(i.records) r where i.import_batch_id = ${batch.id} and i.state = 'COMMITTED')
    group by 1, 2 order by 1, 2`)
  return found.map(({ doc_type: type, transition, n }) => ({
    DocType: type, Count: n, Path: hasQueue(metadata, user, knownEntity(metadata, type), transition) ? (approvalPage(metadata, type, transition) ?? null) : null,
  }))
}

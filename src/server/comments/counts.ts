import type { RecordCounts } from '#api/files.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

/** How many attachments and comments a record has. */
export async function countsOf(queries: Queries, entity: ResolvedEntity, id: number): Promise<RecordCounts> {
  const row = await queries.first<{ attachments: number; comments: number }>(sql`
    select (select count(*) from attachment where purpose = 'DOCUMENT' and doc_type = ${entity.id} and doc_id = ${id}) as attachments,
      (select count(*) from document_comment where doc_type = ${entity.id} and doc_id = ${id}) as comments`)
  return { Attachments: row?.attachments ?? 0, Comments: row?.comments ?? 0 }
}

import type { JournalView } from '#api/data.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

/** The journals a document brought about, reversals included, in the order they were posted. */
export async function journalsOf(queries: Queries, entity: ResolvedEntity, id: number): Promise<readonly JournalView[]> {
  const journals = await queries.rows(sql`
    select id, code, posting_date, source_event, coalesce(description, '') as description, total_debit from journal
    where source_doc_type = ${entity.id} and source_doc_id = ${id} order by id`)
  if (journals.length === 0) return []
  const lines = await queries.rows(sql`
    select l.journal_id, a.code, a.name, l.debit, l.credit, l.memo from journal_line l join account a on a.id = l.account_id
    where l.journal_id = any(${journals.map((journal) => journal['id'])}::bigint[]) order by l.journal_id, l.line_no, l.id`)
  return journals.map((journal) => ({
    ID: Number(journal['id']),
    Code: String(journal['code']),
    PostingDate: String(journal['posting_date']),
    SourceEvent: String(journal['source_event']),
    Description: String(journal['description']),
    TotalDebit: String(journal['total_debit']),
    Lines: lines.filter((line) => line['journal_id'] === journal['id']).map(lineView),
  }))
}

function lineView(line: Row): JournalView['Lines'][number] {
  return {
    AccountCode: String(line['code']),
    AccountName: String(line['name']),
    Debit: String(line['debit']),
    Credit: String(line['credit']),
    Memo: line['memo'] === null ? null : String(line['memo']),
  }
}

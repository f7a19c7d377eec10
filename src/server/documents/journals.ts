import type { JournalView } from '#api/data.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { knownEntity } from './entities.ts'

/** The journals a document and its lines brought about, reversals included, in the order they were posted; without those that say what the user may not read. */
export async function journalsOf(metadata: Metadata, queries: Queries, user: User, entity: ResolvedEntity, id: number): Promise<readonly JournalView[]> {
  const unseen = Object.values(metadata.postings).flatMap(({ event, readBy }) => (readBy === undefined || user.guards.has(readBy) ? [] : [event]))
  // A bank statement is posted line by line. Joined, so that each source is looked up by the index of journals.
  const ofLines = entity.lines.map((line) => sql`select ${line.entity}::text, l.id from ${ident(knownEntity(metadata, line.entity).table)} l where l.${ident(line.column)} = ${id}`)
  const sources = [sql`select ${entity.id}::text as type, ${id}::bigint as id`, ...ofLines]
  const journals = await queries.rows(sql`
    select j.id, j.code, j.posting_date, j.source_event, coalesce(j.description, '') as description, j.total_debit, j.total_credit, o.code as reversal_of, r.code as reversed_by
    from (${join(sources, ' union all ')}) s join journal j on j.source_doc_type = s.type and j.source_doc_id = s.id
    left join journal o on o.id = j.reversal_of_id left join journal r on r.id = j.reversed_by_id
    where not coalesce(regexp_replace(j.source_event, '_REV$', '') = any(${unseen}::text[]), false)
    order by j.id`)
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
    TotalCredit: String(journal['total_credit']),
    ReversalOfCode: journal['reversal_of'] === null ? null : String(journal['reversal_of']),
    ReversedByCode: journal['reversed_by'] === null ? null : String(journal['reversed_by']),
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

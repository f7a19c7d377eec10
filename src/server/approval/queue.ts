import type { DateText } from '#base/date.ts'
import type { ApprovalAnswer, ApprovalQuery, ApprovalRow, ApprovalState, MyApprovals, WaitingRequest } from '#api/approval.ts'
import type { ListQuery } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { decidedAction } from '#meta/screenUse.ts'
import { hasQueue } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { sql, trusted, type Sql } from '#server/db/sql.ts'
import { RecordQuery } from '#server/documents/columns.ts'
import { isDocument, knownEntity } from '#server/documents/entities.ts'
import { columnsAsked, whereOf, type ListRequest } from '#server/documents/listQuestion.ts'
import { listRecords } from '#server/documents/listRecords.ts'
import type { Services } from '#server/services.ts'
import { approvalPage } from './approvalPage.ts'
import { isSelfApprovalAllowed, makersColumn, turnOf, voicesOf, whyNot, type Open, type Voice } from './deputies.ts'
import { hoursOf, type Step } from './matrix.ts'

const statusOf = { waiting: 4, approved: 1, rejected: 5 } as const satisfies Record<ApprovalState, number>

/** Requests the inbox shows at once. */
const mostRequests = 100

/**
 * Requests of one kind with the columns asked for of their documents. Filter, search and order work on the document, so that the queue can be
 * narrowed by whatever its list knows; without an order the longest waiting come first.
 */
export async function approvalQueue(services: Services, queries: Queries, user: User, entity: ResolvedEntity, transition: string, query: ApprovalQuery): Promise<ApprovalAnswer> {
  const state = query.state ?? 'waiting'
  const action = decidedAction(transition)
  const { state: _state, mine: isMine, ...listQuery } = query
  const who = await speakerOf(queries, user, services.clock.today())
  const mayDecide = hasQueue(services.metadata, user, entity, transition)
  const mine = mayDecide ? await turnsOf(services, queries, user, who, entity, action) : []
  // The request a document shows: its latest in that state.
  const request = sql`(select r.id from approval_request r where r.doc_type = ${entity.id} and r.doc_id = d.id and r.transition = ${action}
    and r.status = ${statusOf[state]} order by r.id desc limit 1)`
  const asked: ListQuery = { ...listQuery, ...(query.order === undefined ? { order: isDocument(entity) ? 'submitted_at,id' : 'updated_at,id', sort: state === 'waiting' ? 'asc,asc' : 'desc,desc' } : {}) }
  const among: ListRequest = { services, queries, user, entity, query: asked, isPermitted: true }
  const documents = await listRecords({
    ...among,
    where: sql`exists (select 1 from approval_request r where r.doc_type = ${entity.id} and r.doc_id = t.id and r.transition = ${action} and r.status = ${statusOf[state]})
      ${state === 'waiting' && isMine === true ? sql`and t.id = any(${[...mine]}::bigint[])` : sql``}`,
  })
  const ids = documents.rows.map((row) => row.ID)
  const requests = ids.length === 0 ? [] : await queries.rows<OpenRow>(requestRows(sql`t.id in (select ${request} from unnest(${ids}::bigint[]) as d(id))`))
  const byDocument = new Map(requests.map((row) => [Number(row['doc_id']), row]))
  const rows = documents.rows.flatMap((document) => {
    const row = byDocument.get(document.ID)
    return row ? [approvalRow(services, row, document, mayDecide ? who : { ...who, voices: [] })] : []
  })
  return { recordsTotal: documents.recordsTotal, rows, ...(await countsOf(among, action, mine)) }
}

/** Documents of this kind the user may decide now, whoever's turn the rest is. */
async function turnsOf(services: Services, queries: Queries, user: User, who: Speaker, entity: ResolvedEntity, action: string): Promise<readonly number[]> {
  const scope = scopeCondition(services.metadata, user, entity, 'd')
  const waiting = await queries.rows<OpenRow & { readonly doc_id: number }>(sql`
    select t.doc_id, t.doc_type, t.transition, ${makersColumn}, t.operating_unit_id, t.territory_id, t.current_level, t.levels, ${spokenColumn(sql`t.id`)} from approval_request t
    join ${trusted(`"${entity.table}"`)} d on d.id = t.doc_id
    where t.status = 4 and t.doc_type = ${entity.id} and t.transition = ${action} and ${namesOneOf(who)} ${scope ? sql`and ${scope}` : sql``}`)
  return waiting.filter((request) => turnOf(services.metadata, who.voices, request, who.mayDecideOwn) !== undefined).map(({ doc_id: id }) => id)
}

/** Open requests this user may decide now in a queue of his menu: a line for each kind, and the first of them. */
export async function myApprovals(services: Services, queries: Queries, user: User): Promise<MyApprovals> {
  const scope = scopeCondition(services.metadata, user, knownEntity(services.metadata, 'approval_request'), 't')
  const who = await speakerOf(queries, user, services.clock.today())
  const waiting = await queries.rows<OpenRow & { readonly id: number }>(sql`
    select t.id, t.doc_type, t.transition, ${makersColumn}, t.operating_unit_id, t.territory_id, t.current_level, t.levels, ${spokenColumn(sql`t.id`)} from approval_request t
    where t.status = 4 and ${namesOneOf(who)} ${scope ? sql`and ${scope}` : sql``} order by t.requested_at, t.id`)
  const mine = waiting.filter((request) => {
    const entity = services.metadata.entities[request.doc_type]
    return entity !== undefined && hasQueue(services.metadata, user, entity, request.transition) && turnOf(services.metadata, who.voices, request, who.mayDecideOwn) !== undefined
  })
  const pageOf = (row: OpenRow): string | undefined => approvalPage(services.metadata, row.doc_type, row.transition)
  const counts = new Map<string, { DocType: string; Transition: string; Count: number; Url: string }>()
  for (const request of mine) {
    const key = `${request.doc_type} ${request.transition}`
    const page = pageOf(request)
    const entry = counts.get(key) ?? { DocType: request.doc_type, Transition: request.transition, Count: 0, Url: page === undefined ? '/home' : `${page}?mine=1` }
    counts.set(key, { ...entry, Count: entry.Count + 1 })
  }
  const ids = mine.slice(0, mostRequests).map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await queries.rows<OpenRow>(sql`${requestRows(sql`t.id = any(${ids}::bigint[])`)} order by t.requested_at, t.id`)
  const now = services.clock.now().toISOString()
  return { records: [...counts.values()].toSorted((a, b) => a.DocType.localeCompare(b.DocType)), requests: rows.map((row) => waitingRow(row, pageOf(row), now)) }
}

function waitingRow(row: OpenRow, page: string | undefined, now: string): WaitingRequest {
  const due = typeof row['due_at'] === 'string' ? row['due_at'] : null
  return {
    ID: Number(row['id']), DocType: row.doc_type, Transition: row.transition, DocCode: String(row['doc_code']), PartyName: typeof row['party_name'] === 'string' ? row['party_name'] : null,
    Amount: String(row['amount']), RequestedByName: String(row['requested_by_name']), RequestedAt: String(row['requested_at']), DueAt: due, IsLate: due !== null && due < now,
    Url: page === undefined ? '/home' : `${page}?id=${Number(row['id'])}`,
  }
}

/** In whose name the user may decide, and whether what he has made himself. */
interface Speaker {
  readonly voices: readonly Voice[]
  readonly mayDecideOwn: boolean
}

async function speakerOf(queries: Queries, user: User, today: DateText): Promise<Speaker> {
  const [voices, mayDecideOwn] = await Promise.all([voicesOf(queries, user, today), isSelfApprovalAllowed(queries)])
  return { voices, mayDecideOwn }
}

/** The present level asks one of these, and it is not the user who asked: whoever's turn the rest is, it is not theirs and need not be read. */
function namesOneOf({ voices, mayDecideOwn }: Speaker): Sql {
  const step = (kind: Step['kind'], refs: readonly string[]): Sql => sql`(s ->> 'kind' = ${kind} and lower(s ->> 'ref') = any(${refs.map((ref) => ref.toLowerCase())}::text[]))`
  return sql`(${mayDecideOwn} or t.requested_by is distinct from ${voices[0]?.user.id ?? null}::bigint) and exists (select 1 from jsonb_array_elements(t.levels -> (t.current_level - 1) -> 'steps') s
    where ${step('ROLE', voices.map(({ user }) => user.roleCode))} or ${step('USER', voices.map(({ user }) => user.email))} or ${step('POSITION', voices.flatMap(({ positions }) => positions))})`
}

interface OpenRow extends Row, Open {}

/** Column `spoken`: who has approved the request so far, and for whom. */
function spokenColumn(requestId: Sql): Sql {
  return sql`(select coalesce(jsonb_agg(jsonb_build_object('actor_id', a.actor_id, 'on_behalf_of_id', a.on_behalf_of_id)), '[]'::jsonb)
    from approval_action a where a.request_id = ${requestId} and a.action = 'APPROVE') as spoken`
}

/** How many documents each tab holds among those the search and the filter leave, and how many of `mine` are left waiting. */
async function countsOf(among: ListRequest, action: string, mine: readonly number[]): Promise<Pick<ApprovalAnswer, 'counts' | 'mine'>> {
  const builder = new RecordQuery(among.services.metadata, among.entity)
  const condition = whereOf(among, builder, columnsAsked(among))
  const rows = await among.queries.rows<{ status: number; n: number; mine: number }>(sql`
    select r.status, count(distinct t.id) as n, count(distinct t.id) filter (where t.id = any(${[...mine]}::bigint[])) as mine
    from ${builder.from()} join approval_request r on r.doc_type = ${among.entity.id} and r.doc_id = t.id and r.transition = ${action} and r.status in (1, 4, 5)
    where ${condition} group by r.status`)
  const of = (status: number) => rows.find((row) => row.status === status)
  return { counts: { waiting: of(4)?.n ?? 0, approved: of(1)?.n ?? 0, rejected: of(5)?.n ?? 0 }, mine: of(4)?.mine ?? 0 }
}

function requestRows(condition: Sql): Sql {
  return sql`
    select t.*, ${makersColumn}, ${spokenColumn(sql`t.id`)}, u.name as requested_by_name, ou.code as operating_unit_code, ou.name as operating_unit_name, te.code as territory_code, te.name as territory_name,
      c.code as party_code, c.name as party_name
    from approval_request t
    join app_user u on u.id = t.requested_by
    join operating_unit ou on ou.id = t.operating_unit_id
    left join territory te on te.id = t.territory_id
    left join customer c on c.id = t.party_id and t.party_kind = 'CUSTOMER'
    where ${condition}`
}

/** `who`: in whose name the user may decide at all. */
function approvalRow(services: Services, row: OpenRow, document: WireRecord, who: Speaker): ApprovalRow {
  const level = row.levels[row.current_level - 1]
  const [own] = who.voices
  const turn = row['status'] === 4 ? turnOf(services.metadata, who.voices, row, who.mayDecideOwn) : undefined
  return {
    ID: Number(row['id']),
    DocID: Number(row['doc_id']),
    DocCode: String(row['doc_code']),
    DocType: row.doc_type,
    Transition: row.transition,
    Amount: String(row['amount']),
    OperatingUnitCode: row['operating_unit_code'],
    OperatingUnitName: row['operating_unit_name'],
    TerritoryCode: row['territory_code'],
    TerritoryName: row['territory_name'],
    PartyCode: row['party_code'],
    PartyName: row['party_name'],
    RequestedByName: String(row['requested_by_name']),
    RequestedAt: String(row['requested_at']),
    DueAt: typeof row['due_at'] === 'string' ? row['due_at'] : null,
    SlaHours: hoursOf(level),
    DecidedAt: typeof row['decided_at'] === 'string' ? row['decided_at'] : null,
    CurrentLevel: row.current_level,
    MaxLevel: Number(row['max_level']),
    Approvers: (level?.steps ?? []).map((step) => step.ref),
    Reasons: Array.isArray(row['reasons']) ? row['reasons'] : [],
    Document: document,
    CanDecide: turn !== undefined,
    WhyNot: (row['status'] === 4 && turn === undefined && own !== undefined && whyNot(row, own.user.id, who.mayDecideOwn)) || null,
    OnBehalfOfName: turn?.voice.docTypes === undefined ? null : turn.voice.user.name,
  }
}

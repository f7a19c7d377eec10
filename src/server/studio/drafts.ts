import type { FieldProblem } from '#api/problems.ts'
import { longestName, mostReaders, type SharedDraft, type StudioDraft, type StudioPerson, type StudioQuestion } from '#api/studio.ts'
import { type CheckedDraft, longestDraft } from '#meta/authoring/draft.ts'
import { composedIn } from '#meta/authoring/compose.ts'
import { permitted } from '#meta/permitted.ts'
import { reportTextNow } from '#meta/renames.ts'
import { openablePages } from '#server/access/openable.ts'
import { requireGuard } from '#server/access/guards.ts'
import { holds, holdersNamed } from '#server/access/holders.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { notify } from '#server/notifications/notify.ts'
import { fail, invalid, problem, ProblemError, wrong } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { shelfOf } from './material.ts'

const mostDrafts = 100

/** Composing asks for its permission and for the page in the menu, as everything else does. */
export function requireStudio({ metadata }: Services, user: User): void {
  requireGuard(user, 'studio-create')
  if (!openablePages(metadata, user)('/studio')) fail('FORBIDDEN_GUARD.hidden')
}

/** The text under the names its dataset has today. */
export function sourceNow({ metadata }: Services, source: string): string {
  const dataset = composedIn(source)?.['dataset']
  return typeof dataset === 'string' && Object.hasOwn(metadata.datasets, dataset) ? reportTextNow(metadata.datasets[dataset]?.renamed, source).text : source
}

/** The text checked; a report over a dataset whose permission the user lacks is refused like any other call for it, and what he may not read of one is not in it. */
export function checkedFor({ schemas, metadata }: Services, user: User, source: string): CheckedDraft {
  const checked = shelfOf(schemas).check(source)
  const guard = metadata.datasets[checked.report?.source.dataset ?? '']?.guard
  if (guard !== undefined) requireGuard(user, guard)
  const { report } = checked
  return report === undefined ? checked : { ...checked, report: { ...report, screen: permitted(report.screen, (one) => user.guards.has(one)) } }
}

/** The report of a text without errors; else refused, with every finding and its place. */
export function reportIn(services: Services, user: User, source: string): NonNullable<CheckedDraft['report']> {
  const { findings, report } = checkedFor(services, user, source)
  if (report !== undefined) return report
  const [first] = findings
  throw new ProblemError({
    ...problem('VALIDATION_FAILED.draft', { line: first?.line ?? 1, column: first?.column ?? 1, message: first?.message ?? '' }),
    errors: [wrong('Source', 'WRONG_TYPE.report')],
    data: { findings },
  })
}

export async function draftsOf(queries: Queries, user: User): Promise<readonly StudioDraft[]> {
  const rows = await queries.rows(sql`${selected} where d.owner_id = ${user.id} order by d.updated_at desc, d.id desc`)
  return rows.map(draftOf)
}

export async function sharedWith(queries: Queries, user: User): Promise<readonly SharedDraft[]> {
  const rows = await queries.rows(sql`${shared} where x.user_id = ${user.id} order by d.updated_at desc, d.id desc`)
  return rows.map(sharedOf)
}

/** A draft shared with the user, or his own. */
export async function sharedDraft(queries: Queries, user: User, id: number): Promise<SharedDraft & { readonly Source: string }> {
  const row = await queries.first(sql`
    select d.id, d.name, d.updated_at, d.source, o.name as owner_name from report_draft d join app_user o on o.id = d.owner_id
    where d.id = ${id} and (d.owner_id = ${user.id} or exists (select 1 from report_draft_reader x where x.draft_id = d.id and x.user_id = ${user.id}))`)
  return row ? { ...sharedOf(row), Source: String(row['source']) } : fail('NOT_FOUND.gone')
}

export async function readDraft(queries: Queries, user: User, id: number): Promise<StudioDraft> {
  const row = await queries.first(sql`${selected} where d.id = ${id} and d.owner_id = ${user.id}`)
  return row ? draftOf(row) : fail('NOT_FOUND.gone')
}

export async function createDraft(run: CommandRun, body: Readonly<Record<string, unknown>>): Promise<StudioDraft> {
  const { tx, user, now } = run
  const { Name: name, Source: source } = readBody(body, ['Name', 'Source'])
  const held = await tx.first<{ n: number }>(sql`select count(*) as n from report_draft where owner_id = ${user.id}`)
  if ((held?.n ?? 0) >= mostDrafts) fail('EXCEEDS_AVAILABLE.drafts', { most: mostDrafts })
  const row = await tx.first<{ id: number }>(sql`
    insert into report_draft (owner_id, name, source, created_at, updated_at) values (${user.id}, ${name}, ${source}, ${now.toISOString()}, ${now.toISOString()}) returning id`)
  const id = row?.id ?? 0
  await log(run, id, 'create', name ?? null)
  return readDraft(tx, user, id)
}

/** Changes what the body names. A draft may hold mistakes: it is kept as typed. */
export async function saveDraft(run: CommandRun, id: number, version: number, body: Readonly<Record<string, unknown>>): Promise<StudioDraft> {
  const { tx, user, now } = run
  const before = await lockedDraft(tx, user, id, version)
  const { Name: name = before.Name, Source: source = before.Source } = readBody(body, [])
  await tx.run(sql`update report_draft set name = ${name}, source = ${source}, version = version + 1, updated_at = ${now.toISOString()} where id = ${id}`)
  await log(run, id, 'edit', null)
  return readDraft(tx, user, id)
}

export async function deleteDraft(run: CommandRun, id: number, version: number): Promise<void> {
  await lockedDraft(run.tx, run.user, id, version)
  await run.tx.run(sql`delete from report_draft_reader where draft_id = ${id}`)
  await run.tx.run(sql`delete from report_draft where id = ${id}`)
  await log(run, id, 'delete', null)
}

/** Who may try the draft; those who are new hear of it. Each sees it with his own permissions and in his own scope. */
export async function shareDraft(run: CommandRun, id: number, version: number, body: Readonly<Record<string, unknown>>): Promise<StudioDraft> {
  const { tx, user, services, now } = run
  const before = await lockedDraft(tx, user, id, version)
  const { UserIDs: ids } = body
  if (ids === undefined) return invalid([wrong('UserIDs', 'REQUIRED')])
  if (!Array.isArray(ids) || ids.length > mostReaders || !ids.every((one) => Number.isSafeInteger(one) && Number(one) > 0)) return invalid([wrong('UserIDs', 'WRONG_TYPE.recipients', { limit: mostReaders })])
  const wanted = [...new Set<number>(ids)]
  const found = await tx.rows<{ id: number }>(sql`select u.id from app_user u join role r on r.id = u.role_id where u.id = any(${wanted}::bigint[]) and u.id <> ${user.id} and ${mayTry(services, before)}`)
  if (found.length < wanted.length) invalid([wrong('UserIDs', 'NOT_IN_SCOPE.recipient')])
  await tx.run(sql`delete from report_draft_reader where draft_id = ${id}`)
  await tx.run(sql`insert into report_draft_reader (draft_id, user_id) select ${id}, u from unnest(${wanted}::bigint[]) as u`)
  await tx.run(sql`update report_draft set version = version + 1 where id = ${id}`)
  const known = new Set(before.Readers.map((reader) => reader.ID))
  await notify(tx, now, wanted.filter((one) => !known.has(one)), {
    kind: 'REPORT_SHARED', title: 'notification.report-shared', params: { owner: user.name, name: before.Name }, link: `/report-trial/${id}`, subject: `report_draft:${id}`,
  })
  await log(run, id, 'share', wanted.join(', '))
  return readDraft(tx, user, id)
}

/** Active users who may read the dataset of the draft, by part of a name. */
export async function peopleFor(services: Services, user: User, id: number, search: string): Promise<readonly StudioPerson[]> {
  const draft = await readDraft(services.database, user, id)
  return holdersNamed(services.database, sql`u.id <> ${user.id} and ${mayTry(services, draft)}`, search, user)
}

export async function lockedDraft(tx: Queries, user: User, id: number, version: number): Promise<StudioDraft> {
  if (!(await tx.first(sql`select id from report_draft where id = ${id} and owner_id = ${user.id} for update`))) return fail('NOT_FOUND.gone')
  const draft = await readDraft(tx, user, id)
  if (draft.Version !== version) fail('VERSION_CONFLICT.draft')
  return draft
}

export async function log({ tx, user, now, requestId }: CommandRun, id: number, action: string, note: string | null): Promise<void> {
  await writeLog(tx, { docType: 'report_draft', docId: id, at: now.toISOString(), actorId: user.id, action, note, ...(requestId === undefined ? {} : { requestId }) })
}

/** How a report is asked, as it came over the wire. */
export function questionIn({ IsSummary: isSummary, Query: query }: Readonly<Record<string, unknown>>): StudioQuestion {
  const problems: FieldProblem[] = []
  if (typeof isSummary !== 'boolean') problems.push(wrong('IsSummary', isSummary === undefined ? 'REQUIRED' : 'WRONG_TYPE.boolean'))
  const entries = typeof query === 'object' && query !== null && !Array.isArray(query) ? Object.entries(query) : undefined
  const isFine = entries !== undefined && entries.length <= 60 && entries.every(([, value]) => typeof value === 'number' || (typeof value === 'string' && value.length <= 20_000 && !value.includes('\u0000')))
  if (!isFine) problems.push(wrong('Query', query === undefined ? 'REQUIRED' : 'WRONG_TYPE.object'))
  if (problems.length > 0) invalid(problems)
  return { IsSummary: isSummary === true, Query: Object.fromEntries(entries ?? []) }
}

/** The text of a draft as it came over the wire. */
export function sourceIn({ Source: source }: Readonly<Record<string, unknown>>): string {
  return readBody({ Source: source }, ['Source']).Source ?? ''
}

/** Whose role may read the dataset the draft names; nobody while it names none. */
function mayTry({ metadata }: Services, { Source: source }: StudioDraft): Sql {
  const named = composedIn(source)?.['dataset']
  const guard = typeof named === 'string' && Object.hasOwn(metadata.datasets, named) ? metadata.datasets[named]?.guard : undefined
  return guard === undefined ? sql`false` : holds(guard)
}

const selected = sql`
  select d.*, coalesce((select jsonb_agg(jsonb_build_object('ID', u.id, 'Name', u.name, 'RoleName', r.name) order by u.name, u.id)
    from report_draft_reader x join app_user u on u.id = x.user_id join role r on r.id = u.role_id where x.draft_id = d.id), '[]'::jsonb) as readers
  from report_draft d`

const shared = sql`
  select d.id, d.name, d.updated_at, o.name as owner_name from report_draft_reader x join report_draft d on d.id = x.draft_id join app_user o on o.id = d.owner_id`

function draftOf(row: Row): StudioDraft {
  return {
    ID: Number(row['id']), Version: Number(row['version']), Name: String(row['name']), Source: String(row['source']), UpdatedAt: String(row['updated_at']),
    Readers: (row['readers'] as readonly StudioPerson[] | undefined) ?? [],
  }
}

function sharedOf(row: Row): SharedDraft {
  return { ID: Number(row['id']), Name: String(row['name']), OwnerName: String(row['owner_name']), UpdatedAt: String(row['updated_at']) }
}

function readBody({ Name: name, Source: source, ...rest }: Readonly<Record<string, unknown>>, required: readonly ('Name' | 'Source')[]): { readonly Name?: string; readonly Source?: string } {
  const problems: FieldProblem[] = Object.keys(rest).map((key) => wrong(key.slice(0, 80), 'UNKNOWN_FIELD'))
  if (name === undefined && required.includes('Name')) problems.push(wrong('Name', 'REQUIRED'))
  if (source === undefined && required.includes('Source')) problems.push(wrong('Source', 'REQUIRED'))
  const trimmed = typeof name === 'string' ? name.trim() : ''
  if (name !== undefined && (trimmed === '' || trimmed.length > longestName || trimmed.includes('\u0000'))) problems.push(wrong('Name', 'WRONG_TYPE.name', { limit: longestName }))
  if (source !== undefined && (typeof source !== 'string' || source.length > longestDraft || source.includes('\u0000'))) problems.push(wrong('Source', 'WRONG_TYPE.source', { limit: longestDraft }))
  if (problems.length > 0) return invalid(problems)
  return { ...(name === undefined ? {} : { Name: trimmed }), ...(typeof source === 'string' ? { Source: source } : {}) }
}

import type { DateText } from '#base/date.ts'
import type { WhyNot } from '#api/approval.ts'
import { metadata as product } from '#generated/metadata.ts'
import type { Metadata } from '#meta/metadata.ts'
import { hasQueue } from '#server/access/guards.ts'
import { loadUser } from '#server/access/users.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { settingValue } from '#server/settings.ts'
import type { Level, Step } from './matrix.ts'

/** Somebody in whose name a user may decide: himself, or who has handed his approvals over to him for these days. */
export interface Voice {
  readonly user: User
  /** Positions he holds as an employee. */
  readonly positions: readonly string[]
  /** Document types handed over, none naming all of them; undefined: the user himself. */
  readonly docTypes: readonly string[] | undefined
}

/** What has to be known of a request to tell whose turn it is. */
export interface Open {
  readonly doc_type: string
  readonly transition: string
  /** Who asked, and who has made what is asked about. */
  readonly makers: readonly number[]
  readonly operating_unit_id: number
  readonly territory_id: number | null
  readonly current_level: number
  readonly levels: readonly Level[]
  /** Who has approved it so far, and in whose name. */
  readonly spoken: readonly Spoken[]
}

export interface Spoken {
  readonly actor_id: number
  readonly on_behalf_of_id: number | null
}

/** In whose name the user decides a request now, and the steps that takes. */
export interface Turn {
  readonly voice: Voice
  readonly steps: readonly Step[]
}

/** What a request asks about; each part a column or a value. */
interface Asked {
  readonly docType: Sql
  readonly docId: Sql
  /** Is all of it decided, and not one step or single fields of what counts already? */
  readonly isWhole: Sql
  readonly requestedBy: Sql
  /** As they were when this user gave his word at that moment, without what the log says after it; now unless said. */
  readonly at?: { readonly moment: Sql; readonly actor: Sql }
}

/** An array of the makers: whoever asked and, where all of it is decided, whoever has entered or changed it or what belongs to it. */
export function makersOf({ docType, docId, isWhole, requestedBy, at }: Asked): Sql {
  const until = at === undefined ? sql`` : sql` and l.at <= ${at.moment} and not exists (
      select 1 from document_log p where p.doc_type = l.doc_type and p.doc_id = l.doc_id and p.action in ('approve', 'approve-level') and p.actor_id = ${at.actor} and p.at = ${at.moment} and p.id < l.id)`
  const entered = sql`l.action in ('create', 'edit') and l.actor_id is not null and ${isWhole}${until}`
  const belonging = owned.map(({ entity, table, column, of }) => sql` union select l.actor_id from ${ident(table)} o join document_log l on l.doc_type = ${entity} and l.doc_id = o.id
    where ${docType} = ${of} and o.${ident(column)} = ${docId} and ${entered}`)
  return sql`array(select ${requestedBy} union select l.actor_id from document_log l where l.doc_type = ${docType} and l.doc_id = ${docId} and ${entered}${join(belonging, '')})`
}

/** Records with a page of their own that belong to what waits for approval as a whole: addresses of a new customer. */
const owned = Object.values(product.entities).flatMap((entity) => {
  const owner = entity.fields.find((field) => field.name === entity.owner)
  const of = product.entities[owner?.entity ?? '']
  return owner === undefined || of?.fields.some((field) => field.approval) !== true ? [] : [{ entity: entity.id, table: entity.table, column: owner.name, of: of.id }]
})

/** Does the request `alias` decide on all of a document or new record? */
export function isWholeIn(alias: 't' | 'r'): Sql {
  const request = trusted(alias)
  return sql`(${request}.transition = 'approve' or coalesce(${request}.payload @> '{"is_new": true}'::jsonb, false))`
}

/** Column `makers` of `approval_request t`. */
export const makersColumn = sql`${makersOf({ docType: sql`t.doc_type`, docId: sql`t.doc_id`, isWhole: isWholeIn('t'), requestedBy: sql`t.requested_by` })} as makers`

/** The user himself, then those who have handed their approvals over to him for this day. */
export async function voicesOf(queries: Queries, user: User, today: DateText): Promise<readonly Voice[]> {
  const voices: Voice[] = [{ user, positions: await positionsOf(queries, user), docTypes: undefined }]
  for (const { from_user_id, doc_types } of await handedTo(queries, [user.id], today)) {
    const from = await loadUser(queries, from_user_id)
    if (from) voices.push({ user: from, positions: await positionsOf(queries, from), docTypes: doc_types })
  }
  return voices
}

/**
 * Whose word the user may give now; undefined: nobody's. His own comes before another's. Neither a maker nor anybody in a maker's name decides,
 * and whoever acts for another speaks once about a request: four eyes stay four, however many levels there are. What is handed over is a turn, never
 * a permission: the other must himself still be able to decide it.
 */
export function turnOf(metadata: Metadata, voices: readonly Voice[], request: Open, mayDecideOwn = false): Turn | undefined {
  const level = request.levels[request.current_level - 1]
  const [own] = voices
  if (!level || !own) return undefined
  const before = request.spoken.filter((spoken) => spoken.actor_id === own.user.id)
  if (before.some((spoken) => spoken.on_behalf_of_id !== null)) return undefined
  if (request.makers.includes(own.user.id) && !mayDecideOwn) return undefined
  for (const voice of voices) {
    const isDeputy = voice.docTypes !== undefined
    if (isDeputy && (before.length > 0 || request.makers.includes(voice.user.id) || !isHandedOver(metadata, voice, request))) continue
    const steps = level.steps.filter((step) => isApprover(voice.user, voice.positions, step) && !step.approvedBy.includes(voice.user.id))
    if (steps.length > 0) return { voice, steps }
  }
  return undefined
}

export async function isSelfApprovalAllowed(queries: Queries): Promise<boolean> {
  return (await settingValue(queries, 'allow_self_approval', null)) === true
}

/** Why this user may not decide it whoever's turn it is: he has made it, or given his word about it before. */
export function whyNot({ makers, spoken }: Pick<Open, 'makers' | 'spoken'>, userId: number, mayDecideOwn: boolean): WhyNot | undefined {
  if (makers.includes(userId) && !mayDecideOwn) return 'MAKER'
  return spoken.some((one) => one.actor_id === userId) ? 'SPOKEN' : undefined
}

function isHandedOver(metadata: Metadata, { user, docTypes = [] }: Voice, request: Open): boolean {
  if (docTypes.length > 0 && !docTypes.includes(request.doc_type)) return false
  return mayDecide(metadata, user, request)
}

/** Does the user hold the queue of such requests, and does the document lie within his scope? */
export function mayDecide(metadata: Metadata, user: User, request: Pick<Open, 'doc_type' | 'transition' | 'operating_unit_id' | 'territory_id'>): boolean {
  if (!hasQueue(metadata, user, knownEntity(metadata, request.doc_type), request.transition)) return false
  const holds = (scope: User['territories'], id: number | null): boolean => scope === 'all' || id === null || scope.includes(id)
  return holds(user.operatingUnits, request.operating_unit_id) && holds(user.territories, request.territory_id)
}

/** Active users who stand in on a day for one of these approvers of such a document. */
export async function deputiesOf(queries: Queries, metadata: Metadata, approvers: readonly number[], request: Omit<Open, 'levels' | 'current_level' | 'spoken' | 'makers'>, makers: Sql, today: DateText): Promise<readonly number[]> {
  if (approvers.length === 0) return []
  const rows = await queries.rows<{ to_user_id: number }>(sql`
    select distinct to_user_id from approval_delegation
    where from_user_id = any(${[...approvers]}::bigint[]) and to_user_id <> all(${makers}) and ended_at is null and ${today}::date between valid_from and valid_to
      and (doc_types = '{}' or ${request.doc_type} = any(doc_types))
    order by to_user_id`)
  const able: number[] = []
  for (const { to_user_id } of rows) {
    const user = await loadUser(queries, to_user_id)
    if (user && mayDecide(metadata, user, request)) able.push(user.id)
  }
  return able
}

async function handedTo(queries: Queries, userIds: readonly number[], today: DateText) {
  return queries.rows<Row & { from_user_id: number; doc_types: readonly string[] }>(sql`
    select from_user_id, doc_types from approval_delegation
    where to_user_id = any(${[...userIds]}::bigint[]) and ended_at is null and ${today}::date between valid_from and valid_to order by id`)
}

export function isApprover(user: User, positions: readonly string[], step: Step): boolean {
  switch (step.kind) {
    // An administrator decides only where the matrix names his role.
    case 'ROLE':
      return step.ref === user.roleCode
    case 'USER':
      return step.ref.toLowerCase() === user.email.toLowerCase()
    case 'POSITION':
      return positions.includes(step.ref)
  }
}

async function positionsOf(queries: Queries, user: User): Promise<readonly string[]> {
  const rows = await queries.rows<{ position: string }>(sql`
    select e.position from employee e join app_user u on u.work_number = e.work_number where u.id = ${user.id} and e.is_active`)
  return rows.map((row) => row.position)
}

/** What whom each step asks is called: a role, a person, a position by its own word. */
export async function namesOfSteps(queries: Queries, steps: readonly Pick<Step, 'kind' | 'ref'>[]): Promise<readonly string[]> {
  const names = await queries.rows<{ ref: string; name: string }>(sql`
    select code as ref, name from role where code = any(${steps.map(({ ref }) => ref)}::text[])
    union all select lower(email), name from app_user where lower(email) = any(${steps.map(({ ref }) => ref.toLowerCase())}::text[])`)
  return steps.map(({ kind, ref }) => names.find((row) => row.ref === (kind === 'USER' ? ref.toLowerCase() : ref))?.name ?? ref)
}

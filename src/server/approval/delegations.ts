import { addDays, dayText, isDate, type DateText } from '#base/date.ts'
import { isUnseen } from '#base/unseen.ts'
import type { Delegate, Delegation, DelegationAnswer, DelegationState } from '#api/approval.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Metadata } from '#meta/metadata.ts'
import { hasQueue } from '#server/access/guards.ts'
import { accessOfRoles, loadUser, scopeColumns, scopeOf, type ScopeRow } from '#server/access/users.ts'
import type { CommandContext, Queries, Row, User } from '#server/context.ts'
import { likeText } from '#server/documents/conditionSql.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { isId, isStorable } from '#server/documents/parseValue.ts'
import { notify } from '#server/notifications/notify.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'

/** Where people look at what they handed over. */
const page = '/approval/delegation'
/** Nobody is away for longer without the matrix being changed. */
const mostDays = 366
const mostPeople = 50

interface DelegationRow extends Row {
  readonly id: number
  readonly from_user_id: number
  readonly from_name: string
  readonly to_user_id: number
  readonly to_name: string
  readonly valid_from: DateText
  readonly valid_to: DateText
  readonly doc_types: readonly string[]
  readonly note: string | null
  readonly created_at: string
  readonly ended_at: string | null
  readonly ended_by_name: string | null
}

const selected = sql`
  select d.id, d.from_user_id, f.name as from_name, d.to_user_id, t.name as to_name, d.valid_from, d.valid_to, d.doc_types, d.note, d.created_at, d.ended_at, e.name as ended_by_name
  from approval_delegation d join app_user f on f.id = d.from_user_id join app_user t on t.id = d.to_user_id left join app_user e on e.id = d.ended_by`

/** What the user has handed over and what was handed to him, newest first. */
export async function delegationsOf(queries: Queries, metadata: Metadata, user: User, today: DateText): Promise<DelegationAnswer> {
  const rows = await queries.rows<DelegationRow>(sql`${selected} where d.from_user_id = ${user.id} or d.to_user_id = ${user.id} order by d.valid_from desc, d.id desc limit 500`)
  const known: Known = new Map([[user.id, user]])
  const all: Delegation[] = []
  for (const row of rows) all.push(await wire(queries, metadata, row, today, known))
  return { given: all.filter((one) => one.FromUserID === user.id), received: all.filter((one) => one.ToUserID === user.id), docTypes: decidedBy(metadata, user) }
}

/** Active people who may decide on some of the user's documents as well. */
export async function delegatesFor(queries: Queries, metadata: Metadata, user: User, search: string): Promise<readonly Delegate[]> {
  const own = decidedBy(metadata, user)
  if (own.length === 0) return []
  const pattern = `%${likeText(search.trim().slice(0, 100))}%`
  const people = await queries.rows<ScopeRow & { id: number; name: string; role_id: number; role: string }>(sql`
    select u.id, u.name, u.role_id, r.name as role, ${scopeColumns} from app_user u join role r on r.id = u.role_id
    where u.is_active and r.is_active and u.id <> ${user.id} and (u.name ilike ${pattern} or u.email ilike ${pattern} or r.name ilike ${pattern}) order by u.name, u.id limit 1000`)
  const access = await accessOfRoles(queries, people.map((person) => person.role_id))
  const byRole = new Map([...access].map(([roleId, rights]) => [roleId, decidedBy(metadata, { ...user, ...rights }).filter((docType) => own.includes(docType))]))
  return people
    .map((person) => ({ ID: person.id, Name: person.name, RoleName: person.role, DocTypes: byRole.get(person.role_id) ?? [], IsNarrower: isNarrower(scopeOf(person), user) }))
    .filter((person) => person.DocTypes.length > 0)
    .slice(0, mostPeople)
}

/** Hands the user's approvals over; both sides are told, and it is kept in the history. */
export async function handOver(context: CommandContext, body: Readonly<Record<string, unknown>>): Promise<Delegation> {
  const { tx, user, metadata, today, now } = context
  const input = read(body, today)
  const own = decidedBy(metadata, user)
  const to = input.toUserId === user.id ? undefined : await loadUser(tx, input.toUserId)
  if (!to) return invalid([wrong('ToUserID', input.toUserId === user.id ? 'NOT_A_CHOICE.delegate-self' : 'NOT_A_CHOICE.delegate')])
  const strange = input.docTypes.filter((docType) => !own.includes(docType))
  if (own.length === 0 || strange.length > 0) return invalid([wrong('DocTypes', 'NOT_A_CHOICE.delegated')])
  const theirs = decidedBy(metadata, to)
  const asked = input.docTypes.length === 0 ? own : input.docTypes
  const missing = asked.filter((docType) => !theirs.includes(docType))
  if (missing.length === asked.length || (input.docTypes.length > 0 && missing.length > 0)) {
    return invalid([wrong('ToUserID', 'NOT_A_CHOICE.delegate-right', { documents: missing.map((docType) => ({ key: `entity.${docType}` })) })])
  }
  const repeated = await tx.exclusive(`delegations of user ${user.id}`, () =>
    tx.first<Pick<DelegationRow, 'valid_from' | 'valid_to'>>(sql`
      select valid_from, valid_to from approval_delegation
      where from_user_id = ${user.id} and to_user_id = ${to.id} and ended_at is null and valid_from <= ${input.validTo}::date and valid_to >= ${input.validFrom}::date
        and (doc_types = '{}' or ${asked}::text[] && doc_types) order by valid_from limit 1`))
  // Ended once, it would go on by the other, and the page would say that it does not.
  if (repeated) return invalid([wrong('ValidFrom', 'DUPLICATE.delegation', { name: to.name, from: dayText(repeated.valid_from), until: dayText(repeated.valid_to) })])
  const [id = 0] = await insertRows(tx, 'approval_delegation', [{
    from_user_id: user.id, to_user_id: to.id, valid_from: input.validFrom, valid_to: input.validTo, doc_types: input.docTypes, note: input.note, created_by: user.id, created_at: now.toISOString(),
  }])
  await writeLog(tx, {
    docType: 'approval_delegation', docId: id, at: now.toISOString(), actorId: user.id, action: 'create', note: input.note,
    diff: [{ field: 'to_user_id', from: null, to: to.id }, { field: 'valid_from', from: null, to: input.validFrom }, { field: 'valid_to', from: null, to: input.validTo }, { field: 'doc_types', from: null, to: input.docTypes }],
  })
  const params = { by: user.name, to: to.name, from: dayText(input.validFrom), until: dayText(input.validTo) }
  await notify(tx, now, [to.id], { kind: 'APPROVAL_ASKED', title: 'notification.delegation-received', params, link: page })
  await notify(tx, now, [user.id], { kind: 'APPROVAL_ASKED', title: 'notification.delegation-given', params, link: page })
  return one(tx, metadata, id, today)
}

/** Ends it at once; the user has handed over or taken over. Both sides are told. */
export async function endDelegation(context: CommandContext, id: number): Promise<Delegation> {
  const { tx, user, metadata, today, now } = context
  const row = await tx.first<{ id: number }>(sql`select id from approval_delegation where id = ${id} and (from_user_id = ${user.id} or to_user_id = ${user.id}) for update`)
  if (!row) return fail('NOT_IN_SCOPE.delegation')
  const before = await one(tx, metadata, id, today)
  if (before.State === 'ENDED' || before.State === 'OVER') return fail('ILLEGAL_TRANSITION.delegation')
  await tx.run(sql`update approval_delegation set ended_at = ${now.toISOString()}, ended_by = ${user.id} where id = ${id}`)
  await writeLog(tx, { docType: 'approval_delegation', docId: id, at: now.toISOString(), actorId: user.id, action: 'end' })
  await notify(tx, now, [before.FromUserID, before.ToUserID], {
    kind: 'APPROVAL_DECIDED', title: 'notification.delegation-ended', params: { by: user.name, from: before.FromUserName, to: before.ToUserName }, link: page,
  })
  return one(tx, metadata, id, today)
}

/** Documents with a queue in the user's menu that he may decide on. */
function decidedBy(metadata: Metadata, user: User): readonly string[] {
  const queues = Object.values(metadata.screens).flatMap((screen) => (screen.kind === 'approval' ? [screen] : []))
  return [...new Set(queues.filter(({ docType, transition }) => hasQueue(metadata, user, knownEntity(metadata, docType), transition)).map(({ docType }) => docType))].toSorted((a, b) => a.localeCompare(b))
}

interface Input {
  readonly toUserId: number
  readonly validFrom: DateText
  readonly validTo: DateText
  readonly docTypes: readonly string[]
  readonly note: string | null
}

function read(body: Readonly<Record<string, unknown>>, today: DateText): Input {
  const { ToUserID: to, ValidFrom: from, ValidTo: until, DocTypes: docTypes = [], Note: note = null, ...rest } = body
  const errors: FieldProblem[] = Object.keys(rest).map((key) => wrong(key.slice(0, 80), 'UNKNOWN_FIELD'))
  if (to == null) errors.push(wrong('ToUserID', 'REQUIRED'))
  else if (!isId(to)) errors.push(wrong('ToUserID', 'WRONG_TYPE.id'))
  for (const [field, value] of [['ValidFrom', from], ['ValidTo', until]] as const) {
    if (value == null || value === '') errors.push(wrong(field, 'REQUIRED'))
    else if (!isDate(value)) errors.push(wrong(field, 'WRONG_TYPE.date'))
  }
  if (isDate(from) && from < today) errors.push(wrong('ValidFrom', 'TOO_SMALL.past-day'))
  if (isDate(from) && isDate(until) && until < from) errors.push(wrong('ValidTo', 'TOO_SMALL.before-start'))
  if (isDate(from) && isDate(until) && until > addDays(from, mostDays - 1)) errors.push(wrong('ValidTo', 'TOO_LARGE.days', { limit: mostDays }))
  if (!isTexts(docTypes)) errors.push(wrong('DocTypes', 'WRONG_TYPE.list', { limit: 50 }))
  if (note !== null && (typeof note !== 'string' || note.length > 500 || !isStorable(note))) errors.push(wrong('Note', 'TOO_LONG', { limit: 500 }))
  if (errors.length > 0 || !isId(to) || !isDate(from) || !isDate(until) || !isTexts(docTypes)) return invalid(errors)
  return { toUserId: to, validFrom: from, validTo: until, docTypes: [...new Set(docTypes)], note: typeof note === 'string' && !isUnseen(note) ? note.trim() : null }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= 50 && value.every((part) => typeof part === 'string' && part.length <= 80)
}

async function one(queries: Queries, metadata: Metadata, id: number, today: DateText): Promise<Delegation> {
  const row = await queries.first<DelegationRow>(by(id))
  if (!row) throw new Error(`No delegation ${id}`)
  return wire(queries, metadata, row, today, new Map())
}

function by(id: number): Sql {
  return sql`${selected} where d.id = ${id}`
}

/** Users as far as they have been looked at; undefined: no longer active. */
type Known = Map<number, User | undefined>

async function wire(queries: Queries, metadata: Metadata, row: DelegationRow, today: DateText, known: Known): Promise<Delegation> {
  const state = stateOf(row, today)
  const isOpen = state === 'COMING' || state === 'RUNNING'
  const userOf = async (id: number): Promise<User | undefined> => {
    if (!known.has(id)) known.set(id, await loadUser(queries, id))
    return known.get(id)
  }
  const [from, to] = isOpen ? [await userOf(row.from_user_id), await userOf(row.to_user_id)] : []
  const ableOf = (user: User | undefined): readonly string[] => (user === undefined ? [] : decidedBy(metadata, user))
  return {
    ID: row.id, FromUserID: row.from_user_id, FromUserName: row.from_name, ToUserID: row.to_user_id, ToUserName: row.to_name, ValidFrom: row.valid_from, ValidTo: row.valid_to,
    DocTypes: row.doc_types, Note: row.note, CreatedAt: row.created_at, EndedAt: row.ended_at, EndedByName: row.ended_by_name, State: state,
    Unable: isOpen ? unable(row, ableOf(from), ableOf(to)) : [],
    IsNarrower: from !== undefined && to !== undefined && isNarrower(to, from),
  }
}

/** Does the one not see all that the other sees? */
function isNarrower(one: Scope, other: Scope): boolean {
  const lacks = (own: Scope['territories'], theirs: Scope['territories']): boolean => own !== 'all' && (theirs === 'all' || theirs.some((id) => !own.includes(id)))
  return lacks(one.territories, other.territories) || lacks(one.operatingUnits, other.operatingUnits)
}

type Scope = Pick<User, 'territories' | 'operatingUnits'>

function unable({ doc_types, from_name, to_name }: DelegationRow, own: readonly string[], theirs: readonly string[]): Delegation['Unable'] {
  if (own.length === 0) return [{ UserName: from_name, DocTypes: [] }]
  const asked = doc_types.length === 0 ? own : doc_types
  const lacking = [{ UserName: from_name, DocTypes: asked.filter((docType) => !own.includes(docType)) }, { UserName: to_name, DocTypes: asked.filter((docType) => own.includes(docType) && !theirs.includes(docType)) }]
  return lacking.filter(({ DocTypes }) => DocTypes.length > 0)
}

function stateOf(row: Pick<DelegationRow, 'ended_at' | 'valid_from' | 'valid_to'>, today: DateText): DelegationState {
  if (row.ended_at !== null) return 'ENDED'
  if (today < row.valid_from) return 'COMING'
  return today > row.valid_to ? 'OVER' : 'RUNNING'
}

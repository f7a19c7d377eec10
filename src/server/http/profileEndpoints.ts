import { dateFormats, profileDensities, profileLanguages, profileThemes, type ProfileAnswer, type SessionEntry } from '#api/account.ts'
import { isUnseen } from '#base/unseen.ts'
import type { FieldProblem } from '#api/problems.ts'
import { passwordDays } from '#api/password.ts'
import { deviceOf } from '#server/access/device.ts'
import { wasUsed } from '#server/access/passwordHistory.ts'
import { hashPassword, knownOf, passwordProblem, verifyPassword } from '#server/access/passwords.ts'
import { countCall } from '#server/access/rateLimit.ts'
import { endOtherSessions, endSession, setPassword } from '#server/access/sessions.ts'
import { agreeToTerms, termsVersion } from '#server/access/terms.ts'
import type { Row } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { changesOf, writeLog } from '#server/documents/audit.ts'
import { fieldMap, knownEntity } from '#server/documents/entities.ts'
import { isStorable } from '#server/documents/parseValue.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import type { Api, Call } from './api.ts'
import type { SessionCache } from './authenticate.ts'
import { bodyOf, idOf } from './read.ts'

const never = '0001-01-01T00:00:00Z'

/** What belongs to the signed-in user himself: profile, preferences, password, sessions, agreement to the terms. */
export function profileEndpoints(api: Api, sessions: SessionCache): void {
  const tag = 'Profile'
  api.get('/api/v1/profile', { summary: 'One’s own profile', tag }, async (call) => ({ ...(await profile(call)) }))
  api.put('/api/v1/profile', { summary: 'Change one’s own name, phone and preferences; keys left out stay', tag }, async (call) => {
    await saveProfile(call)
    await sessions.forget()
    return { ...(await profile(call)) }
  })
  api.put('/api/v1/profile/password', { summary: 'Change one’s own password; ends the other sessions', tag }, async (call) => {
    await changePassword(call)
    await sessions.forget()
    return {}
  })
  api.get('/api/v1/profile/sessions', { summary: 'Where one is signed in', tag }, async (call) => ({ records: await openSessions(call) }))
  api.delete('/api/v1/profile/sessions/:id', { summary: 'End one of one’s own sessions', tag }, async (call) => {
    const { database, clock } = call.services
    if (!(await endSession(database, clock.now(), call.user.id, idOf(call)))) fail('NOT_FOUND.session')
    await sessions.forget()
    return {}
  })
  api.delete('/api/v1/profile/sessions', { summary: 'End every other session of one’s own', tag }, async (call) => {
    const { database, clock } = call.services
    const ended = await endOtherSessions(database, clock.now(), call.user.id, call.sessionId, 'ENDED')
    await sessions.forget()
    return { ended }
  })
  api.put('/api/v1/setting/tos', { summary: 'Agree to the terms of service', tag }, agree)
}

async function profile({ services, user }: Call): Promise<ProfileAnswer> {
  const row = await services.database.first<Omit<ProfileAnswer, 'password_change_date' | 'password_expires_at'> & Row & { readonly password_change_date: string | null }>(sql`
    select u.id as user_id, u.name, u.email, u.phone, u.work_number, r.code as role, r.name as role_name, o.name as operating_unit, u.language, u.theme, u.density, u.date_format,
      u.password_change_date, u.tos_agreed_at, u.version,
      (select a.version from tos_agreement a where a.user_id = u.id order by a.id desc limit 1) as tos_version,
      case when u.territory_scope then array(select t.name from user_territory ut join territory t on t.id = ut.territory_id where ut.user_id = u.id order by t.code collate "C") else '{}' end as territories
    from app_user u join role r on r.id = u.role_id left join operating_unit o on o.id = u.operating_unit_id where u.id = ${user.id}`)
  if (!row) return fail('NOT_FOUND.gone')
  const changedAt = row.password_change_date
  return {
    ...row,
    password_change_date: changedAt ?? never,
    password_expires_at: changedAt === null ? null : new Date(Date.parse(changedAt) + passwordDays * 86_400_000).toISOString(),
  }
}

const choices: Readonly<Record<string, readonly string[]>> = { language: profileLanguages, theme: profileThemes, density: profileDensities, date_format: dateFormats }

async function saveProfile(call: Call): Promise<void> {
  const { services, user } = call
  const columns = parseProfile(bodyOf(call))
  await services.database.transaction(async (tx) => {
    const now = services.clock.now().toISOString()
    const before = await tx.first(sql`select name, phone, language, theme, density, date_format from app_user where id = ${user.id} for update`)
    const diff = changesOf(before ?? {}, columns, fieldMap(knownEntity(services.metadata, 'app_user')))
    if (diff.length === 0) return
    const sets = join(Object.entries(columns).map(([column, value]) => sql`${ident(column)} = ${value}`))
    await tx.run(sql`update app_user set ${sets}, version = version + 1, updated_at = ${now}, updated_by = ${user.id} where id = ${user.id}`)
    await writeLog(tx, { docType: 'app_user', docId: user.id, at: now, actorId: user.id, action: 'edit', diff, requestId: call.request.id })
  })
}

function parseProfile(body: Readonly<Record<string, unknown>>): Record<string, string | null> {
  const errors: FieldProblem[] = []
  const columns: Record<string, string | null> = {}
  for (const [key, value] of Object.entries(body)) {
    const allowed = Object.hasOwn(choices, key) ? choices[key] : undefined
    if (allowed !== undefined) {
      if (value === null || (typeof value === 'string' && allowed.includes(value))) columns[key] = value
      else errors.push(wrong(key, 'NOT_A_CHOICE', { choices: allowed }))
    } else if (key === 'name' || key === 'phone') {
      const text = typeof value === 'string' ? value.trim() : value
      const most = key === 'name' ? 255 : 40
      if (text !== null && typeof text !== 'string') errors.push(wrong(key, 'WRONG_TYPE.text'))
      else if (key === 'name' && (text === null || isUnseen(text))) errors.push(wrong(key, 'REQUIRED'))
      else if (text !== null && (text.length > most || !isStorable(text))) errors.push(wrong(key, 'TOO_LONG', { limit: most }))
      else columns[key] = text === '' ? null : text
    } else {
      errors.push(wrong(key.slice(0, 80), 'UNKNOWN_FIELD'))
    }
  }
  if (errors.length === 0 && Object.keys(columns).length === 0) errors.push(wrong('name', 'REQUIRED.change'))
  if (errors.length > 0) invalid(errors)
  return columns
}

async function changePassword(call: Call): Promise<void> {
  const { services, user, sessionId } = call
  const { database, clock } = services
  const { old_password: old, new_password: next } = bodyOf(call)
  if (typeof old !== 'string' || old === '') return invalid([wrong('old_password', 'REQUIRED')])
  if (typeof next !== 'string' || next === '') return invalid([wrong('new_password', 'REQUIRED')])
  // Whoever finds an open session must not guess the password through it.
  if ((await countCall(database, clock, { bucket: `password ${user.id}`, most: 10, windowMs: 15 * 60_000 })) > 0) fail('TOO_MANY_REQUESTS.minutes', { minutes: 15 }, { data: { seconds: 900 } })
  const row = await database.first<{ password_hash: string | null }>(sql`select password_hash from app_user where id = ${user.id}`)
  if (!(await verifyPassword(old, row?.password_hash ?? undefined))) invalid([wrong('old_password', 'WRONG')])
  const problem = passwordProblem(next, await knownOf(database, user))
  if (problem !== undefined) invalid([wrong('new_password', problem)])
  if (await wasUsed(database, user.id, next)) invalid([wrong('new_password', 'PASSWORD_REUSED')])
  const hash = await hashPassword(next)
  await database.transaction(async (tx) => {
    const now = clock.now()
    await setPassword(tx, now, user.id, hash, sessionId)
    await writeLog(tx, { docType: 'app_user', docId: user.id, at: now.toISOString(), actorId: user.id, action: 'change-password', requestId: call.request.id })
  })
}

async function openSessions({ services, user, sessionId }: Call): Promise<readonly SessionEntry[]> {
  const rows = await services.database.rows<Omit<SessionEntry, 'browser' | 'system'> & Row & { readonly user_agent: string | null }>(sql`
    select id, user_agent, coalesce(ip, '') as ip, created_at, coalesce(last_seen_at, created_at) as last_seen_at, expires_at, id = ${sessionId} as is_current
    from user_session where user_id = ${user.id} and revoked_at is null and expires_at > ${services.clock.now().toISOString()}
    order by id = ${sessionId} desc, coalesce(last_seen_at, created_at) desc, id desc limit 200`)
  return rows.map(({ user_agent: userAgent, ...row }) => ({ ...row, ...deviceOf(userAgent ?? '') }))
}

async function agree(call: Call): Promise<object> {
  const { services, user } = call
  const { agree: agrees, version } = bodyOf(call)
  if (agrees !== true) invalid([wrong('agree', 'REQUIRED.terms')])
  await services.database.transaction(async (tx) => {
    const current = await tx.first<{ version: string | null }>(sql`select ${termsVersion(services.clock.today())} as version`)
    // Agreeing without naming a version agrees to the one in force; to another one nobody can agree.
    if (version !== undefined && version !== current?.version) invalid([wrong('version', 'NOT_A_CHOICE.terms')])
    await agreeToTerms(tx, user.id, current?.version ?? '', services.clock.now())
  })
  return {}
}

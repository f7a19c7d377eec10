import type { Preferences } from '#api/account.ts'
import type { CurrentUser, LoginAnswer } from '#api/session.ts'
import { menuOf } from '#server/access/menu.ts'
import { isPasswordExpired } from '#api/password.ts'
import { guardsOfRole, menusOfRole, replaceGuards, replaceMenus } from '#server/access/roles.ts'
import { signIn, signOut } from '#server/access/sessions.ts'
import { requireGuard, requireOneOf } from '#server/access/guards.ts'
import { termsVersion } from '#server/access/terms.ts'
import type { Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { setChange, writeLog } from '#server/documents/audit.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { lockRecord } from '#server/documents/readRecord.ts'
import { watchReliances } from '#server/documents/reliances.ts'
import { fail } from '#server/problemError.ts'
import { changedMeanwhile } from '#server/documents/changedMeanwhile.ts'
import type { Api, Call } from './api.ts'
import type { SessionCache } from './authenticate.ts'
import { command } from './command.ts'
import { formOf, visitorOf } from './form.ts'
import { closedBodyOf, idOf, versionOf } from './read.ts'

const never = '0001-01-01T00:00:00Z'

/** Signing in and out, the current user, menu and permissions; permissions and menus of roles. */
export function sessionEndpoints(api: Api, sessions: SessionCache): void {
  const tag = 'Session'
  api.open('POST', '/api/v1/login', { summary: 'Exchange e-mail and password for a token of 7 days (form data or JSON)', tag }, async ({ services, request, body }) => {
    const form = await formOf(request, body, ['email', 'password'])
    const { token, logLoginId } = await signIn(services.database, services.clock, { email: form('email'), password: form('password'), ...visitorOf(request, form('user_agent')) })
    return { token, log_login_id: logLoginId } satisfies LoginAnswer
  }, 60)
  api.post('/api/v1/logout', { summary: 'End the session', tag }, async (call) => {
    await signOut(call.services.database, call.services.clock, call.sessionId)
    await sessions.forget()
    return {}
  })
  api.get('/api/v1/setting/user-personal', { summary: 'The signed-in user', tag }, async (call) => ({ ...(await currentUser(call)) }))
  api.get('/api/v1/menu', { summary: 'The menu of the user’s role', tag }, async (call) => ({ records: await menuOf(call.services.metadata, call.services.database, call.user) }))
  api.get('/api/v1/permission', { summary: 'Permissions the user holds', tag, query: { module: 'Only of this module', source: 'OMS' } }, async (call) => {
    const module = call.query['module'] || null
    const source = call.query['source'] || null
    const rows = await call.services.database.rows(sql`
      select p.guard_name as "GuardName" from role_permission r join permission p on p.guard_name = r.guard_name
      where r.role_id = ${call.user.roleId} and (${module}::text is null or p.module = ${module}) and (${source}::text is null or p.source = ${source})
      order by p.guard_name collate "C"`)
    return { records: rows }
  })
  api.get('/api/v1/role/:id/guards', { summary: 'Every permission, with whether the role holds it', tag: 'Roles' }, async (call) => {
    requireGuard(call.user, 'role-view')
    requireOneOf(call.services.metadata, call.user, ['role.list', 'role.form'])
    return { records: await guardsOfRole(call.services.database, idOf(call)) }
  })
  api.put('/api/v1/role/:id/guards', { summary: 'The role holds exactly these permissions: { GuardNames }', tag: 'Roles', headers: ['If-Match', 'Idempotency-Key'] }, async (call) => {
    requireGuard(call.user, 'role-edit')
    requireOneOf(call.services.metadata, call.user, ['role.form'])
    return replaceOf(call, sessions, 'GuardNames', 'edit-guards')
  })
  api.get('/api/v1/role/:id/menus', { summary: 'The menu tree, with what the role sees', tag: 'Roles' }, async (call) => {
    if (!call.user.guards.has('role-view')) requireGuard(call.user, 'role-menu-view')
    requireOneOf(call.services.metadata, call.user, ['role.list', 'role.form', 'role-menu.list', 'role-menu.form'])
    return { records: await menusOfRole(call.services.database, idOf(call)) }
  })
  api.put('/api/v1/role/:id/menus', { summary: 'The role sees exactly these menu entries: { MenuIDs }', tag: 'Roles', headers: ['If-Match', 'Idempotency-Key'] }, async (call) => {
    requireGuard(call.user, 'role-menu-edit')
    requireOneOf(call.services.metadata, call.user, ['role-menu.form'])
    return replaceOf(call, sessions, 'MenuIDs', 'edit-menus')
  })
}

async function replaceOf(call: Call, sessions: SessionCache, key: 'GuardNames' | 'MenuIDs', action: string): Promise<object> {
  const id = idOf(call)
  const version = versionOf(call)
  const { [key]: wanted } = closedBodyOf(call, [key])
  const answer = await command(call, async (run) => {
    const role = knownEntity(run.services.metadata, 'role')
    const before = await lockRecord(run.services, run.tx, run.user, role, id)
    if (version !== undefined && before['version'] !== version) await changedMeanwhile(run, role, before)
    const relied = await watchReliances(run, role, id)
    const { taken, given } = await (key === 'GuardNames' ? replaceGuards(run.tx, id, wanted) : replaceMenus(run.tx, id, wanted))
    await relied()
    const now = run.now.toISOString()
    await run.tx.run(sql`update role set version = version + 1, updated_at = ${now}, updated_by = ${run.user.id} where id = ${id}`)
    await writeLog(run.tx, { docType: 'role', docId: id, at: now, actorId: run.user.id, action, diff: setChange(key === 'GuardNames' ? 'guard_names' : 'menu_ids', taken, given) })
    return { record: { ID: id, Version: Number(before['version']) + 1 } }
  })
  await sessions.forget()
  return answer
}

interface UserRow extends Row, Preferences {
  readonly operating_unit_id: number | null
  readonly territory_scope: boolean
  readonly is_show_tos: boolean
  readonly password_change_date: string | null
  readonly picture_key: string | null
  readonly log_login_id: string
  readonly expires_at: string
  readonly own: number | null
  readonly tos_version: string | null
  readonly agreed: boolean
}

async function currentUser(call: Call): Promise<CurrentUser> {
  const { database, clock } = call.services
  const row = await database.first<UserRow>(sql`
    select u.operating_unit_id, u.territory_scope, u.is_show_tos, u.password_change_date, u.picture_key, u.language, u.theme, u.density, u.date_format, s.log_login_id, s.expires_at, v.version as tos_version,
      exists (select 1 from tos_agreement a where a.user_id = u.id and a.version = v.version) as agreed,
      (select ut.territory_id from user_territory ut where ut.user_id = u.id order by ut.is_default desc, ut.id limit 1) as own
    from app_user u join user_session s on s.id = ${call.sessionId} cross join (select ${termsVersion(clock.today())} as version) v where u.id = ${call.user.id}`)
  if (!row) return fail('UNAUTHENTICATED')
  const { user } = call
  return {
    user_id: user.id,
    name: user.name,
    email: user.email,
    role: user.roleCode,
    user_session_token: row.log_login_id,
    apps: ['oms'],
    territory_id: row.territory_scope ? (row.own ?? -1) : 0,
    territories: user.territories === 'all' ? [] : user.territories,
    operating_unit_id: row.operating_unit_id ?? (user.operatingUnits !== 'all' && user.operatingUnits.length === 1 ? (user.operatingUnits[0] ?? null) : null),
    // Asked of everybody who has not agreed to the terms in force, and of whom an administrator wants to ask again.
    is_show_tos: row.is_show_tos || (row.tos_version !== null && !row.agreed),
    tos_version: row.tos_version,
    password_change_date: row.password_change_date ?? never,
    picture_key: row.picture_key,
    is_password_expired: isPasswordExpired(row.password_change_date, clock.now()),
    session_expires_at: row.expires_at,
    language: row.language,
    theme: row.theme,
    density: row.density,
    date_format: row.date_format,
  }
}

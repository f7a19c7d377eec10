import type { FastifyRequest } from 'fastify'
import type { CurrentUser, LoginAnswer } from '#api/session.ts'
import { menuOf } from '#server/access/menu.ts'
import { passwordProblem, verifyPassword } from '#server/access/passwords.ts'
import { guardsOfRole, menusOfRole, replaceGuards, replaceMenus } from '#server/access/roles.ts'
import { setPassword, signIn, signOut } from '#server/access/sessions.ts'
import { assertAdministratorLeft } from '#server/access/administrators.ts'
import { requireGuard } from '#server/access/guards.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { lockRecord } from '#server/documents/readRecord.ts'
import { fail, invalid } from '#server/problemError.ts'
import { versionConflict } from '#server/workflow/engine.ts'
import type { Api, Call } from './api.ts'
import type { SessionCache } from './authenticate.ts'
import { command } from './command.ts'
import { bodyOf, idOf, versionOf } from './read.ts'

const never = '0001-01-01T00:00:00Z'

/** Signing in and out, the current user, menu and permissions; permissions and menus of roles. */
export function sessionEndpoints(api: Api, sessions: SessionCache): void {
  const tag = 'Session'
  api.open('POST', '/api/v1/login', { summary: 'Exchange e-mail and password for a token of 7 days (form data or JSON)', tag }, async ({ services, request, body }) => {
    const form = await formOf(request, body)
    const { token, logLoginId } = await signIn(services.database, services.clock, {
      email: form('email'), password: form('password'), userAgent: form('user_agent') || (request.headers['user-agent'] ?? ''), ip: request.ip,
    })
    return { token, log_login_id: logLoginId } satisfies LoginAnswer
  }, 60)
  api.post('/api/v1/logout', { summary: 'End the session', tag }, async (call) => {
    await signOut(call.services.database, call.services.clock, call.sessionId)
    sessions.forget()
    return {}
  })
  api.get('/api/v1/setting/user-personal', { summary: 'The signed-in user', tag }, async (call) => ({ ...(await currentUser(call)) }))
  api.get('/api/v1/menu', { summary: 'The menu of the user’s role', tag }, async (call) => ({ records: await menuOf(call.services.database, call.user) }))
  api.get('/api/v1/permission', { summary: 'Permissions the user holds', tag, query: { module: 'Only of this module', source: 'OMS' } }, async (call) => {
    const module = call.query['module'] || null
    const source = call.query['source'] || null
    const rows = await call.services.database.rows(sql`
      select p.guard_name as "GuardName" from role_permission r join permission p on p.guard_name = r.guard_name
      where r.role_id = ${call.user.roleId} and (${module}::text is null or p.module = ${module}) and (${source}::text is null or p.source = ${source})
      order by p.guard_name collate "C"`)
    return { records: rows }
  })
  api.put('/api/v1/setting/tos', { summary: 'Agree to the terms of service', tag }, async (call) => {
    const { agree } = bodyOf(call)
    if (agree !== true) invalid([{ field: 'agree', code: 'REQUIRED', text: 'The terms have to be agreed to.' }])
    await call.services.database.run(sql`update app_user set is_show_tos = false, tos_agreed_at = ${call.services.clock.now().toISOString()} where id = ${call.user.id}`)
    return {}
  })
  api.put('/api/v1/profile/password', { summary: 'Change one’s own password; ends the other sessions', tag }, async (call) => {
    const { old_password: old, new_password: next } = bodyOf(call)
    if (typeof old !== 'string' || typeof next !== 'string') return invalid([{ field: 'new_password', code: 'REQUIRED', text: 'The old and the new password are required.' }])
    const row = await call.services.database.first<{ password_hash: string | null }>(sql`select password_hash from app_user where id = ${call.user.id}`)
    if (!(await verifyPassword(old, row?.password_hash ?? undefined))) invalid([{ field: 'old_password', code: 'WRONG', text: 'This is not your password.' }])
    const problem = passwordProblem(next)
    if (problem !== undefined) invalid([{ field: 'new_password', code: 'WEAK_PASSWORD', text: problem }])
    await setPassword(call.services.database, call.services.clock, call.user.id, next, call.sessionId)
    sessions.forget()
    return {}
  })

  api.get('/api/v1/role/:id/guards', { summary: 'Every permission, with whether the role holds it', tag: 'Roles' }, async (call) => {
    requireGuard(call.user, 'role-view')
    return { records: await guardsOfRole(call.services.database, idOf(call)) }
  })
  api.put('/api/v1/role/:id/guards', { summary: 'The role holds exactly these permissions: { GuardNames }', tag: 'Roles', headers: ['If-Match', 'Idempotency-Key'] }, async (call) => {
    requireGuard(call.user, 'role-edit')
    return replaceOf(call, sessions, 'GuardNames', 'edit-guards')
  })
  api.get('/api/v1/role/:id/menus', { summary: 'The menu tree, with what the role sees', tag: 'Roles' }, async (call) => {
    if (!call.user.guards.has('role-view')) requireGuard(call.user, 'role-menu-view')
    return { records: await menusOfRole(call.services.database, idOf(call)) }
  })
  api.put('/api/v1/role/:id/menus', { summary: 'The role sees exactly these menu entries: { MenuIDs }', tag: 'Roles', headers: ['If-Match', 'Idempotency-Key'] }, async (call) => {
    requireGuard(call.user, 'role-menu-edit')
    return replaceOf(call, sessions, 'MenuIDs', 'edit-menus')
  })
}

async function replaceOf(call: Call, sessions: SessionCache, key: 'GuardNames' | 'MenuIDs', action: string): Promise<object> {
  const id = idOf(call)
  const version = versionOf(call)
  const { [key]: wanted, ...rest } = bodyOf(call)
  const unknown = Object.keys(rest)[0]
  if (unknown !== undefined) invalid([{ field: unknown, code: 'UNKNOWN_FIELD', text: 'Not expected here.' }])
  const answer = await command(call, async (run) => {
    const role = knownEntity(run.services.metadata, 'role')
    const before = await lockRecord(run.services, run.tx, run.user, role, id)
    if (version !== undefined && before['version'] !== version) versionConflict(role, before)
    await (key === 'GuardNames' ? replaceGuards(run.tx, id, wanted) : replaceMenus(run.tx, id, wanted))
    if (key === 'GuardNames') await assertAdministratorLeft(run.tx)
    const now = run.now.toISOString()
    await run.tx.run(sql`update role set version = version + 1, updated_at = ${now}, updated_by = ${run.user.id} where id = ${id}`)
    await writeLog(run.tx, { docType: 'role', docId: id, at: now, actorId: run.user.id, action })
    return { record: { ID: id, Version: Number(before['version']) + 1 } }
  })
  sessions.forget()
  return answer
}

async function currentUser(call: Call): Promise<CurrentUser> {
  const { database } = call.services
  const row = await database.first<{ operating_unit_id: number | null; territory_scope: boolean; is_show_tos: boolean; password_change_date: string | null; log_login_id: string; own: number | null }>(sql`
    select u.operating_unit_id, u.territory_scope, u.is_show_tos, u.password_change_date, s.log_login_id,
      (select ut.territory_id from user_territory ut where ut.user_id = u.id order by ut.is_default desc, ut.id limit 1) as own
    from app_user u join user_session s on s.id = ${call.sessionId} where u.id = ${call.user.id}`)
  if (!row) return fail('UNAUTHENTICATED', 'Sign in to continue.')
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
    is_show_tos: row.is_show_tos,
    password_change_date: row.password_change_date ?? never,
  }
}

/** Fields of a sign-in sent as form data (multipart or urlencoded) or JSON. */
async function formOf(request: FastifyRequest, body: unknown): Promise<(name: string) => string> {
  const values = new Map<string, string>()
  if (request.isMultipart()) {
    for await (const part of request.parts({ limits: { fields: 10, files: 0, fieldSize: 4_096 } })) {
      if (part.type === 'field' && typeof part.value === 'string') values.set(part.fieldname, part.value)
    }
  } else if (typeof body === 'object' && body !== null) {
    for (const [key, value] of Object.entries(body)) if (typeof value === 'string') values.set(key, value)
  }
  const errors = ['email', 'password'].filter((name) => (values.get(name) ?? '') === '').map((field) => ({ field, code: 'REQUIRED', text: 'A value is required.' }))
  if (errors.length > 0) invalid(errors)
  for (const value of values.values()) if (value.length > 1_000 || value.includes('\u0000')) invalid([{ field: 'email', code: 'TOO_LONG', text: 'At most 1000 characters.' }])
  return (name) => values.get(name) ?? ''
}

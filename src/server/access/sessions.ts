import { createHash } from 'node:crypto'
import { isPasswordExpired } from '#api/password.ts'
import type { Clock, Database, Queries, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { randomToken } from '#server/random.ts'
import { rememberPassword } from './passwordHistory.ts'
import { verifyPassword } from './passwords.ts'
import { countStranger, rememberFailure, strangerLockedUntil } from './strangers.ts'
import { loadUser, maySignIn } from './users.ts'

const sessionMs = 7 * 86_400_000
const allowedFailures = 5
const lockMs = 15 * 60_000
/** How exactly it is kept when a session was last used. */
const seenMs = 60_000

/** Where a session is opened from. */
export interface Visitor {
  readonly userAgent: string
  readonly ip: string
}

export interface Credentials extends Visitor {
  readonly email: string
  readonly password: string
}

export interface OpenedSession {
  readonly token: string
  readonly logLoginId: string
}

/** Why a session ended before its time. */
export type EndReason = 'SIGN_OUT' | 'ENDED' | 'PASSWORD' | 'ADMIN'

/** Checks e-mail and password and opens a session of 7 days. Five failures in a row lock the account for 15 minutes. */
export async function signIn(database: Database, clock: Clock, credentials: Credentials): Promise<OpenedSession> {
  const now = clock.now()
  const email = credentials.email.trim().toLowerCase()
  const user = await database.first<{ id: number; password_hash: string | null; locked_until: string | null }>(
    sql`select u.id, u.password_hash, u.locked_until from app_user u where lower(u.email) = ${email} and ${maySignIn('u')}`,
  )
  assertUnlocked(user ? user.locked_until : await strangerLockedUntil(database, now, email, allowedFailures), now)
  const isRight = await verifyPassword(credentials.password, user?.password_hash ?? undefined)
  if (!user || !isRight) {
    assertUnlocked(await (user ? countFailure(database, user.id, now) : countStranger(database, now, email, allowedFailures, lockMs)), now)
    fail('LOGIN_FAILED')
  }
  return database.transaction(async (tx) => {
    // Read again under lock: parallel guesses must not slip past the count.
    const held = await tx.first<{ locked_until: string | null }>(sql`select locked_until from app_user where id = ${user.id} for update`)
    assertUnlocked(held?.locked_until, now)
    await tx.run(sql`update app_user set failed_login_count = 0, locked_until = null where id = ${user.id}`)
    return openSession(tx, user.id, credentials, now)
  })
}

/** Opens a session for somebody who has proven who he is. */
export async function openSession(tx: Queries, userId: number, visitor: Visitor, now: Date): Promise<OpenedSession> {
  const token = randomToken(32)
  const logLoginId = randomToken(12)
  await tx.run(sql`
    insert into user_session (token_hash, user_id, log_login_id, ip, user_agent, created_at, expires_at, last_seen_at)
    values (${tokenHash(token)}, ${userId}, ${logLoginId}, ${visitor.ip}, ${visitor.userAgent.slice(0, 255)}, ${now.toISOString()},
      ${new Date(now.getTime() + sessionMs).toISOString()}, ${now.toISOString()})`)
  return { token, logLoginId }
}

export interface LiveSession {
  readonly user: User
  readonly sessionId: number
  /** The password is too old: nothing but changing it is allowed. */
  readonly isPasswordExpired: boolean
}

export type FoundSession = { readonly kind: 'live'; readonly session: LiveSession } | { readonly kind: 'none' | 'expired' | 'ended' }

/** The session of a bearer token, or why there is none. */
export async function sessionOfToken(database: Database, clock: Clock, token: string): Promise<FoundSession> {
  const now = clock.now()
  const row = await database.first<{
    id: number; user_id: number; expires_at: string; revoked_at: string | null; end_reason: EndReason | null; last_seen_at: string | null; password_change_date: string | null
  }>(sql`
    select s.id, s.user_id, s.expires_at, s.revoked_at, s.end_reason, s.last_seen_at, u.password_change_date
    from user_session s join app_user u on u.id = s.user_id where s.token_hash = ${tokenHash(token)}`)
  if (!row) return { kind: 'none' }
  if (row.revoked_at !== null) return { kind: row.end_reason === 'SIGN_OUT' ? 'none' : 'ended' }
  if (Date.parse(row.expires_at) <= now.getTime()) return { kind: 'expired' }
  const user = await loadUser(database, row.user_id)
  if (!user) return { kind: 'ended' }
  if (row.last_seen_at === null || now.getTime() - Date.parse(row.last_seen_at) > seenMs) {
    await database.run(sql`update user_session set last_seen_at = ${now.toISOString()} where id = ${row.id}`)
  }
  return { kind: 'live', session: { user, sessionId: row.id, isPasswordExpired: isPasswordExpired(row.password_change_date, now) } }
}

/** Ends the session it is called in. */
export async function signOut(database: Database, clock: Clock, sessionId: number): Promise<void> {
  await endSessions(database, clock.now(), sql`id = ${sessionId}`, 'SIGN_OUT')
}

/** Ends one session of a user; false when there is no such open session. */
export async function endSession(queries: Queries, now: Date, userId: number, sessionId: number): Promise<boolean> {
  return (await endSessions(queries, now, sql`id = ${sessionId} and user_id = ${userId}`, 'ENDED')) > 0
}

/** Ends every session of a user but one; how many those were. */
export function endOtherSessions(queries: Queries, now: Date, userId: number, keep: number | undefined, reason: EndReason): Promise<number> {
  return endSessions(queries, now, sql`user_id = ${userId} and id is distinct from ${keep ?? null}::bigint`, reason)
}

/** Sets a password of the user's own choice, given its hash, and ends his other sessions. */
export async function setPassword(tx: Queries, now: Date, userId: number, hash: string, keepSession?: number): Promise<void> {
  await rememberPassword(tx, userId, now)
  await tx.run(sql`
    update app_user set password_hash = ${hash}, password_change_date = ${now.toISOString()}, failed_login_count = 0, locked_until = null where id = ${userId}`)
  await endOtherSessions(tx, now, userId, keepSession, 'PASSWORD')
}

/** Forgets sessions that ended more than 30 days ago. */
export async function purgeSessions(database: Database, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - 30 * 86_400_000).toISOString()
  await database.run(sql`delete from user_session where expires_at < ${before} or revoked_at < ${before}`)
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function endSessions(queries: Queries, now: Date, which: ReturnType<typeof sql>, reason: EndReason): Promise<number> {
  return queries.run(sql`update user_session set revoked_at = ${now.toISOString()}, end_reason = ${reason} where ${which} and revoked_at is null`)
}

/** Counts one failure; the end of the lock when this was one too many. What lies a day back counts no longer, as with an address that has no account. */
function countFailure(database: Database, userId: number, now: Date): Promise<string | undefined> {
  const until = new Date(now.getTime() + lockMs).toISOString()
  return database.transaction(async (tx) => {
    await tx.run(sql`select id from app_user where id = ${userId} for update`)
    const isRecent = await rememberFailure(tx, now, userId)
    const row = await tx.first<{ locked_until: string | null }>(sql`
      update app_user u set
        failed_login_count = case when so_far.n + 1 >= ${allowedFailures} then 0 else so_far.n + 1 end,
        locked_until = case when so_far.n + 1 >= ${allowedFailures} then ${until}::timestamptz else locked_until end
      from (select case when ${isRecent} then failed_login_count else 0 end as n from app_user where id = ${userId}) so_far
      where u.id = ${userId} returning u.locked_until`)
    return row?.locked_until ?? undefined
  })
}

function assertUnlocked(until: string | null | undefined, now: Date): void {
  const waitMs = until == null ? 0 : Date.parse(until) - now.getTime()
  if (waitMs > 0) locked(waitMs)
}

function locked(waitMs: number): never {
  const minutes = Math.ceil(waitMs / 60_000)
  if (minutes === 1) fail('ACCOUNT_LOCKED.minute', {}, { data: { minutes } })
  fail('ACCOUNT_LOCKED.minutes', { minutes }, { data: { minutes } })
}

import { createHash } from 'node:crypto'
import type { Clock, Database, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { randomToken } from '#server/random.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { loadUser } from './users.ts'

const sessionMs = 7 * 86_400_000
const allowedFailures = 5
const lockMs = 15 * 60_000

export interface Credentials {
  readonly email: string
  readonly password: string
  readonly userAgent: string
  readonly ip: string
}

export interface OpenedSession {
  readonly token: string
  readonly logLoginId: string
}

/** Checks e-mail and password and opens a session of 7 days. Five failures in a row lock the account for 15 minutes. */
export async function signIn(database: Database, clock: Clock, credentials: Credentials): Promise<OpenedSession> {
  const now = clock.now()
  const email = credentials.email.trim().toLowerCase()
  const user = await database.first<{ id: number; password_hash: string | null; locked_until: string | null }>(
    sql`select id, password_hash, locked_until from app_user where lower(email) = ${email} and is_active`,
  )
  if (user?.locked_until != null && user.locked_until > now.toISOString()) locked()
  const isRight = await verifyPassword(credentials.password, user?.password_hash ?? undefined)
  if (!user || !isRight) {
    if (user) await countFailure(database, user.id, now)
    fail('LOGIN_FAILED', 'The e-mail or the password is not right.')
  }
  const token = randomToken(32)
  const logLoginId = randomToken(12)
  await database.transaction(async (tx) => {
    // Read again under lock: parallel guesses must not slip past the count.
    const held = await tx.first<{ locked_until: string | null }>(sql`select locked_until from app_user where id = ${user.id} for update`)
    if (held?.locked_until != null && held.locked_until > now.toISOString()) locked()
    await tx.run(sql`update app_user set failed_login_count = 0, locked_until = null where id = ${user.id}`)
    await tx.run(sql`
      insert into user_session (token_hash, user_id, log_login_id, ip, user_agent, created_at, expires_at, last_seen_at)
      values (${tokenHash(token)}, ${user.id}, ${logLoginId}, ${credentials.ip}, ${credentials.userAgent.slice(0, 255)}, ${now.toISOString()},
        ${new Date(now.getTime() + sessionMs).toISOString()}, ${now.toISOString()})`)
  })
  return { token, logLoginId }
}

/** The user of a bearer token, or undefined when the token is unknown, expired or revoked. */
export async function userOfToken(database: Database, clock: Clock, token: string): Promise<{ readonly user: User; readonly sessionId: number } | undefined> {
  const session = await database.first<{ id: number; user_id: number }>(
    sql`select id, user_id from user_session where token_hash = ${tokenHash(token)} and revoked_at is null and expires_at > ${clock.now().toISOString()}`,
  )
  const user = session && (await loadUser(database, session.user_id))
  return session && user ? { user, sessionId: session.id } : undefined
}

export async function signOut(database: Database, clock: Clock, sessionId: number): Promise<void> {
  await database.run(sql`update user_session set revoked_at = ${clock.now().toISOString()} where id = ${sessionId}`)
}

/** Sets a new password and ends every other session of the user. */
export async function setPassword(database: Database, clock: Clock, userId: number, password: string, keepSession?: number): Promise<void> {
  const hash = await hashPassword(password)
  const now = clock.now().toISOString()
  await database.transaction(async (tx) => {
    await tx.run(sql`update app_user set password_hash = ${hash}, password_change_date = ${now}, failed_login_count = 0, locked_until = null where id = ${userId}`)
    await tx.run(sql`update user_session set revoked_at = ${now} where user_id = ${userId} and revoked_at is null and id is distinct from ${keepSession ?? null}`)
  })
}

/** Forgets sessions that ended more than 30 days ago. */
export async function purgeSessions(database: Database, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - 30 * 86_400_000).toISOString()
  await database.run(sql`delete from user_session where expires_at < ${before} or revoked_at < ${before}`)
}

async function countFailure(database: Database, userId: number, now: Date): Promise<void> {
  const until = new Date(now.getTime() + lockMs).toISOString()
  await database.run(sql`
    update app_user set
      failed_login_count = case when failed_login_count + 1 >= ${allowedFailures} then 0 else failed_login_count + 1 end,
      locked_until = case when failed_login_count + 1 >= ${allowedFailures} then ${until}::timestamptz else locked_until end
    where id = ${userId}`)
}

function locked(): never {
  fail('ACCOUNT_LOCKED', 'Too many failed sign-ins. Try again in 15 minutes.')
}

function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

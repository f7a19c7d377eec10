import type { ResetWay } from '#api/account.ts'
import type { Clock, Database, Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { randomToken, readTypedCode, typedCode } from '#server/random.ts'
import type { Services } from '#server/services.ts'
import { languageOf, textsOf } from '#server/texts.ts'
import { wasUsed } from './passwordHistory.ts'
import { hashPassword, knownOf, passwordProblem } from './passwords.ts'
import { countCall } from './rateLimit.ts'
import { setPassword, tokenHash } from './sessions.ts'
import { maySignIn } from './users.ts'

const validMinutes = 60
/** Mails to one address within the time a token holds. */
const mostMails = 3
/** A code of 80 bits. */
const codeGroups = 4
/** Tokens of links are longer than any code. */
const linkLength = 43

/**
 * How a reset goes on from its mail. A link begins with the configured address alone: whoever asks could name any host as the one he called, and
 * the mail would lead its reader there. Without one the mail holds a code for the page it was asked on.
 */
export function resetWay({ publicUrl }: Services): ResetWay {
  return publicUrl === undefined ? 'code' : 'link'
}

/**
 * Mails a one-time link or code to whoever has an account with the address. Run it after the answer has left: the answer says the same, and takes
 * as long, whether there is such an account or not.
 */
export async function mailReset(services: Services, email: string): Promise<void> {
  const { database, clock, publicUrl } = services
  const address = email.trim().toLowerCase()
  const user = await database.first<{ id: number; name: string; email: string; language: string | null }>(
    sql`select u.id, u.name, u.email, u.language from app_user u where lower(u.email) = ${address} and ${maySignIn('u')}`,
  )
  if (!user) return
  if ((await countCall(database, clock, { bucket: `reset ${user.id}`, most: mostMails, windowMs: validMinutes * 60_000 })) > 0) return
  const now = clock.now()
  const token = publicUrl === undefined ? typedCode(codeGroups) : randomToken(32)
  const t = textsOf(languageOf(user.language))
  const values = { name: user.name, minutes: validMinutes }
  const text = publicUrl === undefined ? t('mail.reset.code-text', { ...values, code: token }) : t('mail.reset.text', { ...values, link: `${publicUrl}/pages/reset-password/${token}` })
  await database.transaction(async (tx) => {
    await tx.run(sql`
      insert into password_reset (token_hash, user_id, created_at, expires_at)
      values (${tokenHash(token)}, ${user.id}, ${now.toISOString()}, ${new Date(now.getTime() + validMinutes * 60_000).toISOString()})`)
    await services.mail.post({ to: user.email, subject: t('mail.reset.subject'), text }, tx)
  })
}

/** Refuses with RESET_INVALID unless the token of a link, or a code, can still be used. */
export async function assertResetToken(services: Services, token: string): Promise<void> {
  await openReset(services, services.database, token)
}

/** Sets the new password of whoever holds the token, which is used up by it; ends all his sessions. */
export async function resetPassword(services: Services, token: string, password: string): Promise<void> {
  const check = (known: readonly string[]): void => {
    const problem = passwordProblem(password, known)
    if (problem !== undefined) invalid([wrong('password', problem)])
  }
  check([])
  const user = await openReset(services, services.database, token)
  check(await knownOf(services.database, user))
  if (await wasUsed(services.database, user.user_id, password)) invalid([wrong('password', 'PASSWORD_REUSED')])
  // Hashing takes a while: not while rows are locked.
  const hash = await hashPassword(password)
  await services.database.transaction(async (tx) => {
    const now = services.clock.now()
    const { user_id: userId } = await openReset(services, tx, token)
    await tx.run(sql`update password_reset set used_at = ${now.toISOString()} where user_id = ${userId} and used_at is null`)
    await setPassword(tx, now, userId, hash)
    await writeLog(tx, { docType: 'app_user', docId: userId, at: now.toISOString(), actorId: userId, action: 'reset-password' })
  })
}

/** Forgets tokens that cannot be used any more. */
export async function purgeResets(database: Database, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - 86_400_000).toISOString()
  await database.run(sql`delete from password_reset where expires_at < ${before}`)
}

interface ResetRow extends Row {
  readonly user_id: number
  readonly email: string
  readonly name: string
}

async function openReset(services: Services, queries: Queries, token: string): Promise<ResetRow> {
  const row = await queries.first<ResetRow>(sql`
    select r.user_id, u.email, u.name from password_reset r join app_user u on u.id = r.user_id
    where r.token_hash = ${tokenHash(token.length < linkLength ? readTypedCode(token) : token)} and r.used_at is null and r.expires_at > ${services.clock.now().toISOString()} and ${maySignIn('u')} for update of r`)
  return row ?? fail('RESET_INVALID')
}

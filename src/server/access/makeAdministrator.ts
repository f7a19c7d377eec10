import type { Queries } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { administratorRole } from './administrator.ts'
import { setPassword } from './sessions.ts'

interface Administrator {
  readonly email: string
  readonly name: string
  /** Hash of the password chosen for him. */
  readonly hash: string
}

/**
 * Makes somebody an administrator with a password: a new user, or the one with this address, whose former password counts as one of his last
 * and whose sessions end. Throws when the reference data is not there.
 */
export async function makeAdministrator(tx: Queries, { email, name, hash }: Administrator, now: Date): Promise<'created' | 'changed'> {
  const role = await tx.first<{ id: number }>(sql`select id from role where code = ${administratorRole}`)
  if (!role) throw new Error(`There is no role ${administratorRole}.`)
  const at = now.toISOString()
  const known = await tx.first<{ id: number }>(sql`select id from app_user where lower(email) = ${email.toLowerCase()}`)
  if (!known) {
    await insertRows(tx, 'app_user', [{ email: email.toLowerCase(), name, password_hash: hash, role_id: role.id, password_change_date: at, is_show_tos: true, created_at: at, updated_at: at }])
    return 'created'
  }
  await setPassword(tx, now, known.id, hash)
  await tx.run(sql`update app_user set role_id = ${role.id}, territory_scope = false, is_active = true, updated_at = ${at}, version = version + 1 where id = ${known.id}`)
  return 'changed'
}

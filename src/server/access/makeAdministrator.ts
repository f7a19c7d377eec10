import type { Queries, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { changesOf, writeLog, type Change } from '#server/documents/audit.ts'
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
 * and whose sessions end. The history of the user says that it was done on the server. Throws when the reference data is not there.
 */
export async function makeAdministrator(tx: Queries, { email, name, hash }: Administrator, now: Date): Promise<'created' | 'changed'> {
  const role = await tx.first<{ id: number }>(sql`select id from role where code = ${administratorRole}`)
  if (!role) throw new Error(`There is no role ${administratorRole}.`)
  const at = now.toISOString()
  const log = (docId: number, diff: readonly Change[]): Promise<void> => writeLog(tx, { docType: 'app_user', docId, at, actorId: null, action: 'create-admin', diff })
  const known = await tx.first<Row & { id: number }>(sql`select id, role_id, territory_scope, is_active from app_user where lower(email) = ${email.toLowerCase()}`)
  if (!known) {
    const [id = 0] = await insertRows(tx, 'app_user', [{ email: email.toLowerCase(), name, password_hash: hash, role_id: role.id, password_change_date: at, is_show_tos: true, created_at: at, updated_at: at }])
    await log(id, [])
    return 'created'
  }
  await setPassword(tx, now, known.id, hash)
  await log(known.id, changesOf(known, { role_id: role.id, territory_scope: false, is_active: true }, new Map()))
  await tx.run(sql`update app_user set role_id = ${role.id}, territory_scope = false, is_active = true, updated_at = ${at}, version = version + 1 where id = ${known.id}`)
  return 'changed'
}

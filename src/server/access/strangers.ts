import { createHash } from 'node:crypto'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

const rememberMs = 86_400_000

/**
 * Failed sign-ins with an e-mail address that has no account. They are counted and locked as those of an account are: otherwise the lock
 * would tell which addresses exist.
 */
export async function strangerLockedUntil(database: Database, clock: Clock, email: string, allowed: number): Promise<string | undefined> {
  const row = await database.first<{ resets_at: string }>(
    sql`select resets_at from rate_limit where bucket = ${bucketOf(email)} and count >= ${allowed} and resets_at > ${clock.now().toISOString()}`,
  )
  return row?.resets_at
}

/** Counts one failure; the end of the lock when this was one too many. */
export async function countStranger(database: Database, clock: Clock, email: string, allowed: number, lockMs: number): Promise<string | undefined> {
  const now = clock.now()
  const later = (ms: number): string => new Date(now.getTime() + ms).toISOString()
  const row = await database.first<{ count: number; resets_at: string }>(sql`
    insert into rate_limit as r (bucket, count, resets_at) values (${bucketOf(email)}, 1, ${later(rememberMs)})
    on conflict (bucket) do update set
      count = case when r.resets_at <= ${now.toISOString()}::timestamptz then 1 else r.count + 1 end,
      resets_at = case when r.resets_at > ${now.toISOString()}::timestamptz and r.count + 1 >= ${allowed} then ${later(lockMs)}::timestamptz else excluded.resets_at end
    returning count, resets_at`)
  return row && row.count >= allowed ? row.resets_at : undefined
}

function bucketOf(email: string): string {
  return `stranger ${createHash('sha256').update(email).digest('hex')}`
}

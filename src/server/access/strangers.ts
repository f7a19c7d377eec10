import { createHash } from 'node:crypto'
import type { Database, Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

const rememberMs = 86_400_000

/**
 * Failed sign-ins with an e-mail address that has no account. They are counted and locked as those of an account are: otherwise the lock
 * would tell which addresses exist.
 */
export async function strangerLockedUntil(database: Database, now: Date, email: string, allowed: number): Promise<string | undefined> {
  const row = await database.first<{ resets_at: string }>(
    sql`select resets_at from rate_limit where bucket = ${bucketOf(email)} and count >= ${allowed} and resets_at > ${now.toISOString()}`,
  )
  return row?.resets_at
}

/** Counts one failure; the end of the lock when this was one too many. `now`: the moment an account's lock would be reckoned from, or its minutes would tell the two apart. */
export async function countStranger(database: Database, now: Date, email: string, allowed: number, lockMs: number): Promise<string | undefined> {
  const later = (ms: number): string => new Date(now.getTime() + ms).toISOString()
  const row = await database.first<{ count: number; resets_at: string }>(sql`
    insert into rate_limit as r (bucket, count, resets_at) values (${bucketOf(email)}, 1, ${later(rememberMs)})
    on conflict (bucket) do update set
      count = case when r.resets_at <= ${now.toISOString()}::timestamptz then 1 else r.count + 1 end,
      resets_at = case when r.resets_at > ${now.toISOString()}::timestamptz and r.count + 1 >= ${allowed} then ${later(lockMs)}::timestamptz else excluded.resets_at end
    returning count, resets_at`)
  return row && row.count >= allowed ? row.resets_at : undefined
}

/** Has an account failed within the time failures are remembered? From now on it has. */
export async function rememberFailure(tx: Queries, now: Date, userId: number): Promise<boolean> {
  const bucket = `account ${userId}`
  const before = await tx.first<{ count: number }>(sql`select count from rate_limit where bucket = ${bucket} and resets_at > ${now.toISOString()}`)
  const until = new Date(now.getTime() + rememberMs).toISOString()
  await tx.run(sql`insert into rate_limit (bucket, count, resets_at) values (${bucket}, 1, ${until}) on conflict (bucket) do update set resets_at = excluded.resets_at`)
  return before !== undefined
}

function bucketOf(email: string): string {
  return `stranger ${createHash('sha256').update(email).digest('hex')}`
}

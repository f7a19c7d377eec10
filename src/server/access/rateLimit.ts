import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'

export interface Limit {
  /** What is counted together: kind of call and whom it is held against. */
  readonly bucket: string
  readonly most: number
  readonly windowMs: number
}

/** Buckets this process knows to be used up, so that a flood of refused calls costs the database nothing. */
const usedUp = new WeakMap<Database, Map<string, number>>()

/**
 * Counts one call and says how many milliseconds to wait: 0 while the bucket has room. Counted in the database, for every server process
 * together, in one statement.
 */
export async function countCall(database: Database, clock: Clock, { bucket, most, windowMs }: Limit): Promise<number> {
  const now = clock.now()
  const full = fullBuckets(database)
  const until = full.get(bucket)
  if (until !== undefined && until > now.getTime()) return until - now.getTime()
  full.delete(bucket)
  const row = await database.first<{ count: number; resets_at: string }>(sql`
    insert into rate_limit as r (bucket, count, resets_at) values (${bucket}, 1, ${new Date(now.getTime() + windowMs).toISOString()})
    on conflict (bucket) do update set
      count = case when r.resets_at <= ${now.toISOString()}::timestamptz then 1 else r.count + 1 end,
      resets_at = case when r.resets_at <= ${now.toISOString()}::timestamptz then excluded.resets_at else r.resets_at end
    returning count, resets_at`)
  if (!row || row.count <= most) return 0
  const resetsAt = Date.parse(row.resets_at)
  if (full.size > 10_000) full.clear()
  full.set(bucket, resetsAt)
  return Math.max(1, resetsAt - now.getTime())
}

/** Refuses with TOO_MANY_REQUESTS, telling how many seconds to wait, when the bucket is used up. */
export async function slowDown(database: Database, clock: Clock, limit: Limit): Promise<void> {
  const waitMs = await countCall(database, clock, limit)
  if (waitMs === 0) return
  const seconds = Math.ceil(waitMs / 1000)
  fail('TOO_MANY_REQUESTS.seconds', { seconds }, { data: { seconds } })
}

/** Forgets windows that are over. */
export async function purgeRateLimits(database: Database, clock: Clock): Promise<void> {
  await database.run(sql`delete from rate_limit where resets_at < ${clock.now().toISOString()}`)
}

/** An address as it is held against its network: an IPv6 customer has a whole /64 to call from. */
export function networkOf(ip: string): string {
  const plain = ip.startsWith('::ffff:') ? ip.slice(7) : ip
  if (!plain.includes(':')) return plain
  const [head = '', tail = ''] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === '' ? [] : tail.split(':')
  const groups = plain.includes('::') ? [...front, ...Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0'), ...back] : front
  return `${groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

function fullBuckets(database: Database): Map<string, number> {
  const known = usedUp.get(database) ?? new Map<string, number>()
  usedUp.set(database, known)
  return known
}

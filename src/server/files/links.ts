import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock, Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { randomToken } from '#server/random.ts'
import { isStorageKey } from './fileStore.ts'

/** How long a link to a file works: long enough for a slow browser to follow it, too short to be passed on. */
export const linkMs = 2 * 60_000

/** The part of a link that proves it was given out by this installation: key, moment it ends, signature. */
export async function linkToken(queries: Queries, clock: Clock, key: string): Promise<string> {
  const until = String(clock.now().getTime() + linkMs)
  return `${key}.${until}.${sign(await secretOf(queries), key, until)}`
}

/** The key a token opens now, or undefined when it was never given out or has ended. */
export async function keyOfLink(queries: Queries, clock: Clock, token: string): Promise<string | undefined> {
  const [key = '', until = '', signature = ''] = token.split('.')
  if (!isStorageKey(key) || !/^\d{13}$/.test(until)) return undefined
  const right = Buffer.from(sign(await secretOf(queries), key, until))
  const given = Buffer.from(signature)
  const isRight = right.length === given.length && timingSafeEqual(right, given)
  return isRight && Number(until) > clock.now().getTime() ? key : undefined
}

function sign(secret: string, key: string, until: string): string {
  return createHmac('sha256', secret).update(`file ${key} ${until}`).digest('base64url')
}

const known = new WeakMap<Queries, Promise<string>>()

/** One secret for all servers on the database, made by the first that needs it. */
function secretOf(queries: Queries): Promise<string> {
  const found = known.get(queries)
  if (found) return found
  const reading = readSecret(queries)
  known.set(queries, reading)
  reading.catch(() => known.delete(queries))
  return reading
}

async function readSecret(queries: Queries): Promise<string> {
  await queries.run(sql`insert into server_secret (name, value) values ('file-links', ${randomToken(32)}) on conflict (name) do nothing`)
  const row = await queries.first<{ value: string }>(sql`select value from server_secret where name = 'file-links'`)
  if (!row) throw new Error('There is no secret for links')
  return row.value
}

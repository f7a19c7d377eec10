import type { NotificationAnswer, NotificationRecord, NotificationState } from '#api/notification.ts'
import type { Database, Queries } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { wake } from './notify.ts'

const columns = sql`id as "ID", kind as "Kind", title as "Title", coalesce(params, '{}'::jsonb) as "Params", link as "Link", created_at as "CreatedAt", read_at as "ReadAt"`

export interface NotificationQuery {
  /** Only older ones than this. */
  readonly before?: number | undefined
  readonly length: number
  readonly isUnreadOnly: boolean
}

/** The user's notifications, newest first, with how many are unread. */
export async function listNotifications(queries: Queries, userId: number, query: NotificationQuery): Promise<NotificationAnswer> {
  const found = await newest(queries, userId, sql`${query.before === undefined ? sql`true` : sql`id < ${query.before}`} ${query.isUnreadOnly ? sql`and read_at is null` : sql``}`, query.length + 1)
  return { ...(await stateOf(queries, userId)), records: found.slice(0, query.length), more: found.length > query.length }
}

/** Unread ones that came after `after`, oldest first. */
export async function notificationsAfter(queries: Queries, userId: number, after: number): Promise<readonly NotificationRecord[]> {
  return (await newest(queries, userId, sql`id > ${after} and read_at is null`, 20)).toReversed()
}

export async function stateOf(queries: Queries, userId: number): Promise<NotificationState> {
  const row = await queries.first<{ unread: number; latest: number }>(sql`
    select (select count(*) from notification where user_id = ${userId} and read_at is null) as unread,
      coalesce((select max(id) from notification where user_id = ${userId}), 0) as latest`)
  return { unread: row?.unread ?? 0, latest: row?.latest ?? 0 }
}

/** Marks one of the user's notifications as read, or all. False: he has no such notification. */
export async function markRead(database: Database, userId: number, now: Date, id?: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    const one = id === undefined ? sql`true` : sql`id = ${id}`
    const marked = await tx.run(sql`update notification set read_at = ${now.toISOString()} where user_id = ${userId} and read_at is null and ${one}`)
    if (marked > 0) await wake(tx, [userId])
    return marked > 0 || id === undefined || (await tx.first(sql`select 1 as found from notification where id = ${id} and user_id = ${userId}`)) !== undefined
  })
}

/** Forgets what was read 90 days ago, and everything after half a year. */
export async function purgeNotifications(database: Database, now: Date): Promise<void> {
  const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString()
  await database.run(sql`delete from notification where created_at < ${daysAgo(180)} or (read_at < ${daysAgo(90)} and created_at < ${daysAgo(90)})`)
}

function newest(queries: Queries, userId: number, condition: Sql, length: number): Promise<(NotificationRecord & Record<string, unknown>)[]> {
  return queries.rows(sql`select ${columns} from notification where user_id = ${userId} and ${condition} order by id desc limit ${length}`)
}

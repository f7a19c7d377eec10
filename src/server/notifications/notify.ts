import type { NotificationKind } from '#api/notification.ts'
import type { Queries } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'

/** Users who have something new, as a JSON list of ids. */
export const notificationChannel = 'arus_notification'

export interface Notice {
  readonly kind: NotificationKind
  /** Message key of the sentence. */
  readonly title: string
  /** Fill the sentence; `document` names an entity. */
  readonly params: Readonly<Record<string, string>>
  /** Page it leads to. */
  readonly link?: string | undefined
  /** What it is about (`approval_request:17`), so that `settle` can take it back. */
  readonly subject?: string | undefined
}

/** Tells users something, inside the transaction that brings it about: nobody hears of what was undone. */
export async function notify(tx: Queries, now: Date, userIds: readonly number[], notice: Notice): Promise<void> {
  const { kind, title, params, link = null, subject = null } = notice
  const users = [...new Set(userIds)]
  await insertRows(tx, 'notification', users.map((user_id) => ({ user_id, kind, title, params, link, subject, created_at: now.toISOString() })))
  await wake(tx, users)
}

/** What the subject was about is settled: it counts as read, for everybody or for one user. */
export async function settle(tx: Queries, now: Date, subject: string, userId?: number): Promise<void> {
  const rows = await tx.rows<{ user_id: number }>(sql`
    update notification set read_at = ${now.toISOString()}
    where subject = ${subject} and read_at is null ${userId === undefined ? sql`` : sql`and user_id = ${userId}`} returning user_id`)
  await wake(tx, [...new Set(rows.map((row) => row.user_id))])
}

/** Payloads of PostgreSQL hold 8000 bytes. */
const idsAPayload = 400

/** Lets every server process look what is new for these users; delivered when the transaction commits. */
export async function wake(tx: Queries, userIds: readonly number[]): Promise<void> {
  for (let at = 0; at < userIds.length; at += idsAPayload) {
    await tx.run(sql`select pg_notify(${notificationChannel}, ${JSON.stringify(userIds.slice(at, at + idsAPayload))})`)
  }
}

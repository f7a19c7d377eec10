import type { NotificationRecord, NotificationState } from '#api/notification.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { notificationChannel } from './notify.ts'
import { notificationsAfter, stateOf } from './notifications.ts'

/** One open stream: what it is told goes to one window of one session. */
export interface Stream {
  readonly userId: number
  readonly sessionId: number
  send(event: 'state', data: NotificationState): void
  send(event: 'notification', data: NotificationRecord): void
  beat(): void
  end(): void
}

const beatMs = 25_000
/** Many changes at once (a bulk approval) are looked up together. */
const gatherMs = 50

/**
 * The open streams of this process. The database says whose notifications have changed (in whatever process that happened); what they are is
 * read once for each user who has a stream here. Nothing is asked of the database while nothing happens.
 */
export class Streams {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: (line: string) => void
  readonly #open = new Map<Stream, { latest: number }>()
  readonly #changed = new Set<number>()
  #listening: Promise<() => void> | undefined
  #gathering: NodeJS.Timeout | undefined
  #beating: NodeJS.Timeout | undefined

  constructor(database: Database, clock: Clock, log: (line: string) => void) {
    this.#database = database
    this.#clock = clock
    this.#log = log
  }

  /** Open streams of a user in this process. */
  countOf(userId: number): number {
    return [...this.#open.keys()].filter((stream) => stream.userId === userId).length
  }

  /** Starts to tell the stream what is new, first how things stand. */
  async add(stream: Stream): Promise<void> {
    this.#listening ??= this.#listen()
    // Before anything is read, so that nothing slips between reading and listening; what comes meanwhile is told after the state.
    const position = { latest: Number.MAX_SAFE_INTEGER }
    this.#open.set(stream, position)
    try {
      await this.#listening
      const state = await stateOf(this.#database, stream.userId)
      position.latest = state.latest
      stream.send('state', state)
    } catch (error) {
      stream.end()
      throw error
    }
    this.#beating ??= setInterval(() => {
      for (const open of this.#open.keys()) open.beat()
    }, beatMs).unref()
  }

  remove(stream: Stream): void {
    this.#open.delete(stream)
    if (this.#open.size > 0) return
    clearInterval(this.#beating)
    this.#beating = undefined
  }

  /** Ends every stream: the server stops. */
  async close(): Promise<void> {
    clearTimeout(this.#gathering)
    for (const stream of [...this.#open.keys()]) stream.end()
    const stop = await this.#listening?.catch(() => undefined)
    stop?.()
  }

  #listen(): Promise<() => void> {
    const listening = this.#database.listen(notificationChannel, (payload) => {
      const ids = payload === undefined ? [...this.#open.keys()].map((stream) => stream.userId) : idsIn(payload)
      for (const id of ids) this.#changed.add(id)
      this.#gathering ??= setTimeout(() => void this.#tell(), gatherMs)
    })
    listening.catch(() => {
      this.#listening = undefined
    })
    return listening
  }

  async #tell(): Promise<void> {
    this.#gathering = undefined
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const userId of changed) {
      const streams = [...this.#open].filter(([stream]) => stream.userId === userId)
      if (streams.length === 0) continue
      try {
        await this.#tellUser(userId, streams)
      } catch (error) {
        // The next change, or the window's next connection, brings it.
        this.#log(`Notifications of user ${userId} could not be read: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  async #tellUser(userId: number, streams: readonly (readonly [Stream, { latest: number }])[]): Promise<void> {
    const live = await this.#liveSessions(streams.map(([stream]) => stream.sessionId))
    const state = await stateOf(this.#database, userId)
    const known = Math.min(...streams.map(([, { latest }]) => latest))
    const fresh = state.latest > known ? await notificationsAfter(this.#database, userId, known) : []
    for (const [stream, position] of streams) {
      // Signed out, locked or expired since the stream was opened.
      if (!live.has(stream.sessionId)) {
        stream.end()
        continue
      }
      for (const record of fresh) if (record.ID > position.latest) stream.send('notification', record)
      position.latest = state.latest
      stream.send('state', state)
    }
  }

  async #liveSessions(ids: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.#database.rows<{ id: number }>(sql`
      select s.id from user_session s join app_user u on u.id = s.user_id
      where s.id = any(${ids}::bigint[]) and s.revoked_at is null and s.expires_at > ${this.#clock.now().toISOString()} and u.is_active`)
    return new Set(rows.map((row) => row.id))
  }
}

function idsIn(payload: string): readonly number[] {
  const ids: unknown = JSON.parse(payload)
  return Array.isArray(ids) ? ids.filter((id): id is number => typeof id === 'number') : []
}

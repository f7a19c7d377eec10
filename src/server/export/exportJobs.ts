import type { Said } from '#api/problems.ts'
import { exportFormats, exportStates, type ExportBody, type ExportJob } from '#api/export.ts'
import { seenBy } from '#server/access/seenBy.ts'
import type { Clock, Database, Row, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { addFileRow } from '#server/files/fileRows.ts'
import { say, type Sentence } from '#meta/sentence.ts'
import { notify } from '#server/notifications/notify.ts'
import { fail, ProblemError } from '#server/problemError.ts'
import { said } from '#server/sentences.ts'
import type { Services } from '#server/services.ts'
import { LocalTime } from './localTime.ts'
import { planExport } from './planExport.ts'
import { storeExport, type StoredExport } from './storeExport.ts'

const mostOpen = 5
const keptMs = 7 * 86_400_000
const beatMs = 1_000
/** A job whose server has been silent for so long will never end. */
const silentMs = 60_000

interface Open {
  readonly id: number
  readonly stop: AbortController
  done: number
  total: number | undefined
}

/**
 * Exports made in the background, one after another, so that the database stays free for people. How far one is stands in the database: any
 * server process can tell, and any can be told to stop it.
 */
export class ExportJobs {
  readonly #services: Services
  readonly #open = new Map<number, Open>()
  #last: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(services: Services) {
    this.#services = services
  }

  /** Checked as if it were made at once, then queued. */
  async start(user: User, body: ExportBody): Promise<ExportJob> {
    const { database, clock } = this.#services
    const time = new LocalTime()
    const { plan, fileName } = await planExport(seenBy(this.#services, user), user, body, time)
    await this.forgetSilent()
    const under = await database.first<{ n: number }>(sql`select count(*) as n from export_job where user_id = ${user.id} and state in ('QUEUED', 'RUNNING')`)
    if ((under?.n ?? 0) >= mostOpen) fail('EXCEEDS_AVAILABLE.exports', { most: mostOpen })
    const now = clock.now().toISOString()
    const row = await database.first(sql`
      insert into export_job (user_id, screen, title, format, request, state, file_name, created_at, beat_at)
      values (${user.id}, ${body.screen}, ${plan.title}, ${body.format}, ${JSON.stringify(body)}::jsonb, 'QUEUED', ${fileName}, ${now}, ${now}) returning *`)
    if (!row) throw new Error('No export was noted')
    const open: Open = { id: Number(row['id']), stop: new AbortController(), done: 0, total: undefined }
    this.#open.set(open.id, open)
    this.#timer ??= setInterval(() => void this.#report(), beatMs).unref()
    this.#last = this.#last.then(() => this.#run(open, user, body, time))
    return jobOf(row)
  }

  async list(user: User): Promise<readonly ExportJob[]> {
    await this.forgetSilent()
    const rows = await this.#services.database.rows(sql`select * from export_job where user_id = ${user.id} order by id desc limit 50`)
    return rows.map(jobOf)
  }

  async read(user: User, id: number): Promise<ExportJob> {
    const row = await this.#services.database.first(sql`select * from export_job where id = ${id} and user_id = ${user.id}`)
    return row ? jobOf(row) : fail('NOT_FOUND.export')
  }

  async cancel(user: User, id: number): Promise<ExportJob> {
    const { database, clock } = this.#services
    await database.run(sql`
      update export_job set state = 'CANCELLED', finished_at = ${clock.now().toISOString()} where id = ${id} and user_id = ${user.id} and state in ('QUEUED', 'RUNNING')`)
    const job = await this.read(user, id)
    if (job.State === 'CANCELLED') this.#open.get(id)?.stop.abort()
    return job
  }

  /** Resolves when nothing is under way in this process. */
  async idle(): Promise<void> {
    await this.#last
  }

  /** The server stops: what is under way ends, and says so. */
  async close(): Promise<void> {
    for (const { stop } of this.#open.values()) stop.abort()
    await this.#last
    clearInterval(this.#timer)
  }

  /** Closes the jobs of servers that are gone. */
  async forgetSilent(): Promise<void> {
    const now = this.#services.clock.now()
    await this.#services.database.run(sql`
      update export_job set state = 'FAILED', finished_at = ${now.toISOString()}, problem = ${JSON.stringify(say('problem.INTERNAL.export-restart'))}
      where state in ('QUEUED', 'RUNNING') and beat_at < ${new Date(now.getTime() - silentMs).toISOString()} and not (id = any(${[...this.#open.keys()]}::bigint[]))`)
  }

  async #run(open: Open, user: User, body: ExportBody, time: LocalTime): Promise<void> {
    const { database, clock, files } = this.#services
    try {
      const isMine = await database.run(sql`update export_job set state = 'RUNNING', beat_at = ${clock.now().toISOString()} where id = ${open.id} and state = 'QUEUED'`)
      if (isMine === 0) return
      const planned = await planExport(seenBy(this.#services, user), user, body, time)
      const stored = await storeExport(files, planned, {
        signal: open.stop.signal,
        onTotal: (total) => {
          open.total = total
        },
        onRows: (done) => {
          open.done = done
        },
      })
      if (!(await this.#finish(open, user, planned.fileName, stored))) await files.remove(stored.key)
    } catch (error) {
      await this.#fail(open, error)
    } finally {
      this.#open.delete(open.id)
      if (this.#open.size === 0) {
        clearInterval(this.#timer)
        this.#timer = undefined
      }
    }
  }

  /** Notes the file and tells its owner; false when it was cancelled at the last moment. */
  #finish(open: Open, user: User, name: string, stored: StoredExport): Promise<boolean> {
    const { database, clock } = this.#services
    const now = clock.now()
    return database.transaction(async (tx) => {
      const isDone = await tx.run(sql`
        update export_job set state = 'DONE', rows_total = ${open.done}, rows_done = ${open.done}, bytes = ${stored.size}, file_key = ${stored.key}, finished_at = ${now.toISOString()}
        where id = ${open.id} and state = 'RUNNING'`)
      if (isDone === 0) return false
      const expiresAt = new Date(now.getTime() + keptMs)
      await addFileRow(tx, { purpose: 'PRIVATE', name, file: stored, key: stored.key, by: user.id, at: now, expiresAt })
      await notify(tx, now, [user.id], { kind: 'EXPORT_READY', title: 'notification.export-ready', params: { name }, link: '/exports', subject: `export_job:${open.id}` })
      return true
    })
  }

  async #fail(open: Open, error: unknown): Promise<void> {
    const { database, clock, log } = this.#services
    const isStopped = open.stop.signal.aborted
    if (!isStopped && !(error instanceof ProblemError)) log(`Export ${open.id} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    const sentence = isStopped ? say('problem.INTERNAL.export-restart') : error instanceof ProblemError && error.problem.key !== undefined ? { key: error.problem.key, params: error.problem.params } : say('problem.INTERNAL.export')
    await database
      .run(sql`update export_job set state = 'FAILED', problem = ${JSON.stringify(sentence)}, finished_at = ${clock.now().toISOString()} where id = ${open.id} and state in ('QUEUED', 'RUNNING')`)
      .catch((second: unknown) => log(`Export ${open.id} could not be closed: ${String(second)}`))
  }

  /** Writes down how far everything is, and hears who was cancelled elsewhere. */
  async #report(): Promise<void> {
    const { database, clock, log } = this.#services
    try {
      for (const open of this.#open.values()) {
        const row = await database.first<{ state: string }>(sql`
          update export_job set rows_done = ${open.done}, rows_total = ${open.total ?? null}, beat_at = ${clock.now().toISOString()} where id = ${open.id} returning state`)
        if (row?.state === 'CANCELLED') open.stop.abort()
      }
    } catch (error) {
      log(`The progress of exports could not be written: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** Forgets what was exported when its file is gone. */
export async function purgeExports(database: Database, clock: Clock): Promise<void> {
  await database.run(sql`delete from export_job where created_at < ${new Date(clock.now().getTime() - keptMs).toISOString()} and state not in ('QUEUED', 'RUNNING')`)
}

function jobOf(row: Row): ExportJob {
  const numberOf = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value))
  const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))
  return {
    ID: Number(row['id']),
    Title: String(row['title']),
    Format: exportFormats.find((format) => format === row['format']) ?? 'xlsx',
    State: exportStates.find((state) => state === row['state']) ?? 'FAILED',
    RowsTotal: numberOf(row['rows_total']),
    RowsDone: Number(row['rows_done']),
    FileName: String(row['file_name']),
    FileKey: textOf(row['file_key']),
    Bytes: numberOf(row['bytes']),
    CreatedAt: String(row['created_at']),
    FinishedAt: textOf(row['finished_at']),
    Problem: sentenceOf(row['problem']),
  }
}

/** Why a job failed, as it was written down; said in the language of whoever looks. */
function sentenceOf(value: unknown): Said | null {
  if (typeof value !== 'string') return null
  const sentence: Sentence = JSON.parse(value)
  return said(sentence)
}

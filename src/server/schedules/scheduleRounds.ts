import type { ReportScreen } from '#meta/resolved.ts'
import { compose, say, type Sentence } from '#meta/sentence.ts'
import type { ReportSchedule } from '#api/schedule.ts'
import { fieldSight, seenBy } from '#server/access/seenBy.ts'
import { loadUser } from '#server/access/users.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeTable } from '#server/export/exportTable.ts'
import { LocalTime } from '#server/export/localTime.ts'
import { planExport } from '#server/export/planExport.ts'
import { notify } from '#server/notifications/notify.ts'
import { fail, ProblemError } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { languageOf, textsOf } from '#server/texts.ts'
import { nextTime } from './nextTime.ts'
import { exportGuard, mayReceive, recipientsOf, reportOf, requestOn, scheduleOf, selected } from './schedules.ts'
import { tellStopped } from './tellStopped.ts'

const lookEveryMs = 30_000
/** Whoever takes a schedule has so long to make its file; then another process may. */
const leaseMs = 10 * 60_000
/** A break of the server's own is tried again so often before the owner hears of it. */
const mostAttempts = 3
/** Mail servers refuse more. */
const mostBytes = 15 * 1024 * 1024

interface Taken {
  readonly schedule: ReportSchedule
  readonly ownerId: number
  readonly attempts: number
  /** Until when it is ours, as written down. */
  readonly until: string
}

/** Somebody who is sent what he may see himself. */
interface Recipient {
  readonly user: User
  readonly language: string | null
  readonly file: SentFile
}

/** Who is sent it, and who may no longer open it. */
interface Addressees {
  readonly recipients: readonly Recipient[]
  readonly leftOut: readonly number[]
}

interface SentFile {
  readonly title: string
  readonly name: string
  readonly mediaType: string
  readonly content: Uint8Array
  readonly isEmpty: boolean
}

/**
 * Sends the reports that are due. The database says which are: any number of server processes may look, one takes each, and what one that
 * died had taken is taken again. The mails are posted in the transaction that notes the report as sent, so it goes out once.
 */
export class ScheduleRounds {
  readonly #services: Services
  #timer: NodeJS.Timeout | undefined
  #running: Promise<number> | undefined
  #isStopped = false

  constructor(services: Services) {
    this.#services = services
  }

  /** Looks for reports that are due from now on. */
  start(): void {
    this.#timer = setInterval(() => void this.#round(), lookEveryMs)
    this.#timer.unref()
    void this.#round()
  }

  /** Looks now: something has just become due. */
  wake(): void {
    if (this.#timer !== undefined) setTimeout(() => void this.#round(), 250).unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.#running?.catch(() => undefined)
  }

  /** Sends what is due; how many went out. */
  async run(): Promise<number> {
    let sent = 0
    while (!this.#isStopped) {
      const taken = await this.#take()
      if (taken === undefined) break
      if (await this.#send(taken)) sent++
    }
    return sent
  }

  async #round(): Promise<void> {
    if (this.#running !== undefined || this.#isStopped) return
    this.#running = this.run()
    try {
      await this.#running
    } catch (error) {
      this.#services.log(`Scheduled reports are not sent: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      this.#running = undefined
    }
  }

  async #take(): Promise<Taken | undefined> {
    const { database, clock } = this.#services
    const now = clock.now()
    const until = new Date(now.getTime() + leaseMs).toISOString()
    const row = await database.first<{ id: number; owner_id: number; attempts: number }>(sql`
      update report_schedule set taken_until = ${until}, attempts = attempts + 1
      where id = (select id from report_schedule where is_active and next_at <= ${now.toISOString()} and (taken_until is null or taken_until <= ${now.toISOString()})
        order by next_at, id limit 1 for update skip locked)
      returning id, owner_id, attempts`)
    if (row === undefined) return undefined
    const found = await database.first(sql`${selected} where s.id = ${row.id}`)
    return found && { schedule: scheduleOf(found), ownerId: row.owner_id, attempts: row.attempts, until }
  }

  async #send(taken: Taken): Promise<boolean> {
    const { schedule, ownerId } = taken
    // The server itself went down over it each time.
    if (taken.attempts > mostAttempts) {
      await this.#close(taken, 'FAILED', say('problem.INTERNAL.schedule'))
      return false
    }
    try {
      const owner = await loadUser(this.#services.database, ownerId)
      if (owner === undefined) {
        await this.#close(taken, 'STOPPED', say('problem.FORBIDDEN_GUARD.schedule-owner'))
        return false
      }
      return await this.#post(taken, owner.name, await this.#recipients(schedule, owner))
    } catch (error) {
      await this.#refuse(taken, error)
      return false
    }
  }

  /**
   * Who is sent it, each with a file of what he may see himself. The report and the right to take it away are the owner's: without them nothing goes out.
   * Those who see the same share one file.
   */
  async #recipients(schedule: ReportSchedule, owner: User): Promise<Addressees> {
    const { database } = this.#services
    const screen = reportOf(this.#services, schedule.Request.screen)
    await this.#plan(schedule, owner)
    const languages = await database.rows<{ id: number; language: string | null }>(sql`
      select u.id, u.language from report_schedule_recipient x join app_user u on u.id = x.user_id where x.schedule_id = ${schedule.ID} order by u.id`)
    const files = new Map<string, SentFile>()
    const recipients: Recipient[] = []
    const leftOut: number[] = []
    for (const { id, language } of languages) {
      const user = await loadUser(database, id)
      if (user === undefined || !mayReceive(this.#services, user, screen)) {
        leftOut.push(id)
        continue
      }
      const sight = JSON.stringify([user.territories, user.operatingUnits, fieldSight(this.#services, user), hasOwnPresets(screen) ? user.id : null])
      const file = files.get(sight) ?? (await this.#fileFor(schedule, { ...user, name: owner.name, email: owner.email, guards: new Set([...user.guards, exportGuard(this.#services, screen)]) }))
      if (file === undefined) {
        leftOut.push(id)
        continue
      }
      files.set(sight, file)
      recipients.push({ user, language, file })
    }
    return recipients.length > 0 ? { recipients, leftOut } : fail('NOT_FOUND.recipients')
  }

  #plan({ Request: request }: ReportSchedule, user: User): ReturnType<typeof planExport> {
    return planExport(seenBy(this.#services, user), user, requestOn(request, reportOf(this.#services, request.screen), this.#services.clock), new LocalTime())
  }

  /** The file for a recipient; undefined: what its owner chose holds fields the recipient may not read. */
  async #fileFor(schedule: ReportSchedule, user: User): Promise<SentFile | undefined> {
    try {
      return await this.#file(schedule, user)
    } catch (error) {
      if (error instanceof ProblemError && error.problem.code === 'VALIDATION_FAILED') return undefined
      throw error
    }
  }

  /** The file as this user would have exported it now. */
  async #file(schedule: ReportSchedule, user: User): Promise<SentFile> {
    const { plan, fileName, open } = await this.#plan(schedule, user)
    const parts: Uint8Array[] = []
    let size = 0
    const file = open(async (bytes) => {
      size += bytes.length
      if (size > mostBytes) fail('EXCEEDS_AVAILABLE.mail-size', { most: mostBytes / 1024 / 1024 })
      parts.push(bytes)
    })
    const isEmpty = await plan.rows(async (source) => {
      await writeTable(plan, source, file, { signal: AbortSignal.timeout(leaseMs / 2) })
      return source.isEmpty
    })
    return { title: plan.title, name: fileName, mediaType: file.mediaType, content: Buffer.concat(parts), isEmpty }
  }

  /** False when it is no longer ours: changed, deleted or taken by another process meanwhile. */
  async #post(taken: Taken, ownerName: string, { recipients, leftOut }: Addressees): Promise<boolean> {
    const services = this.#services
    const { schedule } = taken
    return services.database.transaction(async (tx) => {
      if (!(await this.#note(tx, taken, 'SENT', undefined, schedule.IsActive))) return false
      await this.#tellLeftOut(tx, taken, leftOut)
      const link = services.publicUrl === undefined ? '' : `\n\n${services.publicUrl}/report-schedules`
      for (const { user: { email, name }, language, file } of recipients) {
        const t = textsOf(languageOf(language))
        await services.mail.post(
          {
            to: email,
            subject: t(file.isEmpty ? 'mail.report.subject-empty' : 'mail.report.subject', { name: schedule.Name }),
            text: [t('mail.report.text', { name, report: file.title, schedule: schedule.Name, owner: ownerName }), ...(file.isEmpty ? [t('mail.report.empty')] : [])].join('\n\n') + link,
            attachments: [{ filename: file.name, content: file.content, contentType: file.mediaType }],
          },
          tx,
        )
      }
      return true
    })
  }

  /** Whoever is left out for the first time is told, and so is the owner: he would go on believing that it is read. */
  async #tellLeftOut(tx: Queries, { schedule, ownerId }: Taken, leftOut: readonly number[]): Promise<void> {
    const changed = await tx.rows<{ name: string; user_id: number; is_left_out: boolean }>(sql`
      update report_schedule_recipient x set is_left_out = not x.is_left_out from app_user u
      where u.id = x.user_id and x.schedule_id = ${schedule.ID} and x.is_left_out <> (x.user_id = any(${leftOut}::bigint[])) returning u.name, x.user_id, x.is_left_out`)
    const anew = changed.filter((one) => one.is_left_out)
    if (anew.length === 0) return
    await notify(tx, this.#services.clock.now(), [ownerId], {
      kind: 'REPORT_FAILED',
      title: 'notification.report-left-out',
      params: { name: schedule.Name, people: anew.map(({ name }) => name).toSorted().join(', ') },
      link: '/report-schedules',
      subject: `report_schedule:${schedule.ID}`,
    })
    await tellStopped(tx, this.#services, schedule, ownerId, anew.map((one) => one.user_id))
  }

  /** A refusal is the owner's to mend; a lost permission ends it; a break of ours is tried again first. */
  async #refuse(taken: Taken, error: unknown): Promise<void> {
    const { log } = this.#services
    if (error instanceof ProblemError) {
      const { code, key, params } = error.problem
      const isOver = code === 'FORBIDDEN_GUARD' || key === 'problem.NOT_FOUND.screen'
      return this.#close(taken, isOver ? 'STOPPED' : 'FAILED', key === undefined ? say('problem.INTERNAL.schedule') : { key, ...(params === undefined ? {} : { params }) })
    }
    log(`Scheduled report ${taken.schedule.ID} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    // The lease it holds is the pause before the next attempt.
    if (taken.attempts < mostAttempts) return undefined
    return this.#close(taken, 'FAILED', say('problem.INTERNAL.schedule'))
  }

  /** Notes what became of it and tells the owner; that nothing comes any more, whoever it came to as well. */
  async #close(taken: Taken, state: 'FAILED' | 'STOPPED', problem: Sentence): Promise<void> {
    const { database, clock } = this.#services
    await database.transaction(async (tx) => {
      if (!(await this.#note(tx, taken, state, problem, state === 'FAILED'))) return
      const owner = await tx.first<{ language: string | null }>(sql`select language from app_user where id = ${taken.ownerId}`)
      const why = compose(problem, textsOf(languageOf(owner?.language))) ?? problem.key
      await notify(tx, clock.now(), [taken.ownerId], {
        kind: 'REPORT_FAILED',
        title: state === 'STOPPED' ? 'notification.report-stopped' : 'notification.report-failed',
        params: { name: taken.schedule.Name, problem: why },
        link: '/report-schedules',
        subject: `report_schedule:${taken.schedule.ID}`,
      })
      if (state === 'STOPPED') await tellStopped(tx, this.#services, taken.schedule, taken.ownerId, recipientsOf(taken.schedule))
    })
  }

  async #note(tx: Queries, { schedule, until }: Taken, state: string, problem: Sentence | undefined, isActive: boolean): Promise<boolean> {
    const now = this.#services.clock.now()
    const noted = await tx.rows<Row>(sql`
      update report_schedule set next_at = ${nextTime(schedule, now).toISOString()}, taken_until = null, attempts = 0, is_active = ${isActive}, last_at = ${now.toISOString()}, last_state = ${state},
        problem = ${problem === undefined ? null : JSON.stringify(problem)} where id = ${schedule.ID} and taken_until = ${until} and version = ${schedule.Version} returning id`)
    return noted.length > 0
  }
}

/** Is a parameter preset by who asks? */
function hasOwnPresets({ parameters }: ReportScreen): boolean {
  return parameters.some(({ default: own, defaultValue = own }) => typeof defaultValue === 'object' && 'user' in defaultValue)
}

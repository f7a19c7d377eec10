import type { Clock, Database, Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Mail, MailTransport } from './mail.ts'

const lookEveryMs = 20_000
/** Whoever takes a mail has so long to deliver it; then another process may. */
const leaseMs = 5 * 60_000
const mostAttempts = 12
const keptDays = 30

interface QueuedMail extends Row {
  readonly id: number
  readonly recipient: string
  readonly subject: string
  readonly body: string | null
  readonly html: string | null
  readonly attachments: readonly { readonly filename: string; readonly contentType?: string; readonly content: string }[] | null
  readonly attempts: number
}

/**
 * Mail goes into the database first and leaves from there: what was posted survives a restart, is tried again when the mail server is
 * away, and leaves once however many server processes look after it.
 */
export class MailRoom {
  readonly #database: Database
  readonly #clock: Clock
  readonly #transport: MailTransport | undefined
  readonly #log: (line: string) => void
  #timer: NodeJS.Timeout | undefined
  #delivering: Promise<number> | undefined
  #isStopped = false

  /** Without a transport mail waits in the database until a process that has one comes by. */
  constructor(options: { readonly database: Database; readonly clock: Clock; readonly transport?: MailTransport | undefined; readonly log: (line: string) => void }) {
    this.#database = options.database
    this.#clock = options.clock
    this.#transport = options.transport
    this.#log = options.log
  }

  /** Posts a mail; given the queries of a transaction it leaves only if that commits. */
  async post(mail: Mail, queries: Queries = this.#database): Promise<void> {
    const now = this.#clock.now().toISOString()
    const attachments = mail.attachments?.map(({ filename, contentType, content }) => ({
      filename, ...(contentType === undefined ? {} : { contentType }), content: Buffer.from(content).toString('base64'),
    }))
    await queries.run(sql`
      insert into mail (recipient, subject, body, html, attachments, created_at, due_at)
      values (${mail.to}, ${mail.subject.replaceAll(/\s+/g, ' ')}, ${mail.text}, ${mail.html ?? null}, ${attachments === undefined ? null : JSON.stringify(attachments)}::jsonb, ${now}, ${now})`)
    // The transaction it was posted in commits meanwhile.
    if (this.#timer !== undefined) setTimeout(() => void this.#round(), 250).unref()
  }

  /** Looks for mail from now on. */
  start(): void {
    if (this.#transport === undefined) return
    this.#timer = setInterval(() => void this.#round(), lookEveryMs)
    this.#timer.unref()
    void this.#round()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.#delivering
    this.#transport?.close()
  }

  /** Delivers what is due; how many left. */
  async deliver(): Promise<number> {
    let sent = 0
    while (!this.#isStopped) {
      const mail = await this.#take()
      if (mail === undefined) break
      if (await this.#send(mail)) sent++
    }
    return sent
  }

  async #round(): Promise<void> {
    if (this.#delivering !== undefined || this.#isStopped) return
    this.#delivering = this.deliver()
    try {
      await this.#delivering
    } catch (error) {
      this.#log(`Mail is not delivered: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      this.#delivering = undefined
    }
  }

  async #take(): Promise<QueuedMail | undefined> {
    const now = this.#clock.now()
    const until = new Date(now.getTime() + leaseMs).toISOString()
    return this.#database.first<QueuedMail>(sql`
      update mail set attempts = attempts + 1, due_at = ${until}
      where id = (select id from mail where sent_at is null and failed_at is null and due_at <= ${now.toISOString()} order by due_at, id limit 1 for update skip locked)
      returning id, recipient, subject, body, html, attachments, attempts`)
  }

  async #send(mail: QueuedMail): Promise<boolean> {
    try {
      await this.#transport?.send({
        to: mail.recipient,
        subject: mail.subject,
        text: mail.body ?? '',
        ...(mail.html === null ? {} : { html: mail.html }),
        ...(mail.attachments === null ? {} : { attachments: mail.attachments.map((part) => ({ ...part, content: Buffer.from(part.content, 'base64') })) }),
      })
    } catch (error) {
      await this.#postpone(mail, error)
      return false
    }
    // What it said is nobody's business any more; that it left stays known for a while.
    await this.#database.run(sql`update mail set sent_at = ${this.#clock.now().toISOString()}, body = null, html = null, attachments = null, last_error = null where id = ${mail.id}`)
    return true
  }

  async #postpone(mail: QueuedMail, error: unknown): Promise<void> {
    const now = this.#clock.now()
    const text = (error instanceof Error ? error.message : String(error)).slice(0, 2_000)
    const isFinal = mail.attempts >= mostAttempts || isRefused(error)
    this.#log(`Mail ${mail.id} to ${mail.recipient} ${isFinal ? 'cannot be delivered' : 'will be tried again'}: ${text}`)
    const waitMs = Math.min(60, 2 ** (mail.attempts - 1)) * 60_000
    await this.#database.run(
      isFinal
        ? sql`update mail set failed_at = ${now.toISOString()}, last_error = ${text}, body = null, html = null, attachments = null where id = ${mail.id}`
        : sql`update mail set due_at = ${new Date(now.getTime() + waitMs).toISOString()}, last_error = ${text} where id = ${mail.id}`,
    )
  }
}

/** Forgets mail that left, or could not leave, long ago. */
export async function purgeMail(database: Database, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - keptDays * 86_400_000).toISOString()
  await database.run(sql`delete from mail where sent_at < ${before} or failed_at < ${before}`)
}

/** Did the mail server refuse it for good? */
function isRefused(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'responseCode') : undefined
  return typeof code === 'number' && code >= 500
}

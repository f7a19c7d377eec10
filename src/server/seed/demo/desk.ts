import type { DateText } from '#base/date.ts'
import { metadata } from '#generated/metadata.ts'
import type { EntityId } from '#generated/names.ts'
import { loadUser } from '#server/access/users.ts'
import { decide } from '#server/approval/decide.ts'
import { clockOf } from '#server/clock.ts'
import type { Clock, Command, Database, Row, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { createRecord } from '#server/documents/saveRecord.ts'
import { noFileStore } from '#server/files/fileStore.ts'
import { MailRoom } from '#server/mail/mailRoom.ts'
import { registries } from '#server/registries.ts'
import type { Services } from '#server/services.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'
import { runTransition } from '#server/workflow/engine.ts'

/** The demo company's people at their desks: what they do goes through the same commands as in the running program. */
export class Desk {
  readonly #database: Database
  readonly #services: Services

  constructor(database: Database, clock: Clock, log: (line: string) => void) {
    this.#database = database
    this.#services = { database, clock, metadata, flow: [], files: noFileStore, log, mail: new MailRoom({ database, clock, log }), later: () => undefined, ...registries }
  }

  /** The same people on an earlier day. */
  on(day: DateText): Desk {
    return new Desk(this.#database, clockOf(() => new Date(`${day}T03:00:00.000Z`)), this.#services.log)
  }

  /** A document entered and, unless it stays a draft, submitted; answers its id. */
  async enter(account: string, id: EntityId, body: Row, submit = true): Promise<number> {
    return this.#as(account, async (run) => {
      const entity = knownEntity(metadata, id)
      const made = await createRecord(run, entity, body)
      if (submit) await runTransition(run, { entity, id: made, action: 'submit', input: {}, asSystem: true })
      return made
    })
  }

  /** Another step of a document. */
  async act(account: string, id: EntityId, document: number, action: string, input: Row = {}): Promise<void> {
    await this.#as(account, (run) => runTransition(run, { entity: knownEntity(metadata, id), id: document, action, input, asSystem: true }))
  }

  /** A command over rows of a list, or about what stands in its body; answers what it does. */
  command(account: string, command: Command, ids: readonly number[], params: Row = {}, body: Row = {}): Promise<Row> {
    return this.#as(account, (run) => command(run, { ids, params, body }))
  }

  /** Approves the open request of a document, level by level, by the accounts in their order. */
  async approve(accounts: readonly string[], id: EntityId, document: number): Promise<void> {
    for (const account of accounts) {
      const request = await this.#database.first<{ id: number }>(sql`select id from approval_request where doc_type = ${id} and doc_id = ${document} and status = 4`)
      if (request !== undefined) await this.#as(account, (run) => decide(run, request.id, 'approve', {}))
    }
  }

  async #as<T>(account: string, work: (run: CommandRun) => Promise<T>): Promise<T> {
    const user = await this.#user(account)
    return this.#database.transaction(async (tx) => {
      const run = new CommandRun(this.#services, tx, user)
      const answer = await work(run)
      run.assertAcknowledged()
      return answer
    })
  }

  async #user(account: string): Promise<User> {
    const row = await this.#database.first<{ id: number }>(sql`select id from app_user where email = ${`${account}@arus.example`}`)
    const user = row && (await loadUser(this.#database, row.id))
    if (user === undefined) throw new Error(`Nobody of the demo company is called ${account}`)
    return user
  }
}

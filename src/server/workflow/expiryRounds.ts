import { addDays, type DateText } from '#base/date.ts'
import type { EntityId } from '#generated/names.ts'
import { loadUser } from '#server/access/users.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { proofDays } from '#server/receivables/unprovenTax.ts'
import type { Services } from '#server/services.ts'
import { CommandRun } from './commandRun.ts'
import { runTransition } from './engine.ts'

const lookEveryMs = 10 * 60_000

/**
 * Documents that are over once a day has passed: which of them, as `d`, are over on `today`. An order waits some days for its goods; what is on its
 * way to the customer is not over. A promotion is over, too, when all of its budget has been used.
 */
const expiring: readonly { readonly entity: EntityId; readonly over: (today: DateText) => Sql; readonly action?: string }[] = [
  { entity: 'reservation', over: (today) => sql`d.status = 1 and d.expires_on < ${today}::date` },
  {
    entity: 'promotion',
    over: (today) => sql`d.status = 1 and (d.valid_to < ${today}::date or exists (select 1 from promotion_budget b where b.id = d.budget_id and b.status = 1 and b.used > 0 and b.committed = 0 and b.available <= 0))`,
  },
  {
    entity: 'ar_payment',
    action: 'withdraw-unproven',
    over: (today) => sql`d.status in (1, 2, 3) and d.pending_transition is null and d.rate = 1 and d.payment_date < ${addDays(today, -proofDays)}::date
      and exists (select 1 from ar_payment_line l join ar_payment_deduction x on x.ar_payment_line_id = l.id where l.ar_payment_id = d.id and x.pending_doc and x.undone_on is null and x.kind in ('PPH22', 'PPH23', 'PPN_WAPU'))`,
  },
  { entity: 'fx_revaluation', action: 'turn-back', over: (today) => sql`d.status = 1 and d.reverses_on <= ${today}::date` },
  { entity: 'visit_plan', over: (today) => sql`d.status = 1 and d.ends_on < ${today}::date` },
  { entity: 'sales_contract', over: (today) => sql`d.status in (1, 2) and d.valid_to < ${today}::date` },
  {
    entity: 'sales_order',
    over: (today) => sql`d.status = 1 and d.pending_transition is null and d.requested_date + (select (value #>> '{}')::integer from setting_oms where key = 'so_expiry_days' and operating_unit_id is null) < ${today}::date
      and not exists (select 1 from sales_order_line l where l.sales_order_id = d.id and l.planned_qty > 0)`,
  },
]

/** Ends documents whose last day has passed. Any number of processes may look: a document moves once, under its lock. */
export class ExpiryRounds {
  readonly #services: Services
  #timer: NodeJS.Timeout | undefined
  #running: Promise<number> | undefined

  constructor(services: Services) {
    this.#services = services
  }

  start(): void {
    this.#timer = setInterval(() => void this.#round(), lookEveryMs)
    this.#timer.unref()
    void this.#round()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running?.catch(() => undefined)
  }

  /** Ends what is over by now, in the name of whoever made it or else of an administrator; answers how many. */
  async run(): Promise<number> {
    const { database, clock, metadata } = this.#services
    let ended = 0
    for (const { entity: name, over, action = 'expire' } of expiring) {
      const entity = knownEntity(metadata, name)
      const due = await database.rows<{ id: number; users: number[] }>(sql`
        select d.id, array[d.created_by] || array(select u.id from app_user u join role r on r.id = u.role_id where u.is_active and r.code = 'ADMIN' order by u.id limit 1) as users
        from ${ident(entity.table)} d where ${over(clock.today())} order by d.id`)
      for (const { id, users } of due) {
        if (await this.#end(name, id, action, users)) ended++
      }
    }
    return ended
  }

  async #end(name: string, id: number, action: string, users: readonly (number | null)[]): Promise<boolean> {
    const { database, metadata, log } = this.#services
    for (const userId of users) {
      const user = userId === null ? undefined : await loadUser(database, userId)
      if (user === undefined) continue
      try {
        await database.transaction((tx) => runTransition(new CommandRun(this.#services, tx, user), { entity: knownEntity(metadata, name), id, action, input: {}, asSystem: true }))
        return true
      } catch (error) {
        log(`${name} ${id} was not ended: ${error instanceof Error ? error.message : String(error)}`)
        return false
      }
    }
    return false
  }

  async #round(): Promise<void> {
    if (this.#running !== undefined) return
    this.#running = this.run()
    try {
      await this.#running
    } catch (error) {
      this.#services.log(`Nothing expires: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      this.#running = undefined
    }
  }
}

import type { DateText } from '#base/date.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Warning } from '#api/envelope.ts'
import type { Obstacle, Worded } from '#api/problems.ts'
import type { CommandContext, Queries, Row, User } from '#server/context.ts'
import { raise } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import type { Services } from '#server/services.ts'
import { runTransition } from './engine.ts'
import { drawNumber } from './numbering.ts'
import type { PeriodModule } from '#meta/resolved.ts'
import { assertPeriodOpen, periodStates, type ModuleState } from './periods.ts'
import { knownEntity } from '#server/documents/entities.ts'

/** The context of one command in its transaction; nested transitions share it. `today` of the options: the day it counts as done, where that was before. */
export class CommandRun implements CommandContext {
  readonly services: Services
  readonly tx: Queries
  readonly user: User
  readonly now: Date
  readonly today: DateText
  readonly acknowledged: ReadonlySet<string>
  readonly requestId: string | undefined
  readonly source?: 'IMPORT'
  readonly #warnings = new Map<string, Warning>()
  readonly #made = new Map<string, number[]>()
  readonly #periods = new Map<string, Promise<string | undefined>>()

  constructor(services: Services, tx: Queries, user: User, options: { readonly acknowledged?: Iterable<string>; readonly requestId?: string | undefined; readonly today?: DateText; readonly source?: 'IMPORT' } = {}) {
    this.services = services
    this.tx = tx
    this.user = user
    this.now = services.clock.now()
    this.today = options.today ?? services.clock.today()
    if (options.source !== undefined) this.source = options.source
    this.acknowledged = new Set(options.acknowledged)
    this.requestId = options.requestId
  }

  get metadata(): Metadata {
    return this.services.metadata
  }

  warn(id: string, code: string, sentence: Worded, obstacles: readonly Obstacle[] = []): void {
    this.#warnings.set(id, { id, code, ...sentence, ...(obstacles.length === 0 ? {} : { obstacles }) })
  }

  isWarned(code: string): boolean {
    return [...this.#warnings.values()].some((warning) => warning.code === code)
  }

  tellMade(entity: string, id: number): void {
    const known = this.#made.get(entity)
    if (known === undefined) this.#made.set(entity, [id])
    else known.push(id)
  }

  /** Ids of the documents it has brought about, by entity. */
  get made(): ReadonlyMap<string, readonly number[]> {
    return this.#made
  }

  async apart<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
    const { answer, made } = await this.services.database.transaction(async (tx) => {
      const { services, user, acknowledged, requestId, today, source } = this
      const run = new CommandRun(services, tx, user, { acknowledged, requestId, today, ...(source === undefined ? {} : { source }) })
      const result = await work(run)
      run.assertAcknowledged()
      return { answer: result, made: run.made }
    }, { endsLater: true })
    for (const [entity, ids] of made) for (const id of ids) this.tellMade(entity, id)
    return answer
  }

  transition(entity: string, id: number, action: string, input: Row = {}): Promise<Row> {
    return runTransition(this, { entity: knownEntity(this.services.metadata, entity), id, action, input, asSystem: true })
  }

  nextNumber(series: string, operatingUnitId: number, date: DateText): Promise<string> {
    return drawNumber(this.tx, series, operatingUnitId, date)
  }

  assertPeriodOpen(modules: readonly PeriodModule[], operatingUnitId: number, date: DateText): Promise<void> {
    const asked = this.#periodsOpen(modules, operatingUnitId, date)
    // Asked early, it may be refused before anybody waits for it.
    asked.catch(() => undefined)
    return asked
  }

  async #periodsOpen(modules: readonly PeriodModule[], operatingUnitId: number, date: DateText): Promise<void> {
    const states = await this.#periodStates(modules, operatingUnitId, date)
    await assertPeriodOpen(this.tx.ahead, this.user, states, operatingUnitId, date)
  }

  /** Modules not asked for yet go in one statement. */
  async #periodStates(modules: readonly PeriodModule[], operatingUnitId: number, date: DateText): Promise<readonly ModuleState[]> {
    const keyOf = (module: PeriodModule): string => `${module} ${operatingUnitId} ${date.slice(0, 7)}`
    const unknown = modules.filter((module) => !this.#periods.has(keyOf(module)))
    if (unknown.length > 0) {
      const asked = periodStates(this.tx.ahead, unknown, operatingUnitId, date)
      for (const module of unknown) this.#periods.set(keyOf(module), asked.then((states) => states.find((one) => one.module === module)?.state))
    }
    return Promise.all(modules.map(async (module) => ({ module, state: await this.#periods.get(keyOf(module)) })))
  }

  /** The preview of a file tells where records are used that it takes off: who imports it has seen it. */
  get foretold(): readonly Warning[] {
    return [...this.#warnings.values()].filter((warning) => this.#isSeenBefore(warning))
  }

  #isSeenBefore({ key }: Warning): boolean {
    return this.source === 'IMPORT' && key === 'warning.deactivate'
  }

  /** Refuses with every warning nobody has acknowledged; the transaction is undone and may be sent again with their ids. */
  assertAcknowledged(): void {
    const open = [...this.#warnings.values()].filter((warning) => !this.acknowledged.has(warning.id) && !this.#isSeenBefore(warning))
    if (open.length === 0) return
    raise({ code: 'WARNINGS', ...summaryOf(open), data: { warnings: open } })
  }
}

/** The only warning there is, or how many there are. */
function summaryOf(warnings: readonly Warning[]): Worded {
  const [first] = warnings
  if (warnings.length !== 1 || !first) return tell('problem.WARNINGS.several', { count: warnings.length })
  const { id: _id, code: _code, ...sentence } = first
  return sentence
}

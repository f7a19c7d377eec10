import type { DateText } from '#base/date.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Obstacle, Worded } from '#api/problems.ts'
import type { ResolvedEntity, Transition } from '#meta/resolved.ts'
import type { Sql } from '#server/db/sql.ts'

/** A database row by column name: bigint as number, numeric as decimal text, date as `YYYY-MM-DD`, timestamptz as ISO text. */
export type Row = Record<string, unknown>

/** What statements run on: the pool, or one transaction. */
export interface Queries {
  rows<T extends Row = Row>(statement: Sql): Promise<T[]>
  /** The first row or undefined. */
  first<T extends Row = Row>(statement: Sql): Promise<T | undefined>
  /** Rows changed. */
  run(statement: Sql): Promise<number>
  /**
   * A write whose outcome nobody needs: it travels with the next statement or the commit, and fails the transaction there. Only in a
   * transaction. As a function it is put into words when it is sent.
   */
  later(statement: Sql | (() => readonly Sql[])): void
  /**
   * Asks while nobody else, of whatever process, has the name; the transaction keeps it until it ends. Only in a transaction, best before it has
   * written or locked anything: later than that the embedded database may begin it anew.
   */
  exclusive<T>(name: string, ask: () => Promise<T>): Promise<T>
  /**
   * Whether a write may build on what was committed last instead of on a locked row. The statement must be such that the database refuses it when
   * the row has changed since: the transaction is then tried once more, and foresees nothing. While it reads and works nobody waits for it.
   */
  foresees(): boolean
  /** The same, for statements that writes left for later cannot concern: these overtake them. Outside a transaction nothing waits. */
  readonly ahead: Queries
  /** The same object for everything of one transaction; outside one, `home`. */
  readonly unit: object
  /** The same object for everything that runs on one database: what is remembered of a database hangs on it. */
  readonly home: object
}

export interface TransactionOptions {
  /** The database refuses every write in it. */
  readonly readOnly?: boolean
  /**
   * Within another transaction: its end travels with the next statement, as what was left for later does. For work whose refusals by the
   * database nobody catches: they come up only then and undo everything.
   */
  readonly endsLater?: boolean
}

export interface Database extends Queries {
  /** Runs `work` in one transaction; any throw rolls back. Serialisation failures (40001, 40P01) are tried again, at most 5 times. */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Calls `hear` with each payload that any process sends to the channel by `pg_notify`, and with undefined after a break in which some may
   * have been missed. Ends when the returned function is called.
   */
  listen(channel: string, hear: (payload: string | undefined) => void): Promise<() => void>
  /** `embedded` or `postgres`. */
  readonly engine: 'embedded' | 'postgres'
  /** Copies the embedded database, as it is between two transactions, to a folder that is not there yet; everybody waits meanwhile. PostgreSQL has tools of its own. */
  readonly copyTo?: ((folder: string) => Promise<void>) | undefined
  close(): Promise<void>
}

/** Time is reached here and nowhere else; tests set it. */
export interface Clock {
  now(): Date
  /** Business day in Asia/Jakarta. */
  today(): DateText
}

/** The signed-in user with what he may do and see. */
export interface User {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly roleId: number
  readonly roleCode: string
  readonly guards: ReadonlySet<string>
  /** Entries of his menu, as `menuKey` writes them: what the route guard compares. */
  readonly menu: ReadonlySet<string>
  /** 'all', or the ids allowed. */
  readonly territories: 'all' | readonly number[]
  readonly operatingUnits: 'all' | readonly number[]
}

/** One command in its transaction. */
export interface CommandContext {
  readonly tx: Queries
  readonly metadata: Metadata
  readonly user: User
  readonly today: DateText
  readonly now: Date
  /** Ids of the warnings the user has acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  /** Comes out of a file. */
  readonly source?: 'IMPORT' | undefined
  /** Asks for acknowledgement: collects; the engine answers 412 with all of them unless acknowledged. */
  warn(id: string, code: string, sentence: Worded, obstacles?: readonly Obstacle[]): void
  /** Has this command asked for acknowledgement of this code already? */
  isWarned(code: string): boolean
  /** Keeps that this command brings about a document: who gave it is told of all there are. */
  tellMade(entity: string, id: number): void
  /** Does one part of a bulk command by itself: a refusal thrown inside undoes only that part. */
  apart<T>(work: (context: CommandContext) => Promise<T>): Promise<T>
  /** Runs a workflow action of another document as the system (no guard asked), inside this transaction. */
  transition(entity: string, id: number, action: string, input?: Row): Promise<Row>
  /** Draws the next number of a gapless series inside this transaction. */
  nextNumber(series: string, operatingUnitId: number, date: DateText): Promise<string>
  /** Refuses with PERIOD_CLOSED unless the period of the day is open in the unit for all the modules, those it will book in. */
  assertPeriodOpen(modules: readonly ('SD' | 'ST' | 'AR' | 'AP' | 'CB' | 'GL' | 'TX')[], operatingUnitId: number, date: DateText): Promise<void>
}

/** One transition of one document, header already locked. */
export interface TransitionContext extends CommandContext {
  readonly entity: ResolvedEntity
  readonly action: Transition
  /** The header as read under lock, by column name. */
  readonly record: Row & { readonly id: number }
  /** Reason, note and params of the request, by column name. */
  readonly input: Row
  /** Follows at once on the step before, in the same command: nobody had to be asked. */
  readonly isUnasked: boolean
  /** Columns of the header to write with the status change; later effects see them in `current`. */
  set(columns: Row): void
  /** `record` with what was set so far. */
  readonly current: Row & { readonly id: number }
  /** Ends in this status instead of the transition's `to`. */
  endIn(status: number): void
  /** Takes a transition of another document once this one is written: what it holds while it waits it holds no longer then. */
  followedBy(entity: string, id: number, action: string): void
}

/** Throws ProblemError when the transition may not happen. */
export type Precondition = (context: TransitionContext) => Promise<void> | void
export interface Effect {
  (context: TransitionContext): Promise<void>
  /** Sets what its number hangs on, before that is drawn. */
  readonly first?: (context: TransitionContext) => void
  /** Asks early for what it will need, so that it travels with the drawing of the number. */
  readonly ahead?: (context: TransitionContext) => void
}

/** A named command of `POST /api/v1/command/<name>`; the answer is `data`. Rows named in `ids` are not yet scoped: use the readers given. */
export interface Command {
  (context: CommandContext, input: CommandInput): Promise<Row>
  /** Asks early for what it will need, so that it travels with the first statements of the transaction. */
  readonly ahead?: (context: CommandContext, input: CommandInput) => void
}

export interface CommandInput {
  readonly ids: readonly number[]
  /** Parameters by wire name as sent, checked against the declared fields. */
  readonly params: Row
  /** The raw body, for commands that take a whole record (price-order): its keys are known, its values as sent. */
  readonly body: Row
}

import type { Connection, Submittable } from 'pg'
import type { Row } from '#server/context.ts'
import { columnTypes } from './columnTypes.ts'
import type { NamedStatement } from './named.ts'

/** What one statement of a batch came to. */
export interface Outcome {
  readonly rows: Row[]
  /** Rows found or changed. */
  readonly count: number
  /** First word of the command's own report: INSERT, COMMIT, ROLLBACK. */
  readonly command: string
}

/** A statement with whoever waits for it. */
export interface Asked {
  readonly statement: NamedStatement
  readonly done: (outcome: Outcome) => void
  readonly failed: (error: Error) => void
}

interface Column {
  readonly name: string
  readonly read: (text: string) => unknown
}

/** What a connection keeps of a named statement: that it is planned there, and once it has run, the columns of its rows. */
interface Prepared {
  columns: readonly Column[] | undefined
}

interface ConnectionState {
  /** Where connections share what is prepared, each has names of its own. */
  readonly prefix: string
  readonly prepared: Map<string, Prepared>
  /** Names whose first use failed: whether the server has them is not known. */
  uncertain: string[]
}

/** SQLSTATE of a plan whose tables have changed since, and of a name the server does not know. */
const planIsStale = '0A000'
const planIsGone = '26000'

const states = new WeakMap<Connection, ConnectionState>()

/**
 * Several statements in one message, answered in one: a statement on its own costs both sides a system call and a wake-up, which for most
 * statements of a command is more than their work. They run in order; after one that fails the rest are not run and fail with the same error.
 * Named statements are planned once and described once a connection.
 */
export class Batch implements Submittable {
  readonly #asked: readonly Asked[]
  #at = 0
  #state: ConnectionState | undefined
  #columns: readonly Column[] | undefined
  #rows: Row[] = []
  #misread: Error | undefined

  readonly #answered: (() => void) | undefined

  /** `answered` is called when the server has answered everything. */
  constructor(asked: readonly Asked[], answered?: () => void) {
    this.#asked = asked
    this.#answered = answered
  }

  submit(connection: Connection): void {
    const state = states.get(connection) ?? { prefix: prefixOf(connection), prepared: new Map<string, Prepared>(), uncertain: [] }
    states.set(connection, state)
    this.#state = state
    connection.stream.cork()
    for (const name of state.uncertain) connection.close({ type: 'S', name: state.prefix + name }, true)
    state.uncertain = []
    for (const { statement } of this.#asked) send(connection, state, statement)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription(message: { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] }): void {
    this.#columns = message.fields.map((field) => ({ name: field.name, read: columnTypes.getTypeParser(field.dataTypeID, 'text') }))
  }

  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void {
    this.#columns ??= this.#prepared()?.columns ?? []
    const { fields } = message
    const row: Row = {}
    try {
      let at = 0
      for (const column of this.#columns) {
        const text = fields[at++]
        row[column.name] = text === null || text === undefined ? null : column.read(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#misread ??= error instanceof Error ? error : new Error(String(error))
    }
  }

  handleCommandComplete(message: { readonly text: string }): void {
    const prepared = this.#prepared()
    if (prepared) prepared.columns ??= this.#columns ?? []
    const asked = this.#asked[this.#at++]
    const rows = this.#rows
    const misread = this.#misread
    this.#columns = undefined
    this.#rows = []
    this.#misread = undefined
    if (misread) asked?.failed(misread)
    else asked?.done({ rows, ...reportOf(message.text) })
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleError(error: Error): void {
    const rest = this.#asked.slice(this.#at)
    this.#at = this.#asked.length
    for (const [i, { statement }] of rest.entries()) {
      const isStale = i === 0 && 'code' in error && (error.code === planIsStale || error.code === planIsGone)
      if (statement.name === undefined || (!isStale && this.#state?.prepared.get(statement.name)?.columns !== undefined)) continue
      this.#state?.prepared.delete(statement.name)
      this.#state?.uncertain.push(statement.name)
    }
    for (const asked of rest) asked.failed(error)
  }

  handleReadyForQuery(): void {
    this.#answered?.()
  }

  handlePortalSuspended(): void {
    // Only rows fetched in parts are suspended.
  }

  handleCopyInResponse(connection: Connection): void {
    connection.stream.destroy(new Error('COPY FROM STDIN is not supported here.'))
  }

  handleCopyData(): void {
    // Nothing asks for it.
  }

  #prepared(): Prepared | undefined {
    const name = this.#asked[this.#at]?.statement.name
    return name === undefined ? undefined : this.#state?.prepared.get(name)
  }
}

function prefixOf({ stream }: Connection): string {
  return 'statementPrefix' in stream ? String(stream.statementPrefix) : ''
}

function send(connection: Connection, state: ConnectionState, { text, values, name }: NamedStatement): void {
  const prepared = name === undefined ? undefined : state.prepared.get(name)
  const own = name === undefined ? '' : state.prefix + name
  if (!prepared) {
    connection.parse({ text, name: own, types: [] }, true)
    if (name !== undefined) state.prepared.set(name, { columns: undefined })
  }
  connection.bind({ portal: '', statement: own, values }, true)
  if (prepared?.columns === undefined) connection.describe({ type: 'P', name: '' }, true)
  connection.execute({ portal: '' }, true)
}

function reportOf(text: string): { readonly command: string; readonly count: number } {
  const parts = text.split(' ')
  const count = Number(parts.at(-1))
  return { command: parts[0] ?? '', count: Number.isInteger(count) ? count : 0 }
}

import { Client, type ClientBase, type ClientConfig } from 'pg'

/** Told each payload, and undefined after a break in which some may have been missed. */
export type Hear = (payload: string | undefined) => void

/** Who in this process listens to which channel (`pg_notify`), whatever connection brings the words. */
export class Channels {
  readonly #hearers = new Map<string, Set<Hear>>()

  /** True: nobody listened to this channel before. */
  add(channel: string, hear: Hear): boolean {
    if (!/^[a-z_]+$/.test(channel)) throw new Error(`Not a channel: ${channel}`)
    const known = this.#hearers.get(channel)
    known?.add(hear)
    if (known === undefined) this.#hearers.set(channel, new Set([hear]))
    return known === undefined
  }

  remove(channel: string, hear: Hear): void {
    const known = this.#hearers.get(channel)
    known?.delete(hear)
    if (known?.size === 0) this.#hearers.delete(channel)
  }

  /** Makes a fresh connection carry what is listened to. */
  async attach(client: ClientBase): Promise<void> {
    client.on('notification', ({ channel, payload }) => {
      for (const hear of this.#hearers.get(channel) ?? []) hear(payload ?? '')
    })
    for (const channel of this.#hearers.keys()) await client.query(listen(channel))
  }

  /** After a break: everybody looks for himself what there is. */
  catchUp(): void {
    for (const hearers of this.#hearers.values()) for (const hear of hearers) hear(undefined)
  }
}

/** The statement that makes a connection carry a channel. */
export function listen(channel: string): string {
  return `listen "${channel}"`
}

const firstPauseMs = 500
const longestPauseMs = 30_000
const checkMs = 60_000

/** A connection beside the pool that does nothing but listen; when it is lost it comes back by itself. */
export class ListeningConnection {
  readonly #config: ClientConfig
  readonly #channels: Channels
  readonly #log: (line: string) => void
  #client: Client | undefined
  #connecting: Promise<Client> | undefined
  #timer: NodeJS.Timeout | undefined
  #pauseMs = firstPauseMs
  #isClosed = false

  constructor(config: ClientConfig, channels: Channels, log: (line: string) => void) {
    this.#config = config
    this.#channels = channels
    this.#log = log
  }

  /** Connects, or listens to one more channel; throws when the database does not answer. */
  async listen(channel: string): Promise<void> {
    const client = this.#client ?? (await this.#connected())
    await client.query(listen(channel))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#client?.end().catch(() => undefined)
  }

  /** However many ask at once, one connection is made. */
  #connected(): Promise<Client> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async #connect(): Promise<Client> {
    const client = new Client({ ...this.#config, keepAlive: true, query_timeout: 20_000 })
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, new Error('closed')))
    await client.connect()
    await this.#channels.attach(client)
    this.#client = client
    this.#pauseMs = firstPauseMs
    clearTimeout(this.#timer)
    this.#check(client)
    return client
  }

  /** A connection cut somewhere on the way says nothing: it is asked now and then. */
  #check(client: Client): void {
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => this.#client === client && this.#check(client),
        (error: unknown) => this.#lose(client, error),
      )
    }, checkMs)
    this.#timer.unref()
  }

  #lose(client: Client, error: unknown): void {
    if (this.#isClosed || this.#client !== client) return
    this.#client = undefined
    clearTimeout(this.#timer)
    this.#log(`Listening connection lost: ${error instanceof Error ? error.message : String(error)}`)
    client.end().catch(() => undefined)
    this.#comeBack()
  }

  #comeBack(): void {
    this.#timer = setTimeout(() => {
      this.#connected().then(
        () => this.#channels.catchUp(),
        () => {
          if (!this.#isClosed) this.#comeBack()
        },
      )
    }, this.#pauseMs)
    this.#timer.unref()
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs)
  }
}

/** Milliseconds in which a decision can be undone before it is sent. */
export const undoMs = 5_000

/** Something that is kept back, and when it will be sent. */
export interface Held<T> {
  readonly item: T
  readonly until: number
}

/** Why it goes out now: its time is up, the page is left inside the program, or the window may be gone before an answer comes. */
export type SendingTime = 'due' | 'page-left' | 'window-hidden'

/** Kept back for a while, each for itself, so that it can be undone. Whatever happens to it takes it out first: nothing is sent twice, and nothing both sent and undone. */
export class HeldQueue<T> {
  #held: readonly Held<T>[] = []
  readonly #timers = new Map<Held<T>, ReturnType<typeof setTimeout>>()
  readonly #listeners = new Set<() => void>()
  readonly #send: (item: T, time: SendingTime) => Promise<void>

  constructor(send: (item: T, time: SendingTime) => Promise<void>) {
    this.#send = send
  }

  /** In the order they came. The same list until something changes. */
  readonly list = (): readonly Held<T>[] => this.#held

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly hold = (item: T): void => {
    const held: Held<T> = { item, until: Date.now() + undoMs }
    this.#timers.set(held, setTimeout(() => void this.#sendOne(held, 'due'), undoMs))
    this.#set([...this.#held, held])
  }

  /** False: it is on its way already. */
  readonly undo = (held: Held<T>): boolean => this.#take(held)

  /** Resolves when all of them are answered; each is sent before this returns. */
  readonly sendAll = async (time: SendingTime): Promise<void> => {
    await Promise.all(this.#held.map((held) => this.#sendOne(held, time)))
  }

  async #sendOne(held: Held<T>, time: SendingTime): Promise<void> {
    if (this.#take(held)) await this.#send(held.item, time)
  }

  #take(held: Held<T>): boolean {
    const timer = this.#timers.get(held)
    if (timer === undefined) return false
    clearTimeout(timer)
    this.#timers.delete(held)
    this.#set(this.#held.filter((one) => one !== held))
    return true
  }

  #set(held: readonly Held<T>[]): void {
    this.#held = held
    for (const listener of this.#listeners) listener()
  }
}

import type { Clock } from './context.ts'

/** Below it a database in the same folder could end in the middle of a write: nothing more is begun. */
const leastFree = 32 * 1024 * 1024
const lookEveryMs = 1_000
/** So long after something found no room the server says that it is not ready. */
const rememberMs = 30_000

/** Whether what is written still finds room. */
export class Storage {
  readonly #clock: Clock
  readonly #freeBytes: (() => Promise<number>) | undefined
  #looked: { readonly at: number; readonly free: Promise<number> } | undefined
  #foundFull = Number.NEGATIVE_INFINITY

  /** `freeBytes`: room where the server keeps its data; absent: it is not looked at. */
  constructor(clock: Clock, freeBytes?: () => Promise<number>) {
    this.#clock = clock
    this.#freeBytes = freeBytes
  }

  /** Something has just found no room. */
  tellFull(): void {
    this.#foundFull = this.#clock.now().getTime()
  }

  /** Too little room is left to begin anything. */
  async isShort(): Promise<boolean> {
    if (this.#freeBytes === undefined) return false
    const now = performance.now()
    if (this.#looked === undefined || now - this.#looked.at > lookEveryMs) this.#looked = { at: now, free: this.#freeBytes() }
    // A folder that does not tell is none that is full.
    return (await this.#looked.free.catch(() => Number.POSITIVE_INFINITY)) < leastFree
  }

  /** Too little room is left, or something has found none a moment ago. */
  async isFull(): Promise<boolean> {
    return this.#clock.now().getTime() - this.#foundFull < rememberMs || (await this.isShort())
  }
}

import { nextTurn } from './nextTurn.ts'

/** Work that nobody waits for but the end of the server. */
export class Background {
  readonly #running = new Set<Promise<void>>()
  readonly #log: (line: string) => void

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  run(work: () => Promise<void>): void {
    const running = nextTurn()
      .then(work)
      .catch((error: unknown) => this.#log(`Background work failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}

import type { Trace } from '#server/db/database.ts'

/** One message to the database and its answer. */
export interface Trip {
  readonly statements: readonly string[]
  /** Until everything in it was answered; NaN as long as it is under way. */
  readonly ms: number
}

/** Writes down every trip to the database: `trace` is handed to it when it is opened. */
export class TripRecorder {
  #trips: { statements: readonly string[]; ms: number }[] = []

  readonly trace: Trace = (statements) => {
    const sent = performance.now()
    const trip = { statements: statements.map((text) => text.replaceAll(/\s+/g, ' ').trim()), ms: Number.NaN }
    this.#trips.push(trip)
    return () => {
      trip.ms = performance.now() - sent
    }
  }

  /**
   * The trips of one piece of work, without looking up who is asking, which is known for a moment that a slow machine may outlast, and without what happens
   * beside it by the clock.
   */
  async during(work: () => Promise<unknown>): Promise<readonly Trip[]> {
    this.#trips = []
    await work()
    return this.#trips.filter(({ statements }) => !statements.some((text) => /\buser_session\b|\bas role_code\b|^update import_batch set beat_at/.test(text)))
  }
}

/** Statements with their trip and its time, one a line: what a failed count shows. */
export function listing(trips: readonly Trip[]): string {
  return trips.flatMap(({ statements, ms }, n) => statements.map((text, i) => `${i === 0 ? `${String(n + 1).padStart(3)} ${ms.toFixed(1).padStart(7)} ms` : ' '.repeat(14)}  ${text.slice(0, 140)}`)).join('\n')
}

/** How many statements there were. */
export function statementsOf(trips: readonly Trip[]): number {
  return trips.reduce((sum, { statements }) => sum + statements.length, 0)
}

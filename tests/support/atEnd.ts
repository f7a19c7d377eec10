import { afterAll } from 'vitest'

const endings: (() => unknown)[] = []

/**
 * Has work done after the tests of this file, the last asked for first. Vitest's own `afterAll` does nothing when it is called within a hook or a
 * test, which is where databases and servers are opened.
 */
export function atEnd(work: () => unknown): void {
  endings.push(work)
}

/** Once in each test file, by the set-up of the tests. */
export function runEndings(): void {
  afterAll(async () => {
    const failures: unknown[] = []
    for (const work of endings.splice(0).reverse()) {
      try {
        await work()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'what was opened could not be closed')
  })
}

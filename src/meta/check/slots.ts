import type { Report } from '#meta/check/finding.ts'
import { usesOf } from '#meta/check/uses.ts'
import type { World } from '#meta/check/world.ts'

/** Hand-written parts stay within the budget written in package.json. */
export function* slots({ sources, slotBudget }: World): Iterable<Report> {
  const { slots: used } = usesOf(sources)
  const [over] = used.slice(slotBudget)
  if (over !== undefined) {
    yield { path: over.path, at: over.at, code: 'slot-budget', message: `${used.length} hand-written slots are used; package.json allows ${slotBudget}` }
  }
}

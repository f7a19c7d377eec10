import type { Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'

/** Hand-written parts stay within the budget written in package.json. */
export function* slots({ uses, slotBudget }: World): Iterable<Report> {
  const [over] = uses.slots.slice(slotBudget)
  if (over !== undefined) {
    yield { path: over.path, at: over.at, code: 'slot-budget', message: `${uses.slots.length} hand-written slots are used; package.json allows ${slotBudget}` }
  }
}

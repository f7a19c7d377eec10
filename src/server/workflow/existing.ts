import type { DateText } from '#base/date.ts'
import type { Condition } from '#meta/condition.ts'
import { holds } from '#meta/evaluate.ts'
import type { ResolvedWorkflow, Transition } from '#meta/resolved.ts'
import type { Row, User } from '#server/context.ts'

/** Is there such a transition for this document at all, whatever its status? */
export function existsFor({ when }: Transition, row: Row, user: User, today: DateText): boolean {
  return when === undefined || holds(when, row, { user: { id: user.id }, today, params: {} })
}

const asked = new WeakMap<ResolvedWorkflow, readonly string[]>()

/** Columns of a document that decide which transitions there are for it. */
export function columnsOfWhen(workflow: ResolvedWorkflow | undefined): readonly string[] {
  if (workflow === undefined) return []
  const known = asked.get(workflow)
  if (known) return known
  const columns = [...new Set(workflow.transitions.flatMap(({ when }) => (when === undefined ? [] : columnsIn(when))))]
  asked.set(workflow, columns)
  return columns
}

function columnsIn(condition: Condition): readonly string[] {
  if ('all' in condition && Array.isArray(condition.all)) return condition.all.flatMap(columnsIn)
  if ('any' in condition && Array.isArray(condition.any)) return condition.any.flatMap(columnsIn)
  if ('not' in condition) return columnsIn(condition.not as Condition)
  return Object.entries(condition).flatMap(([name, test]) => [name, ...fieldsIn(test)])
}

/** Fields named on the right of a test. */
function fieldsIn(test: unknown): readonly string[] {
  if (Array.isArray(test)) return test.flatMap(fieldsIn)
  if (typeof test !== 'object' || test === null) return []
  return Object.entries(test).flatMap(([key, value]) => (key === 'field' && typeof value === 'string' ? [value] : fieldsIn(value)))
}

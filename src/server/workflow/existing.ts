import type { DateText } from '#base/date.ts'
import { fieldsOf, holds } from '#meta/evaluate.ts'
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
  const columns = [...new Set(workflow.transitions.flatMap(({ when }) => (when === undefined ? [] : fieldsOf(when))))]
  asked.set(workflow, columns)
  return columns
}

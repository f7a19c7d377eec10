import type { Condition } from '#meta/condition.ts'

/** Names of the fields whose values a restriction compares with: its `{ "field": … }` operands. */
export function fieldsOf(condition: Condition): readonly string[] {
  if ('all' in condition && Array.isArray(condition.all)) return condition.all.flatMap((part: Condition) => fieldsOf(part))
  if ('any' in condition && Array.isArray(condition.any)) return condition.any.flatMap((part: Condition) => fieldsOf(part))
  return Object.values(condition).flatMap((test: unknown) => operandsIn(test))
}

function operandsIn(test: unknown): readonly string[] {
  if (typeof test !== 'object' || test === null) return []
  if ('field' in test && typeof test.field === 'string') return [test.field]
  return Object.values(test).flatMap((inner: unknown) => operandsIn(inner))
}

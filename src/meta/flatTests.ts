import type { ConditionSource } from '#generated/language.ts'
import type { FlatTest } from '#meta/resolved.ts'
import { SourceError } from '#meta/sources.ts'

/** A condition as the chips of a filter bar; what a link cannot carry (any, not, names, other fields) is refused. */
export function flatTests(condition: ConditionSource | undefined, at: readonly (string | number)[] = ['where']): readonly FlatTest[] {
  if (condition === undefined) return []
  const refuse = (): never => {
    throw new SourceError('A filter that a link carries is made of field tests: no any, no not, no names', at)
  }
  if (typeof condition === 'string' || 'any' in condition || 'not' in condition) return refuse()
  if ('all' in condition && Array.isArray(condition.all)) return condition.all.flatMap((part) => flatTests(part, at))
  return Object.entries(condition).flatMap(([field, test]: [string, unknown]): readonly FlatTest[] => {
    if (isPlain(test)) return [{ field, op: 'eq', value: test }]
    if (typeof test !== 'object' || test === null) return refuse()
    return Object.entries(test).map(([op, value]: [string, unknown]): FlatTest => {
      if (isPlain(value)) return { field, op, value }
      if (Array.isArray(value) && value.every((entry) => typeof entry === 'string' || typeof entry === 'number')) return { field, op, value }
      return refuse()
    })
  })
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

import type { ConditionSource } from '#generated/language.ts'
import type { Condition } from '#meta/condition.ts'
import { SourceError } from '#meta/sources.ts'

/** Named conditions in scope: those of the entity, then condition fragments. */
export type NamedConditions = Readonly<Record<string, ConditionSource | Condition>>

/** Puts the definitions in place of the names. */
export function resolveCondition(source: ConditionSource | Condition, named: NamedConditions, seen: readonly string[] = []): Condition {
  if (typeof source === 'string') {
    const definition = Object.hasOwn(named, source) ? named[source] : undefined
    if (definition === undefined || seen.includes(source)) throw new SourceError(`Unknown condition "${source}"`)
    return resolveCondition(definition, named, [...seen, source])
  }
  if ('all' in source && Array.isArray(source.all)) return { all: source.all.map((part) => resolveCondition(part, named, seen)) }
  if ('any' in source && Array.isArray(source.any)) return { any: source.any.map((part) => resolveCondition(part, named, seen)) }
  if ('not' in source) return { not: resolveCondition(source.not as ConditionSource, named, seen) }
  return source as Condition
}

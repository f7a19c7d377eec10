import type { ConditionSource, FragmentSource } from '#generated/language.ts'
import type { Condition } from '#meta/condition.ts'
import { type Entities, fieldOf } from '#meta/fieldOf.ts'
import type { Labels } from '#meta/labels.ts'
import type { ResolvedCommand } from '#meta/metadata.ts'
import { type NamedConditions, resolveCondition } from '#meta/resolveCondition.ts'
import type { EntityField, ResolvedDataset, ResolvedEntity, ResolvedWorkflow } from '#meta/resolved.ts'
import { type Source, SourceError } from '#meta/sources.ts'

/** What resolving a screen may look up. */
export interface Scope {
  readonly entities: Entities
  readonly workflows: Readonly<Record<string, ResolvedWorkflow>>
  readonly commands: Readonly<Record<string, ResolvedCommand>>
  readonly datasets: Readonly<Record<string, ResolvedDataset>>
  readonly fragments: Readonly<Record<string, Source<FragmentSource>>>
  readonly labels: Labels
}

export function entityOf(scope: Scope, id: string): ResolvedEntity {
  const entity = scope.entities[id]
  if (entity === undefined) throw new SourceError(`Unknown entity "${id}"`, ['entity'])
  return entity
}

/** Lines of a header by their name or their entity; the first when not named. */
export function linesOf(header: ResolvedEntity, name = 'lines'): ResolvedEntity['lines'][number] {
  const lines = header.lines.find((candidate) => candidate.name === name || candidate.entity === name)
  if (lines === undefined) throw new SourceError(`${header.id} has no lines "${name}"`)
  return lines
}

export function fieldIn(scope: Scope, entity: string, name: string): EntityField {
  return fieldOf(scope.entities, entity, name, scope.labels)
}

/** Condition of a screen over `entity`: its named conditions and the condition fragments are in reach. */
export function conditionIn(scope: Scope, entity: string, source: ConditionSource): Condition {
  return resolveCondition(source, { ...sharedConditions(Object.values(scope.fragments)), ...scope.entities[entity]?.conditions })
}

/** Condition fragments by their names. */
export function sharedConditions(fragments: readonly Source<FragmentSource>[]): NamedConditions {
  return Object.fromEntries(fragments.flatMap(({ value }) => (value.type === 'condition' ? [[value.id, value.where] as const] : [])))
}

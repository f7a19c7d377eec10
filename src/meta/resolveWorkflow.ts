import type { EachSource, ParamSource, WorkflowSource } from '#generated/language.ts'
import { type Entities, fieldOf } from '#meta/fieldOf.ts'
import type { Labels } from '#meta/labels.ts'
import type { ResolvedCommand } from '#meta/metadata.ts'
import { type NamedConditions, resolveCondition } from '#meta/resolveCondition.ts'
import { resolveField } from '#meta/resolveField.ts'
import type { Field, Param, ResolvedWorkflow, Tone } from '#meta/resolved.ts'
import { SourceError } from '#meta/sources.ts'

const tones: Readonly<Record<string, Tone>> = {
  submit: 'info', post: 'info', approve: 'positive', reject: 'negative', return: 'warning', cancel: 'negative', reverse: 'negative',
}

/** `shared`: the condition fragments, in reach beside the entity's own conditions. */
export function resolveWorkflow(source: WorkflowSource, entities: Entities, labels: Labels, shared: NamedConditions): ResolvedWorkflow {
  const entity = entities[source.entity]
  if (entity === undefined) throw new SourceError(`Unknown entity "${source.entity}"`, ['entity'])
  return {
    kind: 'workflow',
    entity: source.entity,
    transitions: (source.transitions ?? []).map((transition) => {
      const tone = transition.tone ?? tones[transition.action] ?? 'neutral'
      return {
        action: transition.action,
        label: labels.pick(`action.${source.entity}.${transition.action}`, `action.${transition.action}`),
        tone,
        from: transition.from,
        to: transition.to,
        guard: transition.guard ?? `${entity.resource}-${transition.action}`,
        ...(transition.when === undefined ? {} : { when: resolveCondition(transition.when, { ...shared, ...entity.conditions }) }),
        preconditions: transition.preconditions ?? [],
        effects: transition.effects ?? [],
        reason: transition.reason ?? 'none',
        ...(transition.reasonUsage === undefined ? {} : { reasonUsage: transition.reasonUsage }),
        system: transition.system ?? false,
        confirm: transition.confirm ?? tone === 'negative',
        params: resolveParams(source.entity, transition.params ?? {}, entities, labels),
      }
    }),
  }
}

export function resolveCommands(source: WorkflowSource, entities: Entities, labels: Labels): readonly ResolvedCommand[] {
  const entity = entities[source.entity]
  if (entity === undefined) throw new SourceError(`Unknown entity "${source.entity}"`, ['entity'])
  return (source.commands ?? []).map((command) => ({
    name: command.name,
    label: labels.pick(`action.${source.entity}.${command.name}`, `action.${command.name}`),
    entity: source.entity,
    guard: command.guard,
    rows: command.rows,
    params: resolveParams(source.entity, command.params ?? {}, entities, labels, 'rows'),
    body: command.body ?? 'params',
    readOnly: command.readOnly ?? false,
  }))
}

/** Extra input: a parameter named like a column and without a type of its own takes the column's. `about`: what is asked line by line is asked of one document's lines, or of the rows chosen. */
export function resolveParams(entity: string, params: Readonly<Record<string, ParamSource>>, entities: Entities, labels: Labels, about: 'document' | 'rows' = 'document'): readonly Param[] {
  return Object.entries(params).map(([name, { lookupWhere, begins, each, ...param }]) => {
    if (begins === true && param.type !== undefined) throw new SourceError(`"${name}" has a type of its own: there is no column it could begin with`)
    const field = paramField(entity, name, param, entities, labels)
    return {
      ...field,
      ...(lookupWhere === undefined ? {} : { lookupWhere: resolveCondition(lookupWhere, entities[field.entity ?? entity]?.conditions ?? {}) }),
      ...(begins === true ? { begins } : {}),
      ...(each === undefined ? {} : { each: resolveEach(entity, each, entities, labels, about) }),
    }
  })
}

function resolveEach(entity: string, { lines, field, begins, columns }: EachSource, entities: Entities, labels: Labels, about: 'document' | 'rows'): NonNullable<Param['each']> {
  const wire = about === 'rows' ? undefined : entities[entity]?.lines.find((one) => one.entity === lines)?.wire
  if (wire === undefined && about === 'document') throw new SourceError(`${entity} has no lines "${lines}"`)
  const shown = (name: string): Field => {
    const { nullable: _nullable, hidden: _hidden, ...column } = fieldOf(entities, lines, name, labels)
    return column
  }
  return { ...(wire === undefined ? {} : { lines: wire }), field: shown(field), ...(begins === undefined ? {} : { begins: shown(begins) }), columns: columns.map(shown) }
}

function paramField(entity: string, name: string, param: ParamSource, entities: Entities, labels: Labels): Field {
  if (param.type !== undefined) return resolveField(entity, name, { ...param, type: param.type }, labels)
  const { nullable: _nullable, hidden: _hidden, ...column } = fieldOf(entities, entity, name, labels)
  return { ...column, readOnly: false, required: param.required ?? column.required }
}

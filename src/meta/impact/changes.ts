import type { Keys } from '#meta/check/finding.ts'
import type { Sources } from '#meta/sources.ts'

/** What kind of name a schema change takes away or gives another meaning. */
export type Named = 'entity' | 'field' | 'condition' | 'transition' | 'command' | 'dataset' | 'dimension' | 'measure' | 'parameter' | 'fragment' | 'screen'

/** One change that others may rely on. Additions are none. */
export interface Change {
  readonly named: Named
  /** Entity, dataset or document the name belongs to; itself for an entity, dataset, fragment or screen. */
  readonly owner: string
  readonly name: string
  readonly what: 'removed' | 'renamed' | 'changed'
  /** `money → quantity`, or the new name. */
  readonly detail: string
  /** Renamed by a `renamed` map: saved views and bookmarks follow. */
  readonly isCarriedOver: boolean
  /** The file it stood in, and where. */
  readonly path: string
  readonly at: Keys
}

/** The changes between two sets of schema files, in the order of the files. */
export function changesBetween(before: Sources, after: Sources): readonly Change[] {
  return [...entityChanges(before, after), ...workflowChanges(before, after), ...datasetChanges(before, after), ...fragmentChanges(before, after), ...screenChanges(before, after)]
}

type Shapes = Readonly<Record<string, object>>

interface Group {
  readonly named: Named
  readonly owner: string
  readonly path: string
  readonly at: Keys
  readonly renamed?: Readonly<Record<string, string>>
}

/** Members gone, renamed or meaning something else. */
function memberChanges(group: Group, before: Shapes, after: Shapes, keys: readonly string[]): readonly Change[] {
  const { renamed = {}, at, ...rest } = group
  return Object.entries(before).flatMap(([name, old]): readonly Change[] => {
    const base = { ...rest, name, at: [...at, name], isCarriedOver: false }
    const next = after[name]
    const to = renamed[name]
    if (next === undefined) return [to === undefined ? { ...base, what: 'removed', detail: '' } : { ...base, what: 'renamed', detail: to, isCarriedOver: true }]
    const differences = keys.flatMap((key) => {
      const [was, is] = [partOf(old, key), partOf(next, key)]
      return was === is ? [] : [`${key} ${was} → ${is}`]
    })
    return differences.length === 0 ? [] : [{ ...base, what: 'changed', detail: differences.join(', ') }]
  })
}

/** Text of a property, to be compared and shown; `nothing` when it is not there. */
function partOf(value: object, key: string): string {
  const part: unknown = Reflect.get(value, key)
  return part === undefined ? 'nothing' : typeof part === 'string' ? part : JSON.stringify(part)
}

function entityChanges(before: Sources, after: Sources): readonly Change[] {
  return before.entity.flatMap(({ path, value: old }): readonly Change[] => {
    const next = after.entity.find(({ value }) => value.id === old.id)?.value
    const owner = old.id
    if (next === undefined) return [{ named: 'entity', owner, name: old.id, what: 'removed', detail: '', isCarriedOver: false, path, at: ['id'] }]
    const group = { owner, path, ...(next.renamed === undefined ? {} : { renamed: next.renamed }) }
    return [
      ...memberChanges({ ...group, named: 'field', at: ['fields'] }, old.fields, next.fields, ['type', 'entity', 'values', 'required']),
      ...memberChanges({ owner, path, named: 'condition', at: ['conditions'] }, conditionsOf(old), conditionsOf(next), ['is']),
    ]
  })
}

function conditionsOf({ conditions = {} }: { readonly conditions?: Readonly<Record<string, unknown>> }): Shapes {
  return Object.fromEntries(Object.entries(conditions).map(([name, condition]) => [name, { is: condition }]))
}

function workflowChanges(before: Sources, after: Sources): readonly Change[] {
  return before.workflow.flatMap(({ path, value: old }) => {
    const next = after.workflow.find(({ value }) => value.entity === old.entity)?.value
    const group = { owner: old.entity, path, at: [] }
    const transitions = byName(old.transitions ?? [], ({ action }) => action)
    const commands = byName(old.commands ?? [], ({ name }) => name)
    return [
      ...memberChanges({ ...group, named: 'transition' }, transitions, byName(next?.transitions ?? [], ({ action }) => action), ['from', 'to', 'when', 'guard', 'reason']),
      ...memberChanges({ ...group, named: 'command' }, commands, byName(next?.commands ?? [], ({ name }) => name), ['guard', 'rows', 'body']),
    ].map((change) => ({ ...change, at: placeIn(old, change) }))
  })
}

/** Transitions and commands are lists: their place is their position. */
function placeIn(workflow: Sources['workflow'][number]['value'], { named, name }: Change): Keys {
  const [group, key, list] = named === 'command' ? (['commands', 'name', workflow.commands ?? []] as const) : (['transitions', 'action', workflow.transitions ?? []] as const)
  return [group, list.findIndex((row) => Reflect.get(row, key) === name), key]
}

function byName<T extends object>(rows: readonly T[], name: (row: T) => string): Shapes {
  return Object.fromEntries(rows.map((row) => [name(row), row]))
}

function datasetChanges(before: Sources, after: Sources): readonly Change[] {
  return before.dataset.flatMap(({ path, value: old }): readonly Change[] => {
    const next = after.dataset.find(({ value }) => value.id === old.id)?.value
    const owner = old.id
    if (next === undefined) return [{ named: 'dataset', owner, name: old.id, what: 'removed', detail: '', isCarriedOver: false, path, at: ['id'] }]
    const renamed = next.renamed === undefined ? {} : { renamed: next.renamed }
    return [
      ...memberChanges({ ...renamed, named: 'dimension', owner, path, at: ['dimensions'] }, old.dimensions, next.dimensions, ['type', 'entity', 'values']),
      ...memberChanges({ ...renamed, named: 'measure', owner, path, at: ['measures'] }, old.measures ?? {}, next.measures ?? {}, ['type', 'agg', 'ratio', 'adds', 'of']),
      ...memberChanges({ ...renamed, named: 'parameter', owner, path, at: ['parameters'] }, old.parameters ?? {}, next.parameters ?? {}, ['type', 'required', 'entity']),
    ]
  })
}

function fragmentChanges(before: Sources, after: Sources): readonly Change[] {
  return before.fragment.flatMap(({ path, value: old }): readonly Change[] => {
    const next = after.fragment.find(({ value }) => value.id === old.id)?.value
    const base = { named: 'fragment' as const, owner: old.id, name: old.id, isCarriedOver: false, path, at: ['id'] }
    if (next === undefined) return [{ ...base, what: 'removed', detail: '' }]
    return JSON.stringify(old) === JSON.stringify(next) ? [] : [{ ...base, what: 'changed', detail: 'other content' }]
  })
}

function screenChanges(before: Sources, after: Sources): readonly Change[] {
  const screens = (sources: Sources) => [...sources.list, ...sources.form, ...sources.detail, ...sources.approval, ...sources.report, ...sources.workbench, ...sources.dashboard]
  const kept = new Set(screens(after).map(({ value }) => value.id))
  return screens(before)
    .filter(({ value }) => !kept.has(value.id))
    .map(({ path, value }) => ({ named: 'screen', owner: value.id, name: value.id, what: 'removed', detail: '', isCarriedOver: false, path, at: ['id'] }))
}

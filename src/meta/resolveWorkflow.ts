import type { DocumentApprovalSource, EachSource, LevelSource, MadeValues, MakesSource, ParamSource, SettlesSource, WorkflowSource } from '#generated/language.ts'
import { type Entities, fieldOf } from '#meta/fieldOf.ts'
import type { Labels } from '#meta/labels.ts'
import type { ResolvedCommand } from '#meta/metadata.ts'
import { type NamedConditions, resolveCondition } from '#meta/resolveCondition.ts'
import { derivingName } from '#meta/derivingName.ts'
import { resolveField } from '#meta/resolveField.ts'
import type { Field, Making, MatrixRow, Param, ResolvedEntity, ResolvedWorkflow, Settlement, Tone } from '#meta/resolved.ts'
import { SourceError } from '#meta/sources.ts'
import { transitionsOf } from '#meta/standardTransitions.ts'

const tones: Readonly<Record<string, Tone>> = {
  submit: 'info', post: 'info', approve: 'positive', reject: 'negative', return: 'warning', cancel: 'negative', reverse: 'negative',
}

/** Whoever may submit it may take it back and begin anew; whoever may ask for its reversal holds the permission of the reversal. */
const guardedAs: Readonly<Record<string, string>> = { recall: 'submit', reopen: 'submit', 'request-reversal': 'reverse' }

/** `shared`: the condition fragments, in reach beside the entity's own conditions. */
export function resolveWorkflow(source: WorkflowSource, entities: Entities, labels: Labels, shared: NamedConditions): ResolvedWorkflow {
  const entity = entities[source.entity]
  if (entity === undefined) throw new SourceError(`Unknown entity "${source.entity}"`, ['entity'])
  return {
    kind: 'workflow',
    entity: source.entity,
    ...factsOf(source, entity, shared),
    transitions: transitionsOf(source).map((transition) => {
      const tone = transition.tone ?? tones[transition.action] ?? 'neutral'
      return {
        action: transition.action,
        label: labels.pick(`action.${source.entity}.${transition.action}`, `action.${transition.action}`),
        tone,
        from: transition.from,
        to: transition.to,
        guard: transition.guard ?? `${entity.resource}-${guardedAs[transition.action] ?? transition.action}`,
        ...(transition.when === undefined ? {} : { when: resolveCondition(transition.when, { ...shared, ...entity.conditions }) }),
        preconditions: transition.preconditions ?? [],
        effects: transition.effects ?? [],
        reason: transition.reason ?? 'none',
        ...(transition.reasonUsage === undefined ? {} : { reasonUsage: transition.reasonUsage }),
        system: transition.system ?? false,
        confirm: transition.confirm ?? tone === 'negative',
        ...(transition.keeps === undefined ? {} : { keeps: transition.keeps }),
        params: resolveParams(source.entity, transition.params ?? {}, entities, labels),
      }
    }),
  }
}

/** Who decides, where it is booked and when it is under way. */
function factsOf({ approval, books, begins, editing, enters, settles, consumes, moves, stages, adjusts, makes, underWay }: WorkflowSource, entity: ResolvedEntity, shared: NamedConditions): Pick<ResolvedWorkflow, 'approval' | 'books' | 'begins' | 'editing' | 'enters' | 'settles' | 'consumes' | 'moves' | 'stages' | 'adjusts' | 'makes' | 'underWay'> {
  return {
    ...(approval === undefined ? {} : { approval: resolveApproval(approval, entity) }),
    ...(books === undefined ? {} : {
      books: {
        modules: books.modules, waiting: books.waiting ?? [0, 4],
        events: (books.events ?? []).map(({ when, ...event }) => ({ ...event, ...(when === undefined ? {} : { when: resolveCondition(when, { ...shared, ...entity.conditions }) }) })),
      },
    }),
    ...(begins === undefined ? {} : { begins }),
    ...editingOf(editing, stages),
    ...(enters === undefined ? {} : { enters }),
    ...(settles === undefined ? {} : { settles: settles.map((settlement, i) => resolveSettlement(settlement, i, entity, shared)) }),
    ...(consumes === undefined ? {} : { consumes: consumes.map(({ lines, when, from = [1, 2], ...rest }, i) => ({ ...rest, from, lines: linesNamed(entity, lines, ['consumes', i, 'lines']), ...(when === undefined ? {} : { when: resolveCondition(when, shared) }) })) }),
    ...(moves === undefined ? {} : { moves: moves.map(({ lines, when, item = 'item_id', arrives, ...rest }, i) => ({ ...rest, item, arrives: arrives ?? rest.type, lines: linesNamed(entity, lines, ['moves', i, 'lines']), ...(when === undefined ? {} : { when: resolveCondition(when, shared) }) })) }),
    ...(stages === undefined ? {} : { stages }),
    ...(adjusts === undefined ? {} : { adjusts }),
    ...(makes === undefined ? {} : { makes: makes.map((making) => resolveMaking(making, shared)) }),
    ...(underWay === undefined ? {} : { underWay }),
  }
}

/** The status of documents that go through stages. */
const inWork = 8

/** Where a document is changed beside its draft: in statuses, and what its stages leave open of it. */
function editingOf(editing: WorkflowSource['editing'] = [], stages: WorkflowSource['stages'] = []): Pick<ResolvedWorkflow, 'editing'> {
  const staged = stages.map(({ stage, edits }) => ({ status: inWork, stage, fields: edits.filter((name) => !name.includes('.')) })).filter(({ fields }) => fields.length > 0)
  return editing.length + staged.length === 0 ? {} : { editing: [...editing, ...staged] }
}

function resolveMaking({ when, set, lines, ...making }: MakesSource, shared: NamedConditions): Making {
  const values = (made: MadeValues): Making['set'] => Object.fromEntries(Object.entries(made).map(([name, value]) => [name, typeof value === 'object' && 'first' in value ? { ...value, where: resolveCondition(value.where, shared) } : value]))
  return { ...making, set: values(set), ...(lines === undefined ? {} : { lines: values(lines) }), ...(when === undefined ? {} : { when: resolveCondition(when, shared) }) }
}

function resolveSettlement({ lines, with: sources, when: asked, ...rest }: SettlesSource, i: number, entity: ResolvedEntity, shared: NamedConditions): Settlement {
  const placed = (name: string | undefined, at: (string | number)[]): Pick<Settlement, 'lines'> => (name === undefined ? {} : { lines: linesNamed(entity, name, at) })
  return {
    ...placed(lines, ['settles', i, 'lines']),
    ...rest,
    ...(asked === undefined ? {} : { when: resolveCondition(asked, { ...shared, ...entity.conditions }) }),
    ...(sources === undefined ? {} : {
      with: sources.map(({ lines: own, when, ...source }, j) => ({ ...placed(own, ['settles', i, 'with', j, 'lines']), ...source, ...(when === undefined ? {} : { when: resolveCondition(when, { ...shared, ...entity.conditions }) }) })),
    }),
  }
}

function linesNamed(entity: ResolvedEntity, name: string, at: (string | number)[]): NonNullable<Settlement['lines']> {
  const lines = entity.lines.find((candidate) => candidate.name === name)
  if (lines === undefined) throw new SourceError(`${entity.id} has no lines "${name}"`, at)
  return { name, wire: lines.wire }
}

function resolveApproval({ measure, reasons, code, levels, reversal }: DocumentApprovalSource, entity: ResolvedEntity): NonNullable<ResolvedWorkflow['approval']> {
  const series = entity.series ?? entity.id.toUpperCase()
  return {
    ...(measure === undefined ? {} : { measure }),
    ...(reasons === undefined ? {} : { reasons }),
    matrix: [...rowsOf(levels, 'approve', code ?? `${series}-APPROVE`, series), ...rowsOf(reversal?.levels ?? [], 'reverse', `${series}-REVERSE`, series)],
  }
}

function rowsOf(levels: readonly LevelSource[], transition: string, stem: string, series: string): readonly MatrixRow[] {
  const before = new Map<string, number>()
  return levels.flatMap(({ role, hours, above = '0', level, conditions }) => {
    const group = conditions?.join(' ') ?? ''
    const own = level ?? (before.get(group) ?? 0) + 1
    before.set(group, own)
    const row = { transition, above, level: own, role, hours }
    return conditions === undefined ? [{ code: `${stem}-${own}`, ...row }] : conditions.map((condition) => ({ code: `${series}-${condition}-${own}`, condition, ...row }))
  })
}

export function resolveCommands(source: WorkflowSource, entities: Entities, labels: Labels): readonly ResolvedCommand[] {
  const entity = entities[source.entity]
  if (entity === undefined) throw new SourceError(`Unknown entity "${source.entity}"`, ['entity'])
  return [...derivingCommand(entity, entities, labels), ...(source.commands ?? []).map((command): ResolvedCommand => ({
    name: command.name,
    label: labels.pick(`action.${source.entity}.${command.name}`, `action.${command.name}`),
    entity: source.entity,
    guard: command.guard,
    rows: command.rows,
    params: resolveParams(source.entity, command.params ?? {}, entities, labels, 'rows'),
    body: command.body ?? 'params',
    readOnly: command.readOnly ?? false,
  }))]
}

/** An entity that derives values, or lines that do or are proposed, can be asked for them while a record is typed. */
function derivingCommand(entity: ResolvedEntity, entities: Entities, labels: Labels): readonly ResolvedCommand[] {
  const parts = [entity, ...entity.lines.flatMap((line) => entities[line.entity] ?? [])]
  if (parts.every(({ derive, candidates }) => derive === undefined && candidates === undefined)) return []
  return [{ name: derivingName(entity), label: labels.pick('action.derive'), entity: entity.id, guard: `${entity.resource}-view`, rows: 'none', params: parts.some(({ candidates }) => candidates !== undefined) ? resolveParams(entity.id, { brought: { type: 'longtext' } }, entities, labels) : [], body: 'record', readOnly: true, derives: true }]
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
    const { nullable: _nullable, hidden: _hidden, against: _against, ...column } = fieldOf(entities, lines, name, labels)
    return column
  }
  return { ...(wire === undefined ? {} : { lines: wire }), field: shown(field), ...(begins === undefined ? {} : { begins: shown(begins) }), columns: columns.map(shown) }
}

function paramField(entity: string, name: string, param: ParamSource, entities: Entities, labels: Labels): Field {
  if (param.type !== undefined) return resolveField(entity, name, { ...param, type: param.type }, labels)
  const { nullable: _nullable, hidden: _hidden, against: _against, ...column } = fieldOf(entities, entity, name, labels)
  return { ...column, readOnly: false, required: param.required ?? column.required }
}

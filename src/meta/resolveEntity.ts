import { wireName } from '#base/wireName.ts'
import type { CandidatesSource, EntitySource, FieldSource } from '#generated/language.ts'
import { baseColumns } from '#meta/bases.ts'
import { resolveCondition } from '#meta/resolveCondition.ts'
import type { Labels } from '#meta/labels.ts'
import { declaredIn, withOrigin } from '#meta/origins.ts'
import { decimalPlaces, resolveField } from '#meta/resolveField.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import type { Source, Sources } from '#meta/sources.ts'
import { transitionsOf } from '#meta/standardTransitions.ts'

/** All entities, flat: base columns added, lines attached to their headers, choices and labels worked out. */
export function resolveEntities(sources: Sources, labels: Labels): Record<string, ResolvedEntity> {
  const children = childrenByParent(sources.entity)
  const facts: Facts = { byId: new Map(sources.entity.map(({ value }) => [value.id, value])), states: statesByEntity(sources), listed: { approved: approvedOf(sources), ...postingWords(sources) } }
  const owners = new Map(sources.entity.flatMap(({ value }) => (value.owner === undefined ? [] : [[value.id, value.owner] as const])))
  return Object.fromEntries(
    sources.entity.map((source) => {
      const { id } = source.value
      return [id, resolveEntity(source, children.get(id) ?? [], owners, facts, labels)]
    }),
  )
}

function resolveEntity(
  { path, value: entity }: Source<EntitySource>,
  lines: readonly string[],
  owners: ReadonlyMap<string, string>,
  facts: Facts,
  labels: Labels,
): ResolvedEntity {
  const fields = columnsOf(entity, path, facts, labels)
  const [code, name] = displayOf(entity, fields)
  return {
    kind: 'entity',
    id: entity.id,
    table: entity.table ?? entity.id,
    base: entity.base,
    resource: entity.resource,
    title: labels.pick(`entity.${entity.id}`),
    display: [code, name],
    key: entity.key ?? [],
    scope: entity.scope ?? {},
    ...(entity.bounds === undefined ? {} : { bounds: entity.bounds }),
    ...(entity.permissions === undefined ? {} : { permissions: entity.permissions }),
    ...(entity.usedBy === undefined ? {} : { usedBy: entity.usedBy }),
    ...(entity.usedAs === undefined ? {} : { usedAs: entity.usedAs }),
    ...(entity.keptOnce === undefined ? {} : { keptOnce: entity.keptOnce }),
    ...(entity.series === undefined ? {} : { series: entity.series }),
    ...currencyOf(entity, facts.byId),
    ...(entity.otherCurrencies === undefined ? {} : { otherCurrencies: entity.otherCurrencies }),
    ...(entity.rateOf === undefined ? {} : { rateOf: entity.rateOf }),
    ...(entity.parent === undefined ? {} : { parent: entity.parent }),
    ...(entity.most === undefined ? {} : { most: entity.most }),
    ...(entity.owner === undefined ? {} : { owner: entity.owner }),
    fields,
    lines: [
      ...lines.map((line, i) => ({ ...(i === 0 ? { name: 'lines', wire: 'Lines' } : { name: line, wire: wireName(line) }), entity: line, column: `${entity.id}_id`, owned: false })),
      ...Object.entries(entity.children ?? {}).map(([name, child]) => ({ name, wire: wireName(name), entity: child, column: owners.get(child) ?? `${entity.id}_id`, owned: true })),
    ],
    ...(entity.lookup === undefined ? {} : { lookup: { columns: entity.lookup.columns ?? [], ...(entity.lookup.tree === undefined ? {} : { tree: entity.lookup.tree }) } }),
    search: fields.filter((field) => entity.fields[field.name]?.search === true || (entity.base === 'document' && field.name === 'code')).map((field) => field.name),
    ...(entity.page === undefined ? {} : { page: entity.page }),
    find: entity.find ?? false,
    conditions: Object.fromEntries(Object.entries(entity.conditions ?? {}).map(([key, condition]) => [key, resolveCondition(condition, entity.conditions ?? {})])),
    ...(entity.derive === undefined ? {} : { derive: entity.derive }),
    ...(entity.candidates === undefined ? {} : { candidates: { ...candidatesOf(entity.candidates), sort: entity.candidates.sort ?? 'id' } }),
    ...(entity.openItem === undefined ? {} : { openItem: entity.openItem }),
    ...rulesOf(entity, labels),
    ...reliancesOf(entity, labels),
    renamed: entity.renamed ?? {},
  }
}

/** The one it names, its own, or that of its header. */
function currencyOf(entity: EntitySource, byId: ReadonlyMap<string, EntitySource>): Pick<ResolvedEntity, 'currency'> {
  if (entity.currency !== undefined) return { currency: entity.currency }
  if (baseColumns(entity.base, entity.parent).before['currency'] !== undefined || entity.fields['currency'] !== undefined) return { currency: 'currency' }
  const parent = entity.base === 'line' ? byId.get(entity.parent ?? '') : undefined
  const above = parent === undefined || parent.id === entity.id ? undefined : currencyOf(parent, byId).currency
  return above === undefined ? {} : { currency: `${entity.parent ?? ''}_id.${above}` }
}

function rulesOf(entity: EntitySource, labels: Labels): Pick<ResolvedEntity, 'rules'> {
  if (entity.rules === undefined) return {}
  return {
    rules: entity.rules.map((rule) => {
      const label = labels.pick(`rule.${entity.id}.${rule.id}`, `rule.${rule.id}`)
      if ('must' in rule) {
        const must = resolveCondition(rule.must, entity.conditions ?? {})
        if (rule.at === undefined) return { label, field: rule.field, must }
        return { label, field: rule.field, must, at: rule.at, ...(rule.when === undefined ? {} : { when: resolveCondition(rule.when, entity.conditions ?? {}) }) }
      }
      return { label, lines: rule.lines, sum: rule.sum, equals: rule.equals, ...(rule.when === undefined ? {} : { when: resolveCondition(rule.when, entity.conditions ?? {}) }) }
    }),
  }
}

function candidatesOf({ entity, where, narrows, takes, header }: CandidatesSource): Omit<NonNullable<ResolvedEntity['candidates']>, 'sort'> {
  return { entity, takes, ...(where === undefined ? {} : { where: resolveCondition(where, {}) }), ...(narrows === undefined ? {} : { narrows }), ...(header === undefined ? {} : { header }) }
}

function reliancesOf(entity: EntitySource, labels: Labels): Pick<ResolvedEntity, 'reliances'> {
  if (entity.reliances === undefined) return {}
  return {
    reliances: entity.reliances.map(({ id, on, by, when, where, after, warn }) => ({
      id, on, by, after,
      label: labels.pick(`relies.${entity.id}.${id}`, `relies.${id}`),
      ...(when === undefined ? {} : { when: resolveCondition(when, entity.conditions ?? {}) }),
      // Names of conditions are those of the entity it is found in; here they are written out.
      ...(where === undefined ? {} : { where: resolveCondition(where, {}) }),
      ...(warn === undefined ? {} : { warn }),
    })),
  }
}

function columnsOf(entity: EntitySource, path: string, facts: Facts, labels: Labels): readonly EntityField[] {
  const { before, after } = baseColumns(entity.base, entity.parent)
  const sources: Record<string, FieldSource> = { ...before, ...entity.fields, ...after }
  // A field the entity declares itself overrules the base column of the same name, in the base's place.
  for (const [name, own] of Object.entries(entity.fields)) sources[name] = { ...before[name], ...after[name], ...own }
  return Object.entries(sources).map(([name, source]) => {
    const own = Object.hasOwn(entity.fields, name)
    const field = column(entity, name, narrowed(entity, name, source, facts), labels)
    return withOrigin(field, () => declaredIn(own ? path : `base ${entity.base}`, source, field))
  })
}

/** What other files say of entities. */
interface Facts {
  readonly byId: ReadonlyMap<string, EntitySource>
  /** Statuses a document can have, by its entity. */
  readonly states: ReadonlyMap<string, readonly number[]>
  readonly listed: Readonly<Record<NonNullable<FieldSource['valuesOf']>, readonly string[]>>
}

/** Entities of which something is approved: documents by their workflow, masters by their fields. */
function approvedOf({ workflow, entity }: Sources): readonly string[] {
  return [...workflow.filter(({ value }) => value.approval !== undefined).map(({ value }) => value.entity), ...entity.filter(({ value }) => Object.values(value.fields).some((field) => field.approval === true)).map(({ value }) => value.id)]
}

/** Events of the posting files, the keys of their amounts, and the words that stand for accounts. */
function postingWords({ posting }: Sources): Pick<Facts['listed'], 'events' | 'amounts' | 'selectors'> {
  const events = posting.flatMap(({ value }) => value.events)
  const lines = events.flatMap((event) => event.lines ?? [])
  const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].sort()
  return { events: sorted(events.map(({ event }) => event)), amounts: sorted(lines.map(({ amount }) => amount)), selectors: sorted(lines.map(({ account }) => account).filter((account) => !/^\d+$/.test(account))) }
}

/** A document's status offers the codes the document can have. */
function narrowed(entity: EntitySource, name: string, source: FieldSource, { states: all, listed }: Facts): FieldSource {
  if (source.valuesOf !== undefined) return { ...source, values: [...listed[source.valuesOf]] }
  const states = all.get(entity.id)
  if (entity.base !== 'document' || name !== 'status' || source.values !== undefined || states === undefined) return source
  return { ...source, values: [...states] }
}

/** What the workflow declares, or else every status its transitions and the detail screens name. */
function statesByEntity(sources: Sources): ReadonlyMap<string, readonly number[]> {
  return new Map(
    sources.workflow.map(({ value }) => {
      if (value.states !== undefined) return [value.entity, value.states]
      const moved = transitionsOf(value).flatMap((transition) => [...transition.from, transition.to])
      const listed = sources.detail.filter((detail) => detail.value.entity === value.entity).flatMap((detail) => detail.value.states ?? [])
      return [value.entity, [...new Set([0, ...moved, ...listed])].sort((a, b) => a - b)]
    }),
  )
}

function column(entity: EntitySource, name: string, source: FieldSource, labels: Labels): EntityField {
  const field = resolveField(entity.id, name, entity.derive?.[name] === undefined ? source : { ...source, readOnly: true }, labels)
  // The number of a series is drawn by the server when nobody types one.
  const drawn = name === 'code' && entity.series !== undefined
  return {
    ...field,
    required: field.required && !drawn && source.type !== 'boolean' && source.default !== '',
    nullable: isNullable(entity, name, source),
    hidden: source.type === 'secret',
    ...(source.approval === true ? { approval: true } : {}),
    ...(source.trace === true ? { trace: true } : {}),
    ...againstOf(entity, source),
  }
}

function againstOf(entity: EntitySource, { against }: FieldSource): Pick<EntityField, 'against'> {
  if (against === undefined) return {}
  const { field, beyond, on, named = ['line_no'], when } = against
  return { against: { field, beyond, on, named, ...(when === undefined ? {} : { when: resolveCondition(when, entity.conditions ?? {}) }) } }
}

function isNullable(entity: EntitySource, name: string, source: FieldSource): boolean {
  if (source.nullable === true) return true
  if (name === 'code' && entity.base === 'document') return true
  if (source.required === true || source.default !== undefined) return false
  return decimalPlaces[source.type] === undefined && source.type !== 'boolean' && source.type !== 'textlist'
}

function displayOf(entity: EntitySource, fields: readonly EntityField[]): readonly [string, string] {
  const [code, name] = entity.display ?? []
  if (code !== undefined && name !== undefined) return [code, name]
  const first = ['code', 'name', 'line_no', 'id'].find((column) => fields.some((field) => field.name === column)) ?? fields[0]?.name ?? 'id'
  return [first, first]
}

function childrenByParent(entities: readonly Source<EntitySource>[]): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>()
  for (const { value } of entities) {
    if (value.base !== 'line' || value.parent === undefined) continue
    children.set(value.parent, [...(children.get(value.parent) ?? []), value.id])
  }
  return children
}

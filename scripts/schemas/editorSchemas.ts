import type { Metadata } from '../../src/meta/metadata.ts'
import { changeAction } from '../../src/meta/screenUse.ts'
import type { EntityField, ResolvedDataset } from '../../src/meta/resolved.ts'
import type { Sources } from '../../src/meta/sources.ts'

type Json = { readonly [key: string]: unknown }

/** Name of the file that lists the live names; beside it the schema of each kind. */
const namesFile = 'names.schema.json'

/**
 * The meta-schemas for editors, by file name: what they allow, and the names that exist now, each with its label and type, so that a common
 * editor completes and explains them. `metaSchemas` by kind, as parsed.
 */
export function editorSchemas(metaSchemas: Readonly<Record<string, object>>, metadata: Metadata, sources: Sources): Readonly<Record<string, object>> {
  const text = (key: string): string => sources.messages[key] ?? key
  const kinds = Object.entries(metaSchemas).map(([kind, schema]): [string, object] => {
    const named = withNames(schema, kind)
    const conditions = ownNames(kind, metadata)
    return [`${kind}.schema.json`, conditions.length === 0 ? named : { ...named, allOf: conditions }]
  })
  return { ...Object.fromEntries(kinds), [namesFile]: { $schema: 'http://json-schema.org/draft-07/schema#', definitions: definitions(metadata, sources, text) } }
}

/** Keys whose text is a name of something, wherever they stand. */
const nameKeys: Readonly<Record<string, string>> = {
  entity: 'entity', parent: 'entity', docType: 'entity', dataset: 'dataset', guard: 'guard', panel: 'screen', preview: 'screen', peek: 'screen', closed: 'screen', screen: 'screen', report: 'screen', list: 'screen',
  transition: 'transition', command: 'command', slot: 'slot', page: 'page', use: 'fragment',
}

/** Where a key of that name means something else. */
const otherwise: readonly string[] = ['entity.page', 'routes.parent', 'form.parent']

/** The schema with a list of names beside each text that names something. */
function withNames(schema: object, kind: string): Json {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, part]): [string, unknown] => {
        if (key !== 'properties' || typeof part !== 'object' || part === null) return [key, walk(part)]
        return [key, Object.fromEntries(Object.entries(part).map(([name, property]): [string, unknown] => [name, known(kind, name, walk(property))]))]
      }),
    )
  }
  return walk(schema) as Json
}

function known(kind: string, name: string, property: unknown): unknown {
  const list = nameKeys[name]
  if (list === undefined || otherwise.includes(`${kind}.${name}`) || typeof property !== 'object' || property === null || Reflect.get(property, 'type') !== 'string') return property
  return { ...property, allOf: [names(list)] }
}

function names(list: string): Json {
  return { $ref: `${namesFile}#/definitions/${list}` }
}

/** Columns, filters and the like name fields of the entity or dataset that the same file names. */
function ownNames(kind: string, { entities, datasets }: Metadata): readonly Json[] {
  if (kind === 'report') return Object.keys(datasets).map((id) => when('dataset', id, reportParts(id)))
  const parts: Readonly<Record<string, readonly [key: string, parts: (entity: string) => Json]>> = {
    list: ['entity', listParts],
    approval: ['docType', (entity) => ({ columns: part(`fields.${entity}`) })],
    form: ['entity', formParts],
    detail: ['entity', (entity) => ({ facts: part(`fields.${entity}`) })],
  }
  const own = parts[kind]
  return own === undefined ? [] : Object.keys(entities).map((id) => when(own[0], id, own[1](id)))
}

function when(key: string, id: string, properties: Json): Json {
  return { if: { properties: { [key]: { const: id } }, required: [key] }, then: { properties } }
}

/** A list of names, or of objects with a `field`. */
function part(list: string): Json {
  return { items: { anyOf: [names(list), { type: 'object', properties: { field: names(list) } }] } }
}

function listParts(entity: string): Json {
  const own = part(`fields.${entity}`)
  return { columns: own, filters: own, sort: own, groupBy: own }
}

function formParts(entity: string): Json {
  return { sections: { items: { properties: { fields: part(`fields.${entity}`) } } }, totals: part(`fields.${entity}`) }
}

function reportParts(dataset: string): Json {
  const [dimensions, columns] = [part(`dimensions.${dataset}`), part(`columns.${dataset}`)]
  return {
    columns, sort: columns, filters: columns, groups: dimensions, across: dimensions, measures: part(`measures.${dataset}`), parameters: part(`parameters.${dataset}`),
    groupBy: names(`dimensions.${dataset}`),
    chart: { properties: { by: { anyOf: [names(`dimensions.${dataset}`), { type: 'object' }] }, series: { anyOf: [names(`dimensions.${dataset}`), { type: 'object' }] }, measures: part(`measures.${dataset}`) } },
  }
}

interface Name {
  readonly name: string
  readonly description: string
}

function definitions(metadata: Metadata, sources: Sources, text: (key: string) => string): Json {
  const { entities, datasets, screens, guards, commands, workflows } = metadata
  const lists: Record<string, readonly Name[]> = {
    entity: Object.values(entities).map(({ id, title, base }) => ({ name: id, description: `${text(title)} (${base})` })),
    dataset: sources.dataset.map(({ value: { id, grain } }) => ({ name: id, description: `One row: ${grain}` })),
    screen: Object.values(screens).map(({ id, title, kind }) => ({ name: id, description: `${text(title)} (${kind})` })),
    guard: guards.map(({ name, module }) => ({ name, description: `Permission of ${module}` })),
    command: Object.values(commands).map(({ name, label, entity }) => ({ name, description: `${text(label)} (${entity})` })),
    transition: [{ name: changeAction, description: 'Changed values of fields with `approval`, and new records.' }, ...new Map(Object.values(workflows).flatMap(({ transitions }) => transitions.map(({ action, label }) => [action, { name: action, description: text(label) }] as const))).values()],
    slot: [...new Set(sources.form.flatMap(({ value }) => value.sections.flatMap(({ slot }) => slot ?? [])))].map((name) => ({ name, description: 'Hand-written part' })),
    page: [...new Set(sources.routes.flatMap(({ page }) => page ?? []))].map((name) => ({ name, description: 'Hand-written page' })),
    fragment: sources.fragment.map(({ value: { id, type } }) => ({ name: id, description: `Fragment of ${type}` })),
  }
  for (const { id, fields } of Object.values(entities)) lists[`fields.${id}`] = fields.flatMap((field) => fieldNames(field, metadata, text))
  for (const dataset of Object.values(datasets)) Object.assign(lists, datasetNames(dataset, text))
  return Object.fromEntries(Object.entries(lists).map(([list, entries]) => [list, enumOf(entries)]))
}

/** The field, and for a reference the fields one step away. */
function fieldNames(field: EntityField, { entities }: Metadata, text: (key: string) => string): readonly Name[] {
  const own = { name: field.name, description: `${text(field.label)}: ${field.type}` }
  const target = field.type === 'ref' ? entities[field.entity ?? ''] : undefined
  if (target === undefined) return [own]
  return [own, ...target.fields.filter(({ name, hidden }) => !hidden && name !== 'id').map(({ name, label, type }) => ({ name: `${field.name}.${name}`, description: `${text(label)} of ${text(field.label)}: ${type}` }))]
}

function datasetNames({ id, dimensions, measures, parameters }: ResolvedDataset, text: (key: string) => string): Readonly<Record<string, readonly Name[]>> {
  const named = (fields: readonly { readonly name: string; readonly label: string; readonly type: string }[]) => fields.map(({ name, label, type }) => ({ name, description: `${text(label)}: ${type}` }))
  return {
    [`dimensions.${id}`]: named(dimensions),
    [`measures.${id}`]: named(measures),
    [`columns.${id}`]: [...named(dimensions), ...named(measures)],
    [`parameters.${id}`]: named(parameters),
  }
}

/** `enumDescriptions` is read by the editors that show a text beside each choice; others ignore it. An empty list restricts nothing. */
function enumOf(entries: readonly Name[]): Json {
  if (entries.length === 0) return {}
  // A name made of a variant or of the argument of a fragment is known only when it is put in place.
  return { anyOf: [{ enum: entries.map(({ name }) => name), enumDescriptions: entries.map(({ description }) => description) }, { type: 'string', pattern: '\\$[a-z]' }] }
}

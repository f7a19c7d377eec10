import type { Metadata } from '#meta/metadata.ts'
import type { EntityField, ResolvedDataset, ResolvedEntity } from '#meta/resolved.ts'

/** The permissions that fields anywhere in a screen ask for. */
export function asksOf(screen: object): readonly string[] {
  const found = new Set<string>()
  const look = (part: unknown): void => {
    if (!isObject(part)) return
    for (const key of ['readBy', 'writeBy'] as const) if (typeof part[key] === 'string') found.add(part[key])
    for (const inner of Object.values(part)) look(inner)
  }
  look(screen)
  return [...found].sort()
}

/** Does somebody hold the permission? */
export type Holds = (guard: string) => boolean

/** Parts without which what they stand in says nothing. */
const bearing = ['measure', 'figure', 'total', 'by', 'series', 'chart'] as const

/**
 * A screen as it is for somebody: fields he may not read are not there, nor what is nothing without them; those he may not write are read only.
 * The very same object where that leaves nothing out.
 */
export function permitted<T>(screen: T, holds: Holds): T {
  return partOf(screen, holds) as T
}

function partOf(value: unknown, holds: Holds): unknown {
  if (Array.isArray(value)) {
    const parts: readonly unknown[] = value
    const kept = parts.filter((part) => !isGone(part, holds)).map((part) => partOf(part, holds))
    return kept.length === parts.length && kept.every((part, i) => part === parts[i]) ? value : kept
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, part]) => (isGone(part, holds) ? [] : [[key, partOf(part, holds)] as const]))
  const isSame = entries.length === Object.keys(value).length && entries.every(([key, part]) => part === value[key])
  const object = isSame ? value : Object.fromEntries(entries)
  if (typeof object['writeBy'] !== 'string' || holds(object['writeBy'])) return object
  return { ...object, readOnly: true, required: false, ...('entry' in object ? { entry: false } : {}) }
}

function isGone(part: unknown, holds: Holds): boolean {
  if (!isObject(part)) return false
  const { readBy, writeBy, targets, columns, records, measures } = part
  if (typeof readBy === 'string' && !holds(readBy)) return true
  // A column of an import is there to be written; a sheet without one it cannot do without would make half a record.
  if (Array.isArray(targets) && typeof writeBy === 'string' && !holds(writeBy)) return true
  if (Array.isArray(records) && Array.isArray(columns) && columns.some((column) => isObject(column) && column['required'] === true && isGone(column, holds))) return true
  if (Array.isArray(measures) && measures.length > 0 && measures.every((one) => isGone(one, holds))) return true
  return bearing.some((key) => isGone(part[key], holds))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** All permissions that single fields, measures and journals ask for. */
export function fieldGuards({ entities, datasets, postings }: Metadata): readonly string[] {
  const all = [
    ...Object.values(entities).flatMap(({ fields }) => fields),
    ...Object.values(datasets).flatMap(({ dimensions, measures }) => [...dimensions, ...measures]),
    ...Object.values(postings),
  ]
  return [...new Set(all.flatMap((one) => [one.readBy, 'writeBy' in one ? one.writeBy : undefined].filter((guard) => guard !== undefined)))].sort()
}

/** The product as it is for somebody: to him, what he may not read is as what never leaves the server. */
export function permittedMetadata(metadata: Metadata, holds: Holds): Metadata {
  return {
    ...metadata,
    entities: mapped(metadata.entities, (entity) => permittedEntity(entity, holds)),
    datasets: mapped(metadata.datasets, (dataset) => permittedDataset(dataset, holds)),
    screens: mapped(metadata.screens, (screen) => (screen.asks === undefined ? screen : permitted(screen, holds))),
  }
}

function permittedEntity(entity: ResolvedEntity, holds: Holds): ResolvedEntity {
  const fields = entity.fields.map((field) => permittedField(field, holds))
  if (fields.every((field, i) => field === entity.fields[i])) return entity
  const hidden = new Set(fields.filter((field) => field.hidden).map(({ name }) => name))
  const shown = (names: readonly string[]): readonly string[] => names.filter((name) => !hidden.has(name))
  return { ...entity, fields, search: shown(entity.search), ...(entity.lookup === undefined ? {} : { lookup: { ...entity.lookup, columns: shown(entity.lookup.columns) } }) }
}

function permittedField(field: EntityField, holds: Holds): EntityField {
  if (field.readBy !== undefined && !holds(field.readBy)) return { ...field, hidden: true, readOnly: true }
  return field.writeBy === undefined || holds(field.writeBy) ? field : { ...field, readOnly: true }
}

function permittedDataset(dataset: ResolvedDataset, holds: Holds): ResolvedDataset {
  const dimensions = dataset.dimensions.filter((one) => !isGone(one, holds))
  const measures = dataset.measures.filter((one) => !isGone(one, holds))
  return dimensions.length === dataset.dimensions.length && measures.length === dataset.measures.length ? dataset : { ...dataset, dimensions, measures }
}

function mapped<T>(values: Readonly<Record<string, T>>, work: (value: T) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, work(value)]))
}

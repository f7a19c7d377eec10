import { referenceNames } from '#base/wireName.ts'
import { valueSchema } from '#meta/formSchema.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { EntityField, Field, ResolvedEntity } from '#meta/resolved.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { approvedFields } from '#server/approval/proposed.ts'
import { emptyValue } from '#server/documents/emptyValue.ts'
import { mostLines } from '#server/documents/parseRecord.ts'
import { id, listOf, orNull, ref, schemaName, text, words, type Schema } from './schema.ts'

/** Name of the schema of a record as it is saved. */
export function saveName(entity: ResolvedEntity): string {
  return `${schemaName(entity.id)}Save`
}

/** A record as it is read: every column people may see, references with code and name. Lists give the columns asked for. */
export function readSchema(metadata: Metadata, entity: ResolvedEntity): Schema {
  const properties: Record<string, Schema> = {}
  for (const field of entity.fields) {
    if (field.hidden) continue
    properties[field.wire] = nullable(field, described(field))
    if (field.type !== 'ref') continue
    const names = referenceNames(field.name)
    for (const name of [names.code, names.name]) properties[name] ??= orNull(text)
  }
  for (const line of entity.lines) properties[line.wire] = listOf(ref(schemaName(line.entity)))
  const hasId = entity.fields.some((field) => field.type === 'id')
  if (hasId && entity.base !== 'line') properties['Actions'] = { ...listOf(text), description: 'What this user may do with the record now: workflow actions, edit, delete.' }
  if (approvedFields(entity).length > 0) properties['Proposed'] = { ...orNull(ref('ProposedChanges')), description: 'Changes that wait for approval.' }
  const isKept = metadata.entities[entity.parent ?? ''] !== undefined
  return { description: `${words(entity.id)}${isKept ? ', a line' : ''}.`, type: 'object', properties, ...(hasId ? { required: ['ID'] } : {}) }
}

/**
 * A record as it is sent, closed at every depth. What only the server writes may come back as it was read and is ignored, so it stands here
 * as read-only; nothing is required here, see `requiredKeys`.
 */
export function saveSchema(metadata: Metadata, entity: ResolvedEntity, hooks: DocumentHooks | undefined, prefix = ''): Schema {
  const properties: Record<string, Schema> = {}
  const computed = new Set(hooks?.computed)
  for (const field of entity.fields) {
    if (field.hidden || field.name === 'line_no') continue
    const isKept = field.readOnly || computed.has(prefix + field.name)
    const isEmptiable = field.nullable || emptyValue(field) !== undefined
    properties[field.wire] = { ...(isEmptiable ? orNull(described(field)) : described(field)), ...(isKept ? { readOnly: true } : {}) }
    if (field.type !== 'ref') continue
    const names = referenceNames(field.name)
    for (const name of [names.code, names.name]) properties[name] ??= { ...orNull(text), readOnly: true }
  }
  const extra = prefix === '' ? hooks?.extraKeys : hooks?.extraLineKeys
  for (const key of extra ?? []) properties[key] = {}
  if (prefix !== '') {
    properties['ID'] = { ...orNull(id), description: 'The line this one changes; without it a new line. Lines left out are removed.' }
    properties['LineNo'] = { readOnly: true, description: 'Lines are numbered in the order they are sent.' }
  }
  for (const line of entity.lines) properties[line.wire] = { ...listOf(ref(`${schemaName(line.entity)}Save`)), maxItems: metadata.entities[line.entity]?.most ?? mostLines }
  properties['Actions'] ??= { readOnly: true }
  if (prefix === '') properties['Proposed'] ??= { readOnly: true }
  return { description: `${words(entity.id)} as it is saved.`, type: 'object', properties, additionalProperties: false }
}

/** Keys a new record must bring: what neither a default, the series, the customer nor the day fills. */
export function requiredKeys(entity: ResolvedEntity, hooks: DocumentHooks | undefined): readonly string[] {
  const computed = new Set(hooks?.computed)
  const has = (name: string): boolean => entity.fields.some((field) => field.name === name)
  const filled = new Set(entity.base === 'document' ? ['doc_date', ...(has('customer_id') ? ['operating_unit_id'] : [])] : [])
  if (entity.series !== undefined) filled.add('code')
  if (entity.scope.operating_unit === 'operating_unit_id') filled.add('operating_unit_id')
  return entity.fields
    .filter((field) => !field.readOnly && !field.hidden && !field.nullable && !computed.has(field.name) && !filled.has(field.name) && emptyValue(field) === undefined)
    .map((field) => field.wire)
}

/** Schema of one value with what a schema cannot say in words. */
export function described(field: Field): Schema {
  const notes: string[] = []
  if (field.entity !== undefined) notes.push(`${words(field.entity)}.`)
  if (field.min !== undefined) notes.push(`At least ${field.min}.`)
  if (field.max !== undefined) notes.push(`At most ${field.max}.`)
  return {
    ...valueSchema(field),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(notes.length === 0 ? {} : { description: notes.join(' ') }),
  }
}

function nullable(field: EntityField, schema: Schema): Schema {
  return field.nullable ? orNull(schema) : schema
}

import { wireName } from '#base/wireName.ts'
import type { Labels } from '#meta/labels.ts'
import { originOf, withOrigin } from '#meta/origins.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import { SourceError } from '#meta/sources.ts'

export type Entities = Readonly<Record<string, ResolvedEntity>>

/** The column `name` of an entity, or over one reference: `customer_id.phone` → type of the target, wire `CustomerPhone`. */
export function fieldOf(entities: Entities, entity: string, name: string, labels: Labels): EntityField {
  const [column = name, hop, ...more] = name.split('.')
  const field = columnOf(entities, entity, column)
  if (hop === undefined) return field
  if (more.length > 0) throw new SourceError(`"${name}" follows more than one reference`)
  if (field.type !== 'ref' || field.entity === undefined) throw new SourceError(`"${column}" of ${entity} is no reference`)
  const target = columnOf(entities, field.entity, hop)
  const label = labels.pick(`field.${entity}.${name}`, `field.${name}`, `field.${field.entity}.${hop}`, labelOfHop(field, target, hop))
  return withOrigin(
    { ...target, name, wire: wireName(column.replace(/_id$/, '')) + target.wire, label, required: false, readOnly: true, nullable: true },
    () => originOf(target),
  )
}

/** Code and name shown for a reference speak for the reference itself. */
function labelOfHop(reference: EntityField, target: EntityField, hop: string): string {
  return hop === 'name' ? reference.label : target.label
}

function columnOf(entities: Entities, entity: string, column: string): EntityField {
  const found = entities[entity]?.fields.find((field) => field.name === column)
  if (found === undefined) throw new SourceError(entities[entity] === undefined ? `Unknown entity "${entity}"` : `${entity} has no field "${column}"`)
  return found
}

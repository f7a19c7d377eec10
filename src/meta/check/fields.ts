import { didYouMean, type Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { EntityField } from '#meta/resolved.ts'

/** Every entity and field a file names exists and can be used there. */
export function* fields({ uses, resolved }: World): Iterable<Report> {
  const { entities } = resolved.metadata
  for (const { path, at, name } of uses.entities) {
    if (entities[name] === undefined) yield { path, at, code: 'unknown-entity', message: `"${name}" is no entity${didYouMean(name, Object.keys(entities))}` }
  }
  for (const { path, at, entity, name, what, total, onKey } of uses.fields) {
    // An unknown entity is one finding, not one for each of its fields.
    if (entities[entity] === undefined) continue
    const found = findField(entities, entity, name)
    const place = { path, at, ...(onKey === undefined ? {} : { onKey }) }
    if (typeof found === 'string') yield { ...place, code: 'unknown-field', message: found }
    else if (found.hidden && what !== 'field') yield { ...place, code: 'secret-field', message: `"${name}" never leaves the server` }
    else if (total === true && decimalPlaces[found.type] === undefined && found.type !== 'integer') {
      yield { ...place, code: 'total-of-text', message: `"${name}" is ${found.type}; only numbers add up` }
    } else if (what === 'filter' && found.type === 'json') yield { ...place, code: 'no-filter', message: `"${name}" is json and cannot be filtered` }
    else if (what === 'form field' && name.includes('.')) yield { ...place, code: 'hop-in-form', message: `"${name}" belongs to another record and cannot be typed here` }
  }
}

/** The field, or the sentence that says why there is none. */
export function findField(entities: World['resolved']['metadata']['entities'], entity: string, name: string): EntityField | string {
  const [column = name, hop, ...more] = name.split('.')
  const field = lookUp(entities, entity, column)
  if (hop === undefined || typeof field === 'string') return field
  if (more.length > 0) return `"${name}" follows more than one reference`
  if (field.entity === undefined) return `"${column}" of ${entity} is no reference`
  return lookUp(entities, field.entity, hop)
}

function lookUp(entities: World['resolved']['metadata']['entities'], entity: string, column: string): EntityField | string {
  const all = entities[entity]?.fields ?? []
  return all.find((field) => field.name === column) ?? `${entity} has no field "${column}"${didYouMean(column, all.map((field) => field.name))}`
}

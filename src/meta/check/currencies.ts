import { isAmountType } from '#meta/amount.ts'
import { findField } from '#meta/check/fields.ts'
import type { Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import type { EntityField } from '#meta/resolved.ts'

type Entities = World['resolved']['metadata']['entities']

/** No two currencies are added: the way an entity names to its currency leads there, and what is added up has such a way. */
export function* currencies({ sources, resolved, uses }: World): Iterable<Report> {
  const { entities } = resolved.metadata
  for (const { path, value } of sources.entity) {
    if (value.currency === undefined) continue
    const end = endOf(entities, value.id, value.currency)
    const place = { path, at: ['currency'] }
    if (typeof end === 'string') yield { ...place, code: 'unknown-field', message: end }
    else if (end.type !== 'text' && end.type !== 'code') yield { ...place, code: 'wrong-currency', message: `"${value.currency}" is ${end.type}; a currency is text` }
    else if (value.currency.includes('.') && entities[value.id]?.fields.some(({ name }) => name === 'currency') === true) yield { ...place, code: 'wrong-currency', message: `${value.id} has a field "currency" of its own` }
  }
  for (const { path, at, entity, name, total } of uses.fields) {
    const field = total === true ? findField(entities, entity, name) : undefined
    if (field === undefined || typeof field === 'string' || !isAmountType(field.type) || entities[entity]?.currency !== undefined) continue
    yield { path, at, code: 'missing-currency', message: `"${name}" is ${field.type}, but ${entity} does not say in which "currency"; amounts of different currencies are never added up` }
  }
}

/** The field at the end of a way over references, or the sentence that says where it breaks off. */
function endOf(entities: Entities, entity: string, way: string): EntityField | string {
  const [first = way, ...rest] = way.split('.')
  const field = findField(entities, entity, first)
  if (rest.length === 0 || typeof field === 'string') return field
  return field.entity === undefined ? `"${first}" of ${entity} is no reference` : endOf(entities, field.entity, rest.join('.'))
}

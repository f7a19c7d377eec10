import { wireName } from '#base/wireName.ts'
import type { EntityId } from '#generated/names.ts'
import type { CommandContext, Row } from '#server/context.ts'

/** Columns of an entity out of the body of a command that takes a whole record, by wire name; their values are as sent, not checked. */
export function columnsOf(context: CommandContext, entity: EntityId, body: Row): Row {
  const fields = context.metadata.entities[entity]?.fields ?? []
  return Object.fromEntries(fields.flatMap((field) => (Object.hasOwn(body, field.wire) ? [[field.name, body[field.wire]]] : [])))
}

/** The same columns by wire name, as such a command answers them. */
export function wired(columns: Row): Row {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [wireName(name), value]))
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

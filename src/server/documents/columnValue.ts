import type { Field } from '#meta/resolved.ts'

/** A value as the driver must be handed it: json as text, since an array would otherwise become a PostgreSQL array. */
export function columnValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null
  return field.type === 'json' ? JSON.stringify(value) : value
}

import { referenceNames, wireName } from '#base/wireName.ts'

/**
 * Values that choosing a record sets in other fields: `fills` maps a field of the form to a column of the record (`payment_term_id` →
 * `payment_term_id`). Code and name of a reference come along. What the record does not have fills nothing.
 */
export function fillValues(fills: Readonly<Record<string, string>>, record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [field, column] of Object.entries(fills)) {
    const wire = column === 'id' ? 'ID' : wireName(column)
    if (!(wire in record)) continue
    values[wireName(field)] = record[wire] ?? null
    if (!field.endsWith('_id')) continue
    const to = referenceNames(field)
    const from = column === 'id' ? { code: 'Code', name: 'Name' } : referenceNames(column)
    values[to.code] = record[from.code] ?? null
    values[to.name] = record[from.name] ?? null
  }
  return values
}

/** Columns to ask a lookup for so that `fills` can be done. */
export function fillColumns(fills: Readonly<Record<string, string>> | undefined): readonly string[] {
  return [...new Set(Object.values(fills ?? {}))].filter((column) => column !== 'id')
}

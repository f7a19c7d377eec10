import type { FormFieldSource, ColumnSource, UseSource } from '#generated/language.ts'
import type { Scope } from '#meta/scope.ts'
import { SourceError } from '#meta/sources.ts'

/** A part with the place it was written in, for `explain`. */
export interface Placed<T> {
  readonly value: T
  readonly origin: string
}

/** Columns with the fragments they use put in place. */
export function expandColumns(scope: Scope, columns: readonly (ColumnSource | string | UseSource)[], origin: string): readonly Placed<ColumnSource>[] {
  return columns.flatMap((column): readonly Placed<ColumnSource>[] => {
    if (typeof column === 'string') return [{ value: { field: column }, origin }]
    if (!isUse(column)) return [{ value: column, origin }]
    const fragment = scope.fragments[column.use]
    if (fragment?.value.type !== 'columns') throw new SourceError(`Unknown column fragment "${column.use}"`)
    return expandColumns(scope, filled(fragment.value.columns, column.with), `fragment ${column.use}`)
  })
}

/** Form fields with the fragments they use put in place. */
export function expandFields(scope: Scope, fields: readonly (FormFieldSource | string | UseSource)[], origin: string): readonly Placed<FormFieldSource>[] {
  return fields.flatMap((field): readonly Placed<FormFieldSource>[] => {
    if (typeof field === 'string') return [{ value: { field }, origin }]
    if (!isUse(field)) return [{ value: field, origin }]
    const fragment = scope.fragments[field.use]
    if (fragment?.value.type !== 'fields') throw new SourceError(`Unknown field fragment "${field.use}"`)
    return expandFields(scope, filled(fragment.value.fields, field.with), `fragment ${field.use}`)
  })
}

function isUse(part: object): part is UseSource {
  return 'use' in part
}

/** Writes the arguments in place of `$name`. */
function filled<T>(part: T, values: Readonly<Record<string, string | number | boolean>> | undefined): T {
  if (values === undefined) return part
  return JSON.parse(JSON.stringify(part), (_, value: unknown) =>
    typeof value === 'string' && value.startsWith('$') ? (values[value.slice(1)] ?? value) : value,
  ) as T
}

import type { ColumnSource, UseSource } from '#generated/language.ts'
import { expandColumns, type Placed } from '#meta/fragments.ts'
import { originOf, withOrigin } from '#meta/origins.ts'
import type { Column, EntityField, Field, FieldType } from '#meta/resolved.ts'
import { fieldIn, type Scope } from '#meta/scope.ts'
import { SourceError } from '#meta/sources.ts'

const unsortable: readonly FieldType[] = ['json', 'textlist', 'secret', 'longtext']
const unfilterable: readonly FieldType[] = ['json', 'secret']

export function resolveColumns(scope: Scope, entity: string, columns: readonly (ColumnSource | string | UseSource)[], path: string): readonly Column[] {
  return expandColumns(scope, columns, path).map((placed) => resolveColumn(fieldIn(scope, entity, placed.value.field), placed, isProminent(scope, entity, placed)))
}

/** Field of a stored entity as columns, filters and facts show it. */
export function shown(field: EntityField): Field {
  const { nullable: _nullable, trace: _trace, against: _against, hidden, ...rest } = field
  if (hidden) throw new SourceError(`"${field.name}" never leaves the server`)
  return withOrigin(rest, () => originOf(field))
}

export function resolveColumn(field: Field | EntityField, { value, origin }: Placed<ColumnSource>, prominent: boolean): Column {
  const base = 'nullable' in field ? shown(field) : field
  const column: Column = {
    ...base,
    readOnly: true,
    ...(value.label === undefined ? {} : { label: value.label }),
    ...(value.width === undefined ? {} : { width: value.width }),
    ...(value.pin === undefined ? {} : { pin: value.pin }),
    importance: value.importance ?? (prominent ? 'high' : 'medium'),
    hidden: value.hidden ?? false,
    ...(value.total === undefined ? {} : { total: value.total }),
    sortable: !unsortable.includes(base.type),
    filterable: !unfilterable.includes(base.type),
    ...(value.link === undefined ? {} : { link: value.link }),
  }
  return withOrigin(column, () => ({
    ...originOf(base), importance: 'default', hidden: 'default', sortable: 'default', filterable: 'default',
    ...Object.fromEntries(Object.keys(value).map((key) => [key === 'field' ? 'name' : key, origin])),
  }))
}

/** Code, name and status survive on a narrow screen unless the file says otherwise. */
function isProminent(scope: Scope, entity: string, { value }: Placed<ColumnSource>): boolean {
  return scope.entities[entity]?.display.includes(value.field) === true || value.field === 'status'
}

import type { EntityField } from '#meta/resolved.ts'
import { isDecimalType } from './columns.ts'

/** What an emptied field of a column that is never null stands for; undefined: it must be filled in. */
export function emptyValue(field: EntityField): unknown {
  if (field.default !== undefined) return field.default
  if (field.required) return undefined
  if (isDecimalType(field.type)) return '0'
  if (field.type === 'boolean') return false
  return field.type === 'textlist' ? [] : undefined
}

import type { FieldType } from '#meta/resolved.ts'
import { cellOf } from '../table/cells.tsx'

/** A value as the table of its chart shows it. */
export function valueText(type: FieldType, value: string | null): string {
  return cellOf(type).text(value, { name: '', wire: '', type, label: '', required: false, readOnly: true }, {})
}

import type { FieldType } from '#meta/resolved.ts'

/** Is a value of this type in a currency? */
export function isAmountType(type: FieldType): boolean {
  return type === 'money' || type === 'price' || type === 'cost'
}

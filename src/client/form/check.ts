import { compare } from '#base/decimal.ts'
import { isBetween } from '#base/numberRules.ts'
import type { Field } from '#meta/resolved.ts'
import { isNothing } from './same.ts'
import type { Message } from './message.ts'

/** What is wrong with one value of a field by what its entity says, or undefined. Types are already right: the entry parsed them. */
export function checkValue(field: Field, value: unknown, required: boolean): Message | undefined {
  if (isNothing(value)) {
    return required ? { key: 'ui.check.required' } : undefined
  }
  if (typeof value === 'string') {
    if (field.maxLength !== undefined && value.length > field.maxLength) return { key: 'ui.check.maxLength', params: { limit: field.maxLength, n: value.length } }
    if (field.pattern !== undefined && !new RegExp(field.pattern).test(value)) return { key: field.patternText ?? 'ui.check.pattern' }
  }
  if ((typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) || typeof value === 'number') {
    const number = String(value)
    if (isRange(field)) return isBetween(number, field.min, field.max) ? undefined : { key: 'ui.check.between', params: { min: field.min, max: field.max } }
    if (field.min !== undefined && compare(number, field.min) < 0) return { key: 'ui.check.min', params: { limit: field.min } }
    if (field.max !== undefined && compare(number, field.max) > 0) return { key: 'ui.check.max', params: { limit: field.max } }
  }
  return undefined
}

/** Is the 'between' rule asked for: two limits, none of them negative? */
export function isRange<F extends Pick<Field, 'min' | 'max'>>(field: F): field is F & { readonly min: string; readonly max: string } {
  return field.min !== undefined && field.max !== undefined && !field.min.startsWith('-')
}

import { isDate } from '#base/date.ts'
import { periodRange } from '#meta/period.ts'
import type { Field, FieldType } from '#meta/resolved.ts'
import type { Filter, Grouping } from './view.ts'

export type Family = 'choice' | 'reference' | 'number' | 'date' | 'month' | 'text' | 'flag' | 'list'

/** Types that are compared alike. */
export const families = {
  id: 'number', integer: 'number', quantity: 'number', money: 'number', percent: 'number', rate: 'number', price: 'number', cost: 'number',
  code: 'text', text: 'text', longtext: 'text', email: 'text', secret: 'text', json: 'text', period: 'month',
  date: 'date', datetime: 'date', boolean: 'flag', enum: 'choice', status: 'choice', ref: 'reference', textlist: 'list',
} as const satisfies Record<FieldType, Family>

type Typed = Pick<Field, 'type'>

/** Could the server compare the field so? A view or an address may be older than the field's type, or cut. */
export function fits({ type }: Typed, { op, value }: Filter): boolean {
  const parts: readonly unknown[] = Array.isArray(value) ? value : []
  const isOne = (part: unknown): boolean => isValue(type, part, op)
  switch (op) {
    case 'empty':
      return typeof value === 'boolean'
    case 'within':
      return isDay(type) && periodRange(String(value), '2000-01-01') !== undefined
    case 'contains':
    case 'startsWith':
      return isValue('text', value, op)
    case 'in':
    case 'nin':
    case 'between':
      return parts === value && (op !== 'between' || parts.length === 2) && parts.every(isOne)
    default:
      return isOne(value)
  }
}

/** Can rows be put together so? */
export function groups({ type }: Typed, { by }: Grouping): boolean {
  return isGroupable(type) && (by === undefined || isDay(type))
}

/** Can rows be put in its order? */
export function sorts({ type }: Typed): boolean {
  return type !== 'json' && type !== 'textlist'
}

export function isGroupable(type: FieldType): boolean {
  return !/^(id|json|textlist|longtext|secret)$/.test(type)
}

function isDay(type: FieldType): boolean {
  return families[type] === 'date'
}

function isValue(type: FieldType, value: unknown, op: Filter['op']): boolean {
  if (type === 'boolean') return typeof value === 'boolean'
  if (/^(id|ref|status|integer)$/.test(type)) return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31
  const family = families[type]
  if (typeof value !== 'string') return family === 'number' && Number.isSafeInteger(value)
  if (family === 'number') return /^-?\d{1,16}(\.\d{1,12})?$/.test(value)
  if (family === 'month') return /^(19|20|21)\d\d(0[1-9]|1[0-2])$/.test(value)
  if (family === 'list') return /^(eq|ne|n?in)$/.test(op)
  if (family !== 'date') return !/[\0\uD800-\uDFFF]/u.test(value)
  // A day stands for all its moments where it is compared, not where it is one of several.
  const isMoment = type === 'datetime' && (op.endsWith('in') || value.length > 10)
  return /^(19|20|21)/.test(value) && (isMoment ? /T[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value)) : isDate(value))
}

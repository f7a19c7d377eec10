import { compare, grouped, isDecimal } from '#base/decimal.ts'
import { isDate, isKept } from '#base/date.ts'
import { accept, refuse, unreachable, type Result } from '#base/result.ts'
import { halfWidth, isUnseen, plainText } from '#base/unseen.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { Field } from '#meta/resolved.ts'
import type { Filling } from '#meta/sentence.ts'
import type { FieldProblem } from '#api/problems.ts'
import { wrong as wrongField, type FieldKey } from '#server/problemError.ts'

export type ValueProblem = Omit<FieldProblem, 'field'>

type Parsed = Result<unknown, ValueProblem>

const largestInteger = 2_147_483_647

/** PostgreSQL stores no NUL, and a lone surrogate is no text. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && !/[\uD800-\uDFFF]/u.test(text)
}

/**
 * A value that came over the wire as the column takes it: decimal text, ISO text, number, boolean; null for null, undefined and text in which
 * nothing is seen. Whether it may be null is the caller's question. Nothing is coerced: the wrong type is refused.
 */
export function parseValue(field: Field, value: unknown): Parsed {
  if (value === null || value === undefined || value === '') return accept(null)
  switch (field.type) {
    case 'code':
    case 'text':
    case 'longtext':
    case 'secret':
      return text(field, value)
    case 'email':
      return email(field, value)
    case 'integer':
      return integer(field, value)
    case 'id':
    case 'ref':
      return isId(value) ? accept(value) : wrong('WRONG_TYPE.id')
    case 'status':
      return field.choices?.some((choice) => choice.value === value) === true ? accept(value) : oneOf(field)
    case 'quantity':
    case 'money':
    case 'percent':
    case 'rate':
    case 'price':
    case 'cost':
      return decimal(field, value)
    case 'date':
      if (!isDate(value)) return wrong('WRONG_TYPE.date')
      return isKept(value) ? accept(value) : wrong('WRONG_TYPE.far-day')
    case 'datetime':
      return instant(value)
    case 'period':
      return typeof value === 'string' && /^(19|20|21)\d{2}(0[1-9]|1[0-2])$/.test(value) ? accept(value) : wrong('WRONG_TYPE.period')
    case 'boolean':
      return typeof value === 'boolean' ? accept(value) : wrong('WRONG_TYPE.boolean')
    case 'enum':
      return field.choices === undefined || field.choices.some((choice) => choice.value === value) ? text(field, value) : oneOf(field)
    case 'textlist':
      return textList(field, value)
    case 'json':
      return json(value)
    default:
      return unreachable(field.type)
  }
}

/** Is this the id of a record? Whole, positive and exact. */
export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function text(field: Field, given: unknown): Parsed {
  if (typeof given !== 'string') return wrong('WRONG_TYPE.text')
  if (!isStorable(given)) return wrong('WRONG_TYPE.characters')
  const value = asSeen(field, given)
  if (value === '') return accept(null)
  const limit = field.maxLength ?? (field.type === 'longtext' ? 10_000 : 500)
  if (value.length > limit) return wrong('TOO_LONG', { limit })
  if (field.pattern !== undefined && !new RegExp(field.pattern, 'u').test(value)) return wrong('PATTERN')
  return accept(value)
}

/** Codes and names without what nobody sees around and in them, longer texts without blanks behind their lines. Passwords are whatever they are. */
function asSeen({ type }: Field, given: string): string {
  if (type === 'secret') return given
  if (isUnseen(given)) return ''
  const line = plainText(given)
  if (type === 'code') return halfWidth(line)
  return type === 'longtext' && line !== '' ? given.replace(/[^\S\r\n]+$/gm, '').trimEnd() : line
}

function email(field: Field, value: unknown): Parsed {
  const parsed = text(field, value)
  if (!parsed.ok || typeof parsed.value !== 'string') return parsed
  return /^[^\s@<>"',;]+@[^\s@<>"',;]+\.[^\s@<>"',;]+$/.test(parsed.value) ? parsed : wrong('WRONG_TYPE.email')
}

function integer(field: Field, value: unknown): Parsed {
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > largestInteger) return wrong('WRONG_TYPE.integer')
  return inRange(field, String(value)) ?? accept(value)
}

function decimal(field: Field, value: unknown): Parsed {
  const places = decimalPlaces[field.type] ?? 2
  // A whole number is exact in JSON; a fraction would already have gone through a binary float.
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof digits === 'string' && /^-?\d{17,}$/.test(digits.split('.')[0] ?? '')) return wrong('TOO_LARGE.number')
  if (!isDecimal(digits, places)) return wrong('WRONG_TYPE.decimal', { places })
  const whole = digits.replace('-', '').split('.')[0] ?? ''
  if (whole.replace(/^0+/, '').length > largestWhole(field.type)) return wrong('TOO_LARGE.number')
  return inRange(field, digits) ?? accept(digits)
}

function largestWhole(type: Field['type']): number {
  return type === 'percent' ? 3 : 18 - (decimalPlaces[type] ?? 2)
}

function inRange(field: Field, value: string): Parsed | undefined {
  if (field.min !== undefined && compare(value, field.min) < 0) return wrong('TOO_SMALL', { limit: grouped(field.min) })
  if (field.max !== undefined && compare(value, field.max) > 0) return wrong('TOO_LARGE', { limit: grouped(field.max) })
  return undefined
}

function instant(value: unknown): Parsed {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/.test(value)) return wrong('WRONG_TYPE.instant')
  const at = new Date(value)
  return Number.isNaN(at.getTime()) ? wrong('WRONG_TYPE.instant') : accept(at.toISOString())
}

function textList(field: Field, value: unknown): Parsed {
  if (!Array.isArray(value) || value.length > 100) return wrong('WRONG_TYPE.list', { limit: 100 })
  const entries: unknown[] = []
  for (const entry of value) {
    const parsed = text(field, entry)
    if (!parsed.ok) return parsed
    if (field.choices !== undefined && !field.choices.some((choice) => choice.value === parsed.value)) return oneOf(field)
    if (parsed.value !== null) entries.push(parsed.value)
  }
  return accept(entries)
}

function json(value: unknown): Parsed {
  const written = JSON.stringify(value)
  if (written.length > 100_000) return wrong('TOO_LONG.value')
  if (written.includes('\\u0000') || /\\ud[89a-f]/i.test(written)) return wrong('WRONG_TYPE.characters')
  return accept(value)
}

function oneOf(field: Field): Parsed {
  return wrong('NOT_A_CHOICE', { choices: (field.choices ?? []).map((choice) => choice.value) })
}

function wrong<Key extends FieldKey>(key: Key, ...filling: Filling<`field.${Key}`>): Parsed {
  const { field: _field, ...problem } = wrongField('', key, ...filling)
  return refuse(problem)
}

import { compare } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import type { Condition, Operand } from '#meta/condition.ts'
import { periodRange } from '#meta/period.ts'

/** What a condition may ask for besides the record. */
export interface Surroundings {
  /** The signed-in user by column name: `id`, `operating_unit_id`, `territory_id`. */
  readonly user: Readonly<Record<string, unknown>>
  /** Business day. */
  readonly today: DateText
  /** Path parameters of the route. */
  readonly params: Readonly<Record<string, unknown>>
}

/** A record by column name, or a function that reads one. */
export type Reader = Readonly<Record<string, unknown>> | ((name: string) => unknown)

/** Does the condition hold? An absent value makes a test false (`empty` excepted); values are never coerced, texts are the same whatever their capitals. */
export function holds(condition: Condition, record: Reader, around: Surroundings): boolean {
  if ('all' in condition && Array.isArray(condition.all)) return condition.all.every((part: Condition) => holds(part, record, around))
  if ('any' in condition && Array.isArray(condition.any)) return condition.any.some((part: Condition) => holds(part, record, around))
  if ('not' in condition) return !holds(condition.not as Condition, record, around)
  return Object.entries(condition).every(([field, test]) => testHolds(read(record, field), test, record, around))
}

function testHolds(value: unknown, test: unknown, record: Reader, around: Surroundings): boolean {
  if (!isOperatorTest(test)) return isEqual(value, operandValue(test as Operand, record, around))
  return Object.entries(test).every(([operator, operand]) => operatorHolds(operator, value, operand, (part) => operandValue(part as Operand, record, around)))
}

function operatorHolds(operator: string, value: unknown, operand: unknown, valueOf: (operand: unknown) => unknown): boolean {
  const among = (): boolean => Array.isArray(operand) && operand.some((part) => (Array.isArray(value) ? value : [value]).some((entry) => isEqual(entry, valueOf(part))))
  const ordered = (part: unknown): number | undefined => order(value, valueOf(part))
  switch (operator) {
    case 'eq':
      return isEqual(value, valueOf(operand))
    case 'ne':
      return !isAbsent(value) && !isAbsent(valueOf(operand)) && !isEqual(value, valueOf(operand))
    case 'in':
      return among()
    case 'nin':
      return (Array.isArray(value) || !isAbsent(value)) && !among()
    case 'empty':
      return isAbsent(value) === operand
    case 'lt':
      return (ordered(operand) ?? 1) < 0
    case 'le':
      return (ordered(operand) ?? 1) <= 0
    case 'gt':
      return (ordered(operand) ?? -1) > 0
    case 'ge':
      return (ordered(operand) ?? -1) >= 0
    case 'between':
      return Array.isArray(operand) && (ordered(operand[0]) ?? -1) >= 0 && (ordered(operand[1]) ?? 1) <= 0
    case 'contains':
      return Array.isArray(value) ? value.some((entry) => isEqual(entry, valueOf(operand))) : bothText(value, valueOf(operand), (text, part) => text.includes(part))
    case 'startsWith':
      return bothText(value, valueOf(operand), (text, part) => text.startsWith(part))
    case 'within':
      return isWithin(value, operand, valueOf({ now: 'date' }))
    default:
      return false
  }
}

function read(record: Reader, name: string): unknown {
  return typeof record === 'function' ? record(name) : Object.hasOwn(record, name) ? record[name] : undefined
}

function operandValue(operand: Operand, record: Reader, around: Surroundings): unknown {
  if (typeof operand !== 'object' || operand === null) return operand
  if ('field' in operand) return read(record, operand.field)
  if ('user' in operand) return read(around.user, operand.user)
  if ('param' in operand) return read(around.params, operand.param)
  return 'now' in operand ? around.today : undefined
}

/** An object that is not an operand says operators. */
function isOperatorTest(test: unknown): test is Readonly<Record<string, unknown>> {
  return typeof test === 'object' && test !== null && !['field', 'user', 'now', 'param'].some((key) => Object.hasOwn(test, key))
}

/** Null, undefined, '' and an empty list are no value. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function isEqual(a: unknown, b: unknown): boolean {
  if (isAbsent(a) || isAbsent(b)) return false
  if (a === b) return true
  if (typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase()) return true
  // "100" and "100.00" are one amount; codes of digits alone stay texts.
  return isDecimalText(a) && isDecimalText(b) && (a.includes('.') || b.includes('.')) && compare(a, b) === 0
}

/** Negative, zero or positive; undefined when the two have no common order. */
function order(a: unknown, b: unknown): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [decimalText(a), decimalText(b)]
  if (left !== undefined && right !== undefined) return compare(left, right)
  if (isDayText(a) && isDayText(b)) return a < b ? -1 : a > b ? 1 : 0
  return undefined
}

function decimalText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  return isDecimalText(value) ? value : undefined
}

function isDecimalText(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,19}(\.\d+)?$/.test(value)
}

function isDayText(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)
}

function bothText(value: unknown, operand: unknown, test: (text: string, part: string) => boolean): boolean {
  return typeof value === 'string' && typeof operand === 'string' && !isAbsent(value) && test(value.toLowerCase(), operand.toLowerCase())
}

function isWithin(value: unknown, period: unknown, today: unknown): boolean {
  if (!isDayText(value) || typeof period !== 'string' || typeof today !== 'string') return false
  const range = periodRange(period, today)
  const day = businessDay(value)
  return range !== undefined && day >= range.from && day <= range.to
}

/** A day as it is; the day in Asia/Jakarta (always UTC+7) of a point in time. */
function businessDay(value: string): string {
  if (value.length === 10) return value
  const at = Date.parse(value)
  return Number.isNaN(at) ? value.slice(0, 10) : new Date(at + 7 * 3_600_000).toISOString().slice(0, 10)
}

/** Every field a condition names, on either side. */
export function fieldsOf(condition: Condition): readonly string[] {
  if ('all' in condition && Array.isArray(condition.all)) return condition.all.flatMap(fieldsOf)
  if ('any' in condition && Array.isArray(condition.any)) return condition.any.flatMap(fieldsOf)
  if ('not' in condition) return fieldsOf(condition.not as Condition)
  return Object.entries(condition).flatMap(([name, test]) => [name, ...operandFields(test)])
}

/** Fields named on the right of a test. */
function operandFields(test: unknown): readonly string[] {
  if (Array.isArray(test)) return test.flatMap(operandFields)
  if (typeof test !== 'object' || test === null) return []
  return Object.entries(test).flatMap(([key, value]) => (key === 'field' && typeof value === 'string' ? [value] : operandFields(value)))
}

import { plainText } from '#base/unseen.ts'
import { isDate, type DateText } from '#base/date.ts'
import { isDecimal } from '#base/decimal.ts'
import { unreachable } from '#base/result.ts'
import { operators, periods, type Operator } from '#meta/condition.ts'
import { periodRange } from '#meta/period.ts'
import type { Field } from '#meta/resolved.ts'
import type { Filling } from '#meta/sentence.ts'
import { join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { invalid, wrong, type FieldKey } from '#server/problemError.ts'
import { isDecimalType, isTextType, sqlType } from './columns.ts'
import { parseValue } from './parseValue.ts'

/** What a condition may name and compare with. */
export interface ConditionScope {
  /** SQL of a column by its schema name; undefined: no such column. */
  column(name: string): ConditionColumn | undefined
  /** A fact about the user (`{ "user": "operating_unit_id" }`); undefined: unknown. */
  user(name: string): string | number | undefined
  readonly today: DateText
  /** Matches a reference by code and name, for `contains` and `startsWith`. */
  reference?(field: Field, pattern: string): Sql
}

export interface ConditionColumn {
  readonly field: Field
  readonly value: Sql
  /** Holds capitals only, as numbers of documents do: what is typed is turned into capitals, and the column's index finds it. */
  readonly isInCapitals?: boolean
}

const deepest = 6
const mostTests = 60
const mostValues = 2_000

/**
 * A condition as SQL. Whatever the condition holds beyond the closed grammar is refused at `filter`, column names and operators are looked
 * up and never copied, values are parsed by the column's type and travel as parameters. An absent value makes a test false. Words are the same whatever
 * their capitals.
 */
export function conditionSql(condition: unknown, scope: ConditionScope, where = 'filter'): Sql {
  const state = { tests: 0 }
  return compileCondition(condition, scope, where, 0, state)
}

function compileCondition(condition: unknown, scope: ConditionScope, where: string, depth: number, state: { tests: number }): Sql {
  if (depth > deepest) return refused(where, 'TOO_DEEP')
  if (!isObject(condition)) return refused(where, 'WRONG_TYPE.object')
  const keys = Object.keys(condition)
  const [only] = keys
  if (keys.length === 1 && (only === 'all' || only === 'any')) {
    const parts = condition[only]
    if (!Array.isArray(parts)) return refused(where, 'WRONG_TYPE.operand', { operator: only, values: '[…]' })
    if (parts.length === 0) return only === 'all' ? sql`true` : sql`false`
    return sql`(${join(parts.map((part) => compileCondition(part, scope, where, depth + 1, state)), only === 'all' ? ' and ' : ' or ')})`
  }
  if (keys.length === 1 && only === 'not') return sql`not coalesce(${compileCondition(condition['not'], scope, where, depth + 1, state)}, false)`
  if (keys.length === 0) return sql`true`
  return sql`(${join(keys.map((name) => fieldTest(name, condition[name], scope, where, state)), ' and ')})`
}

function fieldTest(name: string, test: unknown, scope: ConditionScope, where: string, state: { tests: number }): Sql {
  if (++state.tests > mostTests) return refused(where, 'TOO_LONG.filter')
  const column = scope.column(name)
  if (!column) return refused(where, 'UNKNOWN_FIELD.column', { column: name.slice(0, 80) })
  if (!isObject(test) || isOperand(test)) return operatorTest('eq', test, column, scope, where)
  const entries = Object.entries(test)
  if (entries.length === 0) return refused(where, 'WRONG_TYPE.test', { column: name.slice(0, 80) })
  return join(
    entries.map(([operator, value]) => {
      if (!isOperator(operator)) return refused(where, 'UNKNOWN_OPERATOR', { operator: operator.slice(0, 40) })
      return operatorTest(operator, value, column, scope, where)
    }),
    ' and ',
  )
}

function operatorTest(operator: Operator, value: unknown, column: ConditionColumn, scope: ConditionScope, where: string): Sql {
  const { field } = column
  const isList = field.type === 'textlist'
  switch (operator) {
    case 'empty': {
      if (typeof value !== 'boolean') return refused(where, 'WRONG_TYPE.operand', { operator, values: 'true, false' })
      const isEmpty = isList ? sql`cardinality(${column.value}) = 0` : isText(field) ? sql`coalesce(${column.value}, '') = ''` : sql`${column.value} is null`
      return value ? sql`(${isEmpty})` : sql`not (${isEmpty})`
    }
    case 'in':
    case 'nin': {
      if (!Array.isArray(value) || value.length > mostValues) return refused(where, 'WRONG_TYPE.list', { limit: mostValues })
      const values = value.map((entry) => literal(isList ? { ...field, type: 'text' } : field, entry, scope, where))
      if (isList) return operator === 'in' ? sql`${column.value} && ${values}::text[]` : sql`not (${column.value} && ${values}::text[])`
      if (isWords(field)) {
        const words = values.filter((entry) => typeof entry === 'string')
        return operator === 'in' ? sameWords(column, words) : sql`not (${sameWords(column, words)})`
      }
      const list = sql`${values}::${sqlType(field.type)}[]`
      return operator === 'in' ? sql`${column.value} = any(${list})` : sql`${column.value} <> all(${list})`
    }
    case 'contains':
    case 'startsWith': {
      if (typeof value !== 'string') return refused(where, 'WRONG_TYPE.text')
      if (isList) return sql`${value} = any(${column.value})`
      const pattern = (operator === 'contains' ? '%' : '') + likeText(value) + '%'
      if (field.type === 'ref' && scope.reference) return scope.reference(field, pattern)
      return sql`${column.value}::text ilike ${pattern}`
    }
    case 'between': {
      if (!Array.isArray(value) || value.length !== 2) return refused(where, 'WRONG_TYPE.operand', { operator, values: '[…, …]' })
      const [from, to] = value
      return sql`(${comparison('ge', column, from, scope, where)} and ${comparison('le', column, to, scope, where)})`
    }
    case 'within': {
      if (field.type !== 'date' && field.type !== 'datetime') return refused(where, 'WRONG_TYPE.within', { column: field.name })
      const range = typeof value === 'string' ? periodRange(value, scope.today) : undefined
      if (!range) return refused(where, 'WRONG_TYPE.operand', { operator, values: [...periods, 'last:7d', 'next:7d'] })
      const day = dayOf(column)
      return sql`${day} between ${range.from}::date and ${range.to}::date`
    }
    case 'eq':
    case 'ne':
      if (isList) return operator === 'eq' ? sql`${literal(field, [value], scope, where)}::text[] <@ ${column.value}` : sql`not (${literal(field, [value], scope, where)}::text[] <@ ${column.value})`
      return comparison(operator, column, value, scope, where)
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return comparison(operator, column, value, scope, where)
    default:
      return unreachable(operator)
  }
}

/** Words that people type, not one of declared values. */
function isWords({ type, choices, choicesBy }: Field): boolean {
  return isTextType(type) && choices === undefined && choicesBy === undefined
}

/** Is the column one of these words, whatever their capitals? */
function sameWords({ value, isInCapitals }: ConditionColumn, words: readonly string[]): Sql {
  if (isInCapitals === true) return sql`${value} = any(${[...new Set(words.flatMap((word) => [word, word.toUpperCase()]))]}::text[])`
  const [only] = words
  return words.length === 1 ? sql`lower(${value}) = lower(${only}::text)` : sql`lower(${value}) in (select lower(word) from unnest(${words}::text[]) word)`
}

const signs = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' } as const

function comparison(operator: keyof typeof signs, column: ConditionColumn, value: unknown, scope: ConditionScope, where: string): Sql {
  const sign = trusted(signs[operator])
  const isEquality = operator === 'eq' || operator === 'ne'
  if (isObject(value) && 'field' in value && isOperand(value)) {
    const other = typeof value['field'] === 'string' ? scope.column(value['field']) : undefined
    if (!other) return refused(where, 'UNKNOWN_FIELD.column', { column: String(value['field']).slice(0, 80) })
    if (familyOf(other.field) !== familyOf(column.field)) return refused(where, 'WRONG_TYPE.compared', { column: column.field.name, other: other.field.name })
    return isEquality && isWords(column.field) && isWords(other.field) ? sql`lower(${column.value}) ${sign} lower(${other.value})` : sql`${column.value} ${sign} ${other.value}`
  }
  // A day against a moment means the whole day of Jakarta.
  if (column.field.type === 'datetime' && isDate(resolved(value, scope))) return sql`${dayOf(column)} ${sign} ${resolved(value, scope)}::date`
  const parsed = literal(column.field, value, scope, where)
  if (!isEquality || !isWords(column.field) || typeof parsed !== 'string') return sql`${column.value} ${sign} ${parsed}::${sqlType(column.field.type)}`
  return operator === 'eq' ? sameWords(column, [parsed]) : sql`not (${sameWords(column, [parsed])})`
}

/** Columns of one family can be compared with one another. */
function familyOf(field: Field): string {
  if (isText(field)) return 'text'
  if (isDecimalType(field.type) || ['id', 'ref', 'integer', 'status'].includes(field.type)) return 'number'
  return field.type
}

function dayOf(column: ConditionColumn): Sql {
  return column.field.type === 'datetime' ? sql`(${column.value} at time zone 'Asia/Jakarta')::date` : column.value
}

/** The operand's plain value: users and the clock worked out. */
function resolved(value: unknown, scope: ConditionScope): unknown {
  if (!isObject(value)) return value
  if (value['now'] === 'date') return scope.today
  if (typeof value['user'] === 'string') return scope.user(value['user']) ?? null
  return value
}

function literal(field: Field, value: unknown, scope: ConditionScope, where: string): unknown {
  const given = resolved(value, scope)
  // Compared with, an amount may have more digits than are ever stored.
  if (isDecimalType(field.type) && isDecimal(given, 12)) return given
  const parsed = parseValue(lenient(field), given)
  if (!parsed.ok) return invalid([{ field: where, ...parsed.problem, text: `${field.name}: ${parsed.problem.text}` }])
  return parsed.value
}

/** Filters compare with values that could never be stored (a status outside the workflow, a long text): only the type matters. */
function lenient(field: Field): Field {
  const { choices: _choices, pattern: _pattern, min: _min, max: _max, ...rest } = field
  const type = field.type === 'status' ? 'integer' : field.type === 'id' || field.type === 'ref' ? 'integer' : field.type === 'email' ? 'text' : field.type
  return { ...rest, type, maxLength: 1_000 }
}

/** Text searched for as it would be kept, with the wildcards of LIKE taken literally. */
export function likeText(text: string): string {
  return plainText(text).replaceAll('\u0000', '').replace(/[\\%_]/g, (sign) => `\\${sign}`)
}

function isText(field: Field): boolean {
  return ['code', 'text', 'longtext', 'email', 'enum', 'period'].includes(field.type)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOperand(value: Record<string, unknown>): boolean {
  const keys = Object.keys(value)
  return keys.length === 1 && (keys[0] === 'field' || keys[0] === 'user' || keys[0] === 'now' || keys[0] === 'param')
}

function isOperator(name: string): name is Operator {
  return (operators as readonly string[]).includes(name)
}

function refused<Key extends FieldKey>(field: string, key: Key, ...filling: Filling<`field.${Key}`>): never {
  return invalid([wrong(field, key, ...filling)])
}


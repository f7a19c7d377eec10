import type { ConditionSource } from '#generated/language.ts'
import { findField } from '#meta/check/fields.ts'
import { didYouMean, type Keys, type Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import { type Operator, operators } from '#meta/condition.ts'
import { resolveCondition } from '#meta/resolveCondition.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { EntityField, FieldType } from '#meta/resolved.ts'

const maxLevels = 3
const maxTests = 8

/** Conditions name fields that exist, operators that fit their type and values they can have, and stay small. */
export function* conditions({ sources, uses, resolved }: World): Iterable<Report> {
  const { entities } = resolved.metadata
  const shared = Object.fromEntries(sources.fragment.flatMap(({ value }) => (value.type === 'condition' ? [[value.id, value.where] as const] : [])))
  for (const { path, at, entity, record, condition, header, own: isOwn = false } of uses.conditions) {
    if (entities[entity] === undefined) continue
    const own = sources.entity.find(({ value }) => value.id === entity)?.value.conditions ?? {}
    const named: Record<string, ConditionSource> = { ...shared, ...own }
    const context: Context = { path, entity, record, header, entities, named, isOwn }
    const problems = [...walk(condition, at, context)]
    yield* problems
    if (problems.length > 0) continue
    const size = measure(resolveCondition(condition, named) as ConditionSource)
    if (size.levels > maxLevels) yield { path, at, code: 'condition-too-deep', message: `${size.levels} levels; at most ${maxLevels}, past that the server should supply a flag` }
    if (size.tests > maxTests) yield { path, at, code: 'condition-too-long', message: `${size.tests} tests; at most ${maxTests}, past that the server should supply a flag` }
  }
}

interface Context {
  readonly path: string
  readonly entity: string
  readonly record: string
  readonly header: string | undefined
  readonly entities: World['resolved']['metadata']['entities']
  readonly named: Readonly<Record<string, ConditionSource>>
  readonly isOwn: boolean
}

function* walk(condition: ConditionSource, at: Keys, context: Context): Iterable<Report> {
  const { path, entity, entities, named, isOwn } = context
  if (typeof condition === 'string') {
    if (!Object.hasOwn(named, condition)) yield { path, at, code: 'unknown-condition', message: `${entity} has no condition "${condition}"${didYouMean(condition, Object.keys(named))}` }
    return
  }
  if ('all' in condition && Array.isArray(condition.all)) for (const [i, part] of condition.all.entries()) yield* walk(part, [...at, 'all', i], context)
  else if ('any' in condition && Array.isArray(condition.any)) for (const [i, part] of condition.any.entries()) yield* walk(part, [...at, 'any', i], context)
  else if ('not' in condition) yield* walk(condition.not as ConditionSource, [...at, 'not'], context)
  else {
    for (const [name, test] of Object.entries(condition)) {
      const field = findField(entities, entity, name)
      if (typeof field === 'string') yield { path, at: [...at, name], onKey: true, code: 'unknown-field', message: field }
      else if (isOwn && name.includes('.')) yield { path, at: [...at, name], onKey: true, code: 'hop-in-when', message: `"${name}" belongs to another record; only fields of ${entity} itself can be asked here` }
      else yield* testProblems(field, test as unknown, [...at, name], context)
    }
  }
}

function* testProblems(field: EntityField, test: unknown, at: Keys, context: Context): Iterable<Report> {
  if (typeof test !== 'object' || test === null) return yield* literalProblems(field, test, at, context)
  const entries = Object.entries(test)
  if (entries.some(([key]) => ['field', 'user', 'now', 'param'].includes(key))) return yield* operandProblems(field, test, at, context)
  for (const [operator, operand] of entries) {
    const place = [...at, operator]
    // A word that is no operator at all is a matter of shape and already reported.
    if (!isOperator(operator)) continue
    if (!isAllowed(operator, field.type)) {
      yield { path: context.path, at: place, onKey: true, code: 'wrong-operator', message: `"${operator}" does not fit ${field.type} "${field.name}"; there may be ${allowedFor(field.type).join(', ')}` }
    } else if (Array.isArray(operand)) {
      for (const [i, part] of operand.entries()) yield* operandProblems(field, part, [...place, i], context)
    } else if (!['empty', 'within', 'contains', 'startsWith'].includes(operator)) yield* operandProblems(field, operand, place, context)
  }
}

function* operandProblems(field: EntityField, operand: unknown, at: Keys, context: Context): Iterable<Report> {
  if (typeof operand !== 'object' || operand === null) return yield* literalProblems(field, operand, at, context)
  if ('field' in operand && typeof operand.field === 'string') {
    const own = findField(context.entities, context.record, operand.field)
    const above = typeof own === 'string' && context.header !== undefined ? findField(context.entities, context.header, operand.field) : own
    const other = typeof above === 'string' ? own : above
    if (typeof other === 'string') yield { path: context.path, at: [...at, 'field'], code: 'unknown-field', message: other }
    else if (family(other.type) !== family(field.type)) yield { path: context.path, at, code: 'wrong-type', message: `"${field.name}" (${field.type}) and "${operand.field}" (${other.type}) have nothing in common` }
  }
  if ('now' in operand && family(field.type) !== 'date') yield { path: context.path, at, code: 'wrong-type', message: `"${field.name}" is ${field.type}, no day` }
}

function* literalProblems(field: EntityField, value: unknown, at: Keys, { path }: Context): Iterable<Report> {
  const complain = (expected: string): Report => ({ path, at, code: 'wrong-type', message: `${JSON.stringify(value)} is no value of ${field.type} "${field.name}"; expected ${expected}` })
  if (field.choices !== undefined) {
    const values = field.choices.map((choice) => choice.value)
    if (!values.some((choice) => choice === value)) {
      yield { path, at, code: 'unknown-value', message: `"${field.name}" is never ${JSON.stringify(value)}; there may be ${values.join(', ')}${didYouMean(String(value), values.map(String))}` }
    }
    return
  }
  switch (family(field.type)) {
    case 'boolean':
      if (typeof value !== 'boolean') yield complain('true or false')
      return
    case 'whole':
      if (typeof value !== 'number' || !Number.isInteger(value)) yield complain('a whole number')
      return
    case 'decimal':
      if (typeof value !== 'number' && !(typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))) yield complain('a decimal as text')
      return
    case 'date':
      if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) yield complain('a day YYYY-MM-DD')
      return
    case 'text':
      if (typeof value !== 'string') yield complain('a text')
      return
    case 'none':
      yield complain('nothing; it can only be empty')
  }
}

type Family = 'text' | 'whole' | 'decimal' | 'date' | 'boolean' | 'none'

function family(type: FieldType): Family {
  if (decimalPlaces[type] !== undefined) return 'decimal'
  if (type === 'id' || type === 'ref' || type === 'integer' || type === 'status') return 'whole'
  if (type === 'date' || type === 'datetime') return 'date'
  if (type === 'boolean') return 'boolean'
  return type === 'json' || type === 'secret' ? 'none' : 'text'
}

const everywhere: readonly Operator[] = ['eq', 'ne', 'in', 'nin', 'empty']
const ordering: readonly Operator[] = ['lt', 'le', 'gt', 'ge', 'between']

function allowedFor(type: FieldType): readonly Operator[] {
  if (type === 'textlist') return ['contains', 'in', 'nin', 'empty']
  if (type === 'period') return [...everywhere, ...ordering]
  switch (family(type)) {
    case 'decimal':
      return [...everywhere, ...ordering]
    case 'whole':
      return type === 'ref' || type === 'id' ? everywhere : [...everywhere, ...ordering]
    case 'date':
      return [...everywhere, ...ordering, 'within']
    case 'boolean':
      return ['eq', 'ne', 'empty']
    case 'text':
      return type === 'enum' ? everywhere : [...everywhere, 'contains', 'startsWith']
    case 'none':
      return ['empty']
  }
}

function isOperator(word: string): word is Operator {
  return (operators as readonly string[]).includes(word)
}

function isAllowed(operator: Operator, type: FieldType): boolean {
  return allowedFor(type).includes(operator)
}

/** Levels count the groups around a test and the test itself. */
function measure(condition: ConditionSource): { readonly levels: number; readonly tests: number } {
  if (typeof condition === 'string') return { levels: 1, tests: 1 }
  const parts = 'all' in condition && Array.isArray(condition.all) ? condition.all : 'any' in condition && Array.isArray(condition.any) ? condition.any : 'not' in condition ? [condition.not] : undefined
  if (parts === undefined) return { levels: 1, tests: Object.keys(condition).length }
  const sizes = parts.map((part) => measure(part as ConditionSource))
  return { levels: 1 + Math.max(...sizes.map(({ levels }) => levels)), tests: sizes.reduce((sum, { tests }) => sum + tests, 0) }
}

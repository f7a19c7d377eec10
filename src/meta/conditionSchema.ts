import type { Condition, OperatorTest } from '#meta/condition.ts'
import type { JsonSchema } from '#meta/formSchema.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { Field } from '#meta/resolved.ts'

/**
 * The condition as JSON Schema over wire keys, for `if`. Undefined when it asks something JSON Schema cannot say
 * (another field, the user, the clock, an order of decimals, a hop): then the evaluator alone decides.
 */
export function conditionSchema(condition: Condition, fields: ReadonlyMap<string, Field>): JsonSchema | undefined {
  if ('all' in condition && Array.isArray(condition.all)) return combined('allOf', condition.all, fields)
  if ('any' in condition && Array.isArray(condition.any)) return combined('anyOf', condition.any, fields)
  if ('not' in condition) {
    const inner = conditionSchema(condition.not as Condition, fields)
    return inner === undefined ? undefined : { not: inner }
  }
  const tests = Object.entries(condition).map(([name, test]) => fieldSchema(fields.get(name), test as unknown))
  const known = tests.filter((test) => test !== undefined)
  return known.length < tests.length ? undefined : { allOf: known }
}

function combined(word: 'allOf' | 'anyOf', parts: readonly Condition[], fields: ReadonlyMap<string, Field>): JsonSchema | undefined {
  const schemas = parts.map((part) => conditionSchema(part, fields)).filter((schema) => schema !== undefined)
  return schemas.length < parts.length ? undefined : { [word]: schemas }
}

function fieldSchema(field: Field | undefined, test: unknown): JsonSchema | undefined {
  if (field === undefined) return undefined
  if (typeof test !== 'object' || test === null) return isLiteral(test) ? holds(field, { const: test }) : undefined
  const parts = Object.entries(test as OperatorTest).map(([operator, operand]) => operatorSchema(field, operator, operand))
  const known = parts.filter((part) => part !== undefined)
  return known.length < parts.length ? undefined : { allOf: known }
}

function operatorSchema(field: Field, operator: string, operand: unknown): JsonSchema | undefined {
  if (operator === 'empty') return operand === true ? { not: { required: [field.wire] } } : { required: [field.wire] }
  if (operator === 'in' || operator === 'nin') {
    if (!Array.isArray(operand) || !operand.every((value) => typeof value === 'string' || typeof value === 'number')) return undefined
    return holds(field, operator === 'in' ? { enum: operand } : { not: { enum: operand } })
  }
  if (!isLiteral(operand)) return undefined
  if (operator === 'eq') return holds(field, { const: operand })
  if (operator === 'ne') return holds(field, { not: { const: operand } })
  if (typeof operand !== 'number' || decimalPlaces[field.type] !== undefined) return undefined
  if (operator === 'lt') return holds(field, { exclusiveMaximum: operand })
  if (operator === 'le') return holds(field, { maximum: operand })
  if (operator === 'gt') return holds(field, { exclusiveMinimum: operand })
  return operator === 'ge' ? holds(field, { minimum: operand }) : undefined
}

/** An absent value makes the test false. */
function holds(field: Field, schema: JsonSchema): JsonSchema {
  return { required: [field.wire], properties: { [field.wire]: schema } }
}

function isLiteral(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

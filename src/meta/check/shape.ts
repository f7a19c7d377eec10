import { didYouMean, type Keys } from '#meta/check/finding.ts'

/** The part of JSON Schema the meta-schemas use. */
export interface MetaSchema {
  readonly $ref?: string
  /** Version of the format of a kind. */
  readonly version?: number
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | number)[]
  readonly const?: string | number
  readonly pattern?: string
  readonly minLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, MetaSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | MetaSchema
  readonly propertyNames?: MetaSchema
  readonly items?: MetaSchema
  readonly anyOf?: readonly MetaSchema[]
  readonly definitions?: Readonly<Record<string, MetaSchema>>
}

export interface ShapeProblem {
  readonly at: Keys
  readonly onKey: boolean
  readonly code: string
  readonly message: string
}

/**
 * What in `value` is not as its meta-schema says, each with the exact place. Where alternatives are open, the one the author most
 * likely meant is followed, so that one mistake gives one finding.
 */
export function shapeProblems(value: unknown, schema: MetaSchema, common: MetaSchema): readonly ShapeProblem[] {
  const problems: ShapeProblem[] = []
  inspect(value, schema, [], { common, report: (problem) => void problems.push(problem) })
  return problems
}

interface Inspection {
  readonly common: MetaSchema
  report(problem: ShapeProblem): void
}

function inspect(value: unknown, written: MetaSchema, at: Keys, inspection: Inspection): void {
  const schema = follow(written, inspection.common)
  const complain = (code: string, message: string, place: Keys = at, onKey = false): void => inspection.report({ at: place, onKey, code, message })
  if (schema.anyOf !== undefined) {
    const meant = likeliest(value, schema.anyOf, inspection.common)
    if (meant === undefined) complain('wrong-type', `${show(value)} does not fit here; expected ${schema.anyOf.map((part) => nameOf(follow(part, inspection.common))).join(' or ')}`)
    else inspect(value, meant, at, inspection)
    return
  }
  if (schema.const !== undefined && value !== schema.const) {
    return complain('wrong-value', `${show(value)} stands where ${show(schema.const)} is expected`)
  }
  if (schema.enum !== undefined && !schema.enum.some((option) => option === value)) {
    const hint = typeof value === 'string' ? didYouMean(value, schema.enum.map(String)) : ''
    return complain('wrong-value', `${show(value)} is none of ${schema.enum.map(String).join(', ')}${hint}`)
  }
  if (schema.type !== undefined && !typesOf(schema).includes(typeOf(value)) && !(typeOf(value) === 'integer' && typesOf(schema).includes('number'))) {
    return complain('wrong-type', `${show(value)} stands where ${nameOf(schema)} is expected`)
  }
  if (typeof value === 'string') inspectText(value, schema, complain)
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) complain('out-of-range', `${value} is below ${schema.minimum}`)
    if (schema.maximum !== undefined && value > schema.maximum) complain('out-of-range', `${value} is above ${schema.maximum}`)
  }
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) complain('too-few', `at least ${countOf(schema.minItems)} expected`)
    if (value.length > (schema.maxItems ?? Infinity)) complain('too-many', `at most ${countOf(schema.maxItems)} expected`)
    if (schema.items !== undefined) for (const [i, entry] of value.entries()) inspect(entry, schema.items, [...at, i], inspection)
  } else if (typeof value === 'object' && value !== null) {
    inspectObject(value, schema, at, inspection, complain)
  }
}

type Complain = (code: string, message: string, place?: Keys, onKey?: boolean) => void

function inspectText(value: string, schema: MetaSchema, complain: Complain): void {
  if (value.length < (schema.minLength ?? 0)) complain('wrong-value', 'an empty text is expected to say something')
  else if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) complain('wrong-value', `${show(value)} does not match ${schema.pattern}`)
}

function inspectObject(value: object, schema: MetaSchema, at: Keys, inspection: Inspection, complain: Complain): void {
  const entries = Object.entries(value)
  const known = Object.keys(schema.properties ?? {})
  if (entries.length < (schema.minProperties ?? 0)) complain('too-few', 'something is expected in this object')
  for (const [key, part] of entries) {
    const property = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : undefined
    if (property !== undefined) inspect(part, property, [...at, key], inspection)
    else if (typeof schema.additionalProperties === 'object') {
      const pattern = schema.propertyNames?.pattern
      if (pattern !== undefined && !new RegExp(pattern).test(key)) complain('wrong-name', `"${key}" does not match ${pattern}`, [...at, key], true)
      inspect(part, schema.additionalProperties, [...at, key], inspection)
    } else if (schema.additionalProperties === false) {
      const unused = known.filter((name) => !Object.hasOwn(value, name))
      // A variant may misspell what the file already says.
      const hint = didYouMean(key, unused) || didYouMean(key, known)
      complain('unknown-key', `"${key}" is no key here; there may be ${known.filter((name) => name !== '$schema' && name !== 'version').join(', ')}${hint}`, [...at, key], true)
    }
  }
  for (const key of schema.required ?? []) if (!Object.hasOwn(value, key)) complain('missing-key', `"${key}" is missing`)
}

/** The alternative whose type fits and that shares most with the value. */
function likeliest(value: unknown, alternatives: readonly MetaSchema[], common: MetaSchema): MetaSchema | undefined {
  const fitting = alternatives.flatMap((alternative) => {
    const schema = follow(alternative, common)
    if (schema.anyOf !== undefined) return likeliest(value, schema.anyOf, common) ?? []
    return fits(value, schema) ? [schema] : []
  })
  const [first] = fitting
  if (first === undefined || fitting.length === 1 || typeof value !== 'object' || value === null) return first
  return fitting.map((schema) => ({ schema, score: likeness(value, schema) })).sort((a, b) => b.score - a.score)[0]?.schema
}

function fits(value: unknown, schema: MetaSchema): boolean {
  if (schema.const !== undefined) return value === schema.const
  if (schema.enum !== undefined && schema.type === undefined) return typeof value !== 'object'
  return typesOf(schema).includes(typeOf(value)) || (typeOf(value) === 'integer' && typesOf(schema).includes('number'))
}

function likeness(value: object, schema: MetaSchema): number {
  let score = 0
  for (const [key, part] of Object.entries(value)) {
    const property = schema.properties?.[key]
    if (property === undefined) score += typeof schema.additionalProperties === 'object' ? 0.5 : -1
    // A literal such as `kind` tells alternatives apart.
    else if (property.const !== undefined || property.enum !== undefined) score += property.const === part || property.enum?.includes(part as string) === true ? 10 : -10
    else score += 1
  }
  for (const key of schema.required ?? []) if (!Object.hasOwn(value, key)) score -= 1
  return score
}

function follow(schema: MetaSchema, common: MetaSchema): MetaSchema {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.split('/').at(-1) ?? ''
  return follow(common.definitions?.[name] ?? {}, common)
}

function typesOf(schema: MetaSchema): readonly string[] {
  if (schema.type === undefined) return ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
  return typeof schema.type === 'string' ? [schema.type] : schema.type
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

const articles: Readonly<Record<string, string>> = { string: 'a text', integer: 'a whole number', number: 'a number', boolean: 'true or false', object: 'an object', array: 'a list' }

function nameOf(schema: MetaSchema): string {
  if (schema.const !== undefined) return show(schema.const)
  return typesOf(schema).map((type) => articles[type] ?? type).join(' or ')
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

function countOf(count = 0): string {
  return count === 1 ? '1 entry is' : `${count} entries are`
}

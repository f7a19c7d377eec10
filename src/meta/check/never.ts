import type { ConditionUse } from '#meta/check/collector.ts'
import { findField } from '#meta/check/fields.ts'
import type { Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import type { Condition } from '#meta/condition.ts'
import { resolveCondition } from '#meta/resolveCondition.ts'
import type { EntityField } from '#meta/resolved.ts'
import { SourceError } from '#meta/sources.ts'

/** Conditions no record can meet, and tests every record meets: what they guard is never, or always, there. */
export function* never({ sources, uses, resolved }: World): Iterable<Report> {
  const { entities } = resolved.metadata
  const shared = Object.fromEntries(sources.fragment.flatMap(({ value }) => (value.type === 'condition' ? [[value.id, value.where] as const] : [])))
  for (const use of uses.conditions) {
    const own = sources.entity.find(({ value }) => value.id === use.entity)?.value.conditions ?? {}
    const fieldOf = (name: string): EntityField | undefined => {
      const found = findField(entities, use.entity, name)
      return typeof found === 'string' ? undefined : found
    }
    const sentence = contradiction(inPlace(use, { ...shared, ...own }), (name) => ({ field: fieldOf(name), typed: use.typed === true }))
    if (sentence !== undefined) yield { path: use.path, at: use.at, ...sentence }
  }
}

/** The condition with the named ones put in place; one that names nothing is reported elsewhere. */
function inPlace({ condition }: ConditionUse, named: Parameters<typeof resolveCondition>[1]): Condition {
  try {
    return resolveCondition(condition, named)
  } catch (error) {
    if (error instanceof SourceError) return { all: [] }
    throw error
  }
}

interface Sentence {
  readonly code: 'never-holds' | 'always-holds'
  readonly message: string
}

interface Known {
  readonly field: EntityField | undefined
  readonly typed: boolean
}

function contradiction(condition: Condition, known: (name: string) => Known): Sentence | undefined {
  const domains = new Map<string, Domain>()
  for (const [name, test] of conjuncts(condition)) {
    const { field, typed } = known(name)
    if (field === undefined) continue
    const domain = domains.get(name) ?? new Domain(name, field, typed)
    domains.set(name, domain)
    const sentence = domain.narrow(test)
    if (sentence !== undefined) return sentence
  }
  for (const part of alternatives(condition)) {
    const sentence = contradiction(part, known)
    if (sentence !== undefined) return sentence
  }
  return undefined
}

/** Tests that must all hold at once. */
function conjuncts(condition: Condition): readonly (readonly [field: string, test: unknown])[] {
  if (isAll(condition)) return condition.all.flatMap(conjuncts)
  return isAny(condition) || isNot(condition) ? [] : Object.entries(condition)
}

/** Branches that are looked at on their own. */
function alternatives(condition: Condition): readonly Condition[] {
  if (isAll(condition)) return condition.all.flatMap(alternatives)
  return isAny(condition) ? condition.any : []
}

function isAll(condition: Condition): condition is { readonly all: readonly Condition[] } {
  return 'all' in condition && Array.isArray(condition.all)
}

function isAny(condition: Condition): condition is { readonly any: readonly Condition[] } {
  return 'any' in condition && Array.isArray(condition.any)
}

function isNot(condition: Condition): condition is { readonly not: Condition } {
  return 'not' in condition && typeof condition.not === 'object'
}

/** Values one field may still have, narrowed test by test. */
class Domain {
  readonly #name: string
  readonly #required: boolean
  readonly #choices: readonly unknown[] | undefined
  /** Undefined: anything. */
  #allowed: readonly unknown[] | undefined
  #isEmpty: boolean | undefined
  #low: Bound | undefined
  #high: Bound | undefined

  constructor(name: string, field: EntityField, typed: boolean) {
    this.#name = name
    // A field over a reference is empty where the reference is.
    this.#required = field.required && !typed && !name.includes('.')
    this.#choices = field.choices?.map(({ value }) => value)
    this.#allowed = this.#choices
  }

  narrow(test: unknown): Sentence | undefined {
    if (typeof test !== 'object' || test === null) return this.#operator('eq', test)
    for (const [operator, operand] of Object.entries(test)) {
      const sentence = this.#operator(operator, operand)
      if (sentence !== undefined) return sentence
    }
    return undefined
  }

  #operator(operator: string, operand: unknown): Sentence | undefined {
    switch (operator) {
      case 'eq':
        return isLiteral(operand) ? (this.#filled() ?? this.#keep([operand]) ?? this.#within({ value: operand, open: false }, { value: operand, open: false })) : undefined
      case 'in':
        return isLiterals(operand) ? (this.#filled() ?? this.#every(operand) ?? this.#keep(operand)) : undefined
      case 'ne':
        return isLiteral(operand) ? this.#drop([operand]) : undefined
      case 'nin':
        return isLiterals(operand) ? this.#drop(operand) : undefined
      case 'empty':
        return operand === true ? this.#emptied() : (this.#always(operand) ?? this.#filled())
      case 'lt':
      case 'le':
        return isLiteral(operand) ? (this.#filled() ?? this.#within(undefined, { value: operand, open: operator === 'lt' })) : undefined
      case 'gt':
      case 'ge':
        return isLiteral(operand) ? (this.#filled() ?? this.#within({ value: operand, open: operator === 'gt' }, undefined)) : undefined
      case 'between':
        return isLiterals(operand) ? (this.#filled() ?? this.#within({ value: operand[0], open: false }, { value: operand[1], open: false })) : undefined
      default:
        return undefined
    }
  }

  #emptied(): Sentence | undefined {
    if (this.#required) return this.#impossible('is required and never empty')
    if (this.#isEmpty === false) return this.#impossible('cannot be empty and have a value at once')
    this.#isEmpty = true
    return undefined
  }

  #filled(): Sentence | undefined {
    if (this.#isEmpty === true) return this.#impossible('cannot be empty and have a value at once')
    this.#isEmpty = false
    return undefined
  }

  #always(operand: unknown): Sentence | undefined {
    return operand === false && this.#required ? { code: 'always-holds', message: `"${this.#name}" is required, so this holds for every record` } : undefined
  }

  #every(values: readonly unknown[]): Sentence | undefined {
    const all = this.#allowed
    if (all === undefined || !this.#required || all.length < 2 || !all.every((value) => values.includes(value))) return undefined
    return { code: 'always-holds', message: `"${this.#name}" has no other value, so this holds for every record` }
  }

  #keep(values: readonly unknown[]): Sentence | undefined {
    const before = this.#allowed
    // A value the field never has is a finding of its own.
    if (this.#choices?.some((choice) => values.includes(choice)) === false) return undefined
    this.#allowed = before === undefined ? values : before.filter((value) => values.includes(value))
    return this.#allowed.length > 0 ? undefined : this.#impossible(`cannot be ${list(before ?? [])} and ${list(values)} at once`)
  }

  #drop(values: readonly unknown[]): Sentence | undefined {
    if (this.#allowed === undefined) return undefined
    const before = this.#allowed
    this.#allowed = before.filter((value) => !values.includes(value))
    return this.#allowed.length > 0 ? undefined : this.#impossible(`cannot be ${list(before)} and none of ${list(values)}`)
  }

  #within(low: Bound | undefined, high: Bound | undefined): Sentence | undefined {
    this.#low = later(this.#low, low)
    this.#high = earlier(this.#high, high)
    if (this.#low === undefined || this.#high === undefined) return undefined
    const order = compare(this.#low.value, this.#high.value)
    if (order < 0 || (order === 0 && !this.#low.open && !this.#high.open)) return undefined
    return this.#impossible(`cannot be ${this.#low.open ? 'over' : 'at least'} ${show(this.#low.value)} and ${this.#high.open ? 'under' : 'at most'} ${show(this.#high.value)} at once`)
  }

  #impossible(why: string): Sentence {
    return { code: 'never-holds', message: `"${this.#name}" ${why}` }
  }
}

interface Bound {
  readonly value: unknown
  readonly open: boolean
}

function later(a: Bound | undefined, b: Bound | undefined): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const order = compare(a.value, b.value)
  return order > 0 || (order === 0 && a.open) ? a : b
}

function earlier(a: Bound | undefined, b: Bound | undefined): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const order = compare(a.value, b.value)
  return order < 0 || (order === 0 && a.open) ? a : b
}

/** Numbers by size, decimals as text too; days and other texts by their letters. */
function compare(a: unknown, b: unknown): number {
  const [left, right] = [Number(a), Number(b)]
  if (Number.isNaN(left) || Number.isNaN(right)) return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
  return left - right
}

function isLiteral(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isLiterals(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isLiteral)
}

function show(value: unknown): string {
  return JSON.stringify(value)
}

function list(values: readonly unknown[]): string {
  return values.map(show).join(', ')
}

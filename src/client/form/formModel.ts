import { referenceNames, wireName } from '#base/wireName.ts'
import { compare } from '#base/decimal.ts'
import { columnsIn, computed, type Compute } from '#meta/compute.ts'
import { dayOf } from '#meta/day.ts'
import { fieldsOf } from '#meta/operands.ts'
import { places } from './entry.ts'
import { holds, type Surroundings } from './conditions.ts'
import { isNothing } from './same.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Condition, Operand } from '#meta/condition.ts'
import { editingIn } from '#meta/editing.ts'
import type { Default, Editing, Field, FormField, FormScreen, FormSection, SideEffect } from '#meta/resolved.ts'
import type { Message } from './message.ts'

/** Header values of a form by wire key, with code and name beside a reference. Pure functions over them. */
export type Values = Readonly<Record<string, unknown>>

export function allFields(screen: FormScreen): readonly FormField[] {
  return screen.sections.flatMap((section) => section.fields)
}

/** The field a bounded lookup waits for: one of those that bound it, or one whose record fills it. */
export function deciderOf({ lookupWhere }: FormField, fields: readonly FormField[]): FormField | undefined {
  const wanted = lookupWhere === undefined ? [] : fieldsOf(lookupWhere)
  return fields.find(({ name }) => wanted.includes(name)) ?? fields.find(({ fills }) => wanted.some((name) => fills !== undefined && name in fills))
}

/** Wire keys one field occupies: its own, and for a reference code and name. */
export function keysOf(field: Pick<FormField, 'type' | 'name' | 'wire'>): readonly string[] {
  if (field.type !== 'ref') return [field.wire]
  const names = referenceNames(field.name)
  return [field.wire, names.code, names.name]
}

export function isSectionVisible(section: FormSection, values: Values, around: Surroundings): boolean {
  return section.when === undefined || holds(section.when, values, around)
}

/** Fields on view now, in order. */
export function visibleFields(screen: FormScreen, values: Values, around: Surroundings): readonly FormField[] {
  return screen.sections
    .filter((section) => isSectionVisible(section, values, around))
    .flatMap((section) => section.fields.filter((field) => field.when === undefined || holds(field.when, values, around)))
}

/** A hidden field asks for nothing. */
export function isRequired(field: FormField, values: Values, around: Surroundings): boolean {
  return !field.readOnly && (field.required || (field.requiredWhen !== undefined && holds(field.requiredWhen, values, around)))
}

/** What a new record starts with: defaults of the screen over those of its fields. */
export function startValues(screen: FormScreen, around: Surroundings): Values {
  const values: Record<string, unknown> = {}
  for (const field of allFields(screen)) if (field.default !== undefined) values[field.wire] = field.default
  const byName = new Map(allFields(screen).map((field) => [field.name, field]))
  for (const [name, source] of Object.entries(screen.defaults)) {
    const value = defaultValue(source, around)
    if (isNothing(value)) continue
    const isNumber = byName.get(name)?.type === 'ref' || byName.get(name)?.type === 'integer' || name.endsWith('_id')
    values[byName.get(name)?.wire ?? wireName(name)] = isNumber && typeof value === 'string' ? Number(value) : value
  }
  return withComputed(allFields(screen), {}, values)
}

function defaultValue(source: Default, around: Surroundings): unknown {
  if (typeof source !== 'object') return source
  if ('param' in source) {
    const given = around.params[source.param]
    return given === 'true' ? true : given === 'false' ? false : given
  }
  if ('user' in source) return around.user[source.user]
  return dayOf(source.now, around.today)
}

/** Values after a change: what follows from it, what hiding clears, references whose lookup was restricted by a field that changed, computed fields. */
export function settle(screen: FormScreen, before: Values, changes: Values, around: Surroundings): Values {
  const next: Record<string, unknown> = { ...before, ...changes }
  const changed = new Set(Object.keys(changes).filter((key) => !Object.is(before[key], changes[key])))
  const fields = allFields(screen)
  for (const [wire, value] of Object.entries(followed(screen, next, changed, changes, around))) {
    if (!Object.is(next[wire], value)) changed.add(wire)
    next[wire] = value
  }
  for (const field of fields) {
    const restrictedBy = field.lookupWhere === undefined ? [] : fieldsOf(field.lookupWhere)
    const isStale = restrictedBy.some((name) => changed.has(fields.find((one) => one.name === name)?.wire ?? wireName(name)))
    if (isStale && !(field.wire in changes)) for (const key of keysOf(field)) next[key] = null
  }
  const visible = new Set(visibleFields(screen, next, around).map((field) => field.wire))
  for (const field of fields) {
    if (visible.has(field.wire) || field.onHide === 'keep') continue
    for (const key of keysOf(field)) if (!isNothing(next[key])) next[key] = field.type === 'boolean' ? false : null
  }
  return withComputed(fields, before, next)
}

/** What the side effects of the form set: each once, in their order, so that one may follow from another. A value given with the change stays. */
function followed(screen: FormScreen, values: Values, changed: ReadonlySet<string>, given: Values, around: Surroundings): Values {
  let set: Values = {}
  for (const effect of screen.sideEffects ?? []) {
    const now = { ...values, ...set }
    if (!effect.on.some((name) => changed.has(wireName(name)) || wireName(name) in set)) continue
    if (effect.when !== undefined && !holds(effect.when, now, around)) continue
    for (const [name, source] of Object.entries(effect.set)) {
      const field = allFields(screen).find((one) => one.name === name)
      if (field === undefined || field.wire in given || (effect.keep && !isNothing(now[field.wire]))) continue
      set = { ...set, ...effectValues(field, source, now, around) }
    }
  }
  return set
}

function effectValues(field: FormField, source: SideEffect['set'][string], now: Values, around: Surroundings): Values {
  if (source === null) return Object.fromEntries(keysOf(field).map((key) => [key, null]))
  if (typeof source !== 'object') return { [field.wire]: source }
  if ('now' in source) return { [field.wire]: dayOf(source.now, around.today) }
  if ('compute' in source) return { [field.wire]: computedValue(field, source.compute, now) }
  const other = { type: field.type, name: source.field, wire: wireName(source.field) }
  return Object.fromEntries(keysOf(field).map((key, i) => [key, now[keysOf(other)[i] ?? ''] ?? null]))
}

/** Computed fields whose parts changed, worked out in the order of the form, so that one may build on an earlier one. */
export function withComputed(fields: readonly (Field & { readonly compute?: Compute })[], before: Values, values: Values): Values {
  let next = values
  for (const field of fields) {
    const { compute } = field
    if (compute === undefined || columnsIn(compute).every((name) => Object.is(before[wireName(name)], next[wireName(name)]))) continue
    next = { ...next, [field.wire]: computedValue(field, compute, next) }
  }
  return next
}

function computedValue(field: Field, compute: Compute, values: Values): string | number | null {
  const value = computed(compute, (name) => values[wireName(name)], places(field.type) ?? 0)
  return value !== null && field.type === 'integer' ? Number(value) : value
}

/**
 * The restriction with the form's own values in place of `{ field }` operands: what is sent as lookup filter. Undefined when one of them
 * is still empty, so that a lookup restricted by a missing customer shows nothing rather than everything.
 */
export function boundFilter(condition: Condition, values: Values, around: Surroundings): Condition | undefined {
  let isComplete = true
  const bind = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(bind)
    if (typeof node !== 'object' || node === null) return node
    const operand = operandValue(node, values, around)
    if (operand.is) {
      if (isNothing(operand.value)) isComplete = false
      return operand.value
    }
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, bind(inner)]))
  }
  const bound = bind(condition)
  return isComplete ? (bound as Condition) : undefined
}

function operandValue(node: object, values: Values, around: Surroundings): { readonly is: true; readonly value: unknown } | { readonly is: false } {
  const operand: Partial<Record<string, unknown>> = { ...(node as Exclude<Operand, string | number | boolean>) }
  if (typeof operand['field'] === 'string') return { is: true, value: values[wireName(operand['field'])] }
  if (typeof operand['user'] === 'string') return { is: true, value: around.user[operand['user']] }
  if (typeof operand['param'] === 'string') return { is: true, value: around.params[operand['param']] }
  if (operand['now'] === 'date') return { is: true, value: around.today }
  return { is: false }
}

/** Data for the precompiled validator: keys of its schema that have a value, hidden fields left out. */
export function schemaData(keys: readonly string[], values: Values, visible: ReadonlySet<string>): Values {
  const data: Record<string, unknown> = {}
  for (const key of keys) if (visible.has(key) && !isNothing(values[key])) data[key] = values[key]
  return data
}

/** What JSON Schema cannot say about visible fields: required by a condition, bounds of decimals, rules of days. */
export function checkFields(screen: FormScreen, values: Values, around: Surroundings): Readonly<Record<string, Message>> {
  const messages: Record<string, Message> = {}
  for (const field of visibleFields(screen, values, around)) {
    const value = values[field.wire]
    if (isNothing(value)) {
      if (isRequired(field, values, around)) messages[field.wire] = { key: 'ui.check.required' }
      continue
    }
    const rule = brokenRule(field, value, values, around)
    if (rule !== undefined) messages[field.wire] = { key: rule }
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text !== 'string' || !/^-?\d+(\.\d+)?$/.test(text)) continue
    if (field.min !== undefined && compare(text, field.min) < 0) messages[field.wire] = { key: 'ui.check.min', params: { limit: field.min } }
    if (field.max !== undefined && compare(text, field.max) > 0) messages[field.wire] = { key: 'ui.check.max', params: { limit: field.max } }
  }
  return messages
}

/** Label of the first rule that the day would break; what is held against a field still empty says nothing yet. */
export function brokenRule({ allows, wire }: Pick<FormField, 'allows' | 'wire'>, day: unknown, values: Values, around: Surroundings): string | undefined {
  return allows?.find(({ must }) => !fieldsOf(must).some((name) => isNothing(values[wireName(name)])) && !holds(must, { ...values, [wire]: day }, around))?.label
}

/**
 * Header as it is sent: every field that may be edited, null where it is empty or hidden. A new record also takes along its defaults,
 * shown or not (order type, document date).
 */
export function headerPayload(screen: FormScreen, values: Values, isNew: boolean, around: Surroundings): Values {
  const visible = new Set(visibleFields(screen, values, around).map((field) => field.wire))
  const body: Record<string, unknown> = {}
  if (isNew) for (const [key, value] of Object.entries(startValues(screen, around))) body[key] = values[key] ?? value
  for (const field of allFields(screen)) {
    if (field.readOnly) continue
    const isKept = visible.has(field.wire) || field.onHide === 'keep'
    const value = isKept ? values[field.wire] : undefined
    body[field.wire] = isNothing(value) ? (field.type === 'boolean' ? false : null) : value
  }
  return body
}

/** Where a document stands; 0 for what has not been saved and for masters. */
export function statusOf(record: WireRecord | undefined): number {
  const status = record?.['Status']
  return typeof status === 'number' ? status : 0
}

/** A document leaves its form once it is submitted, unless its workflow lets it be changed later; masters stay editable. The server decides; this only spares vain typing. */
export function isEditable(record: WireRecord | undefined, screen: FormScreen): boolean {
  return screen.transitions.length === 0 || statusOf(record) === 0 || editingOf(record, screen) !== undefined
}

/** What may be changed of the record as it stands, where its workflow restricts that. */
export function openFields(record: WireRecord | undefined, screen: FormScreen): readonly string[] | undefined {
  return editingOf(record, screen)?.fields
}

function editingOf(record: WireRecord | undefined, { editing = [] }: FormScreen): Editing | undefined {
  return record === undefined ? undefined : editingIn(editing, statusOf(record), record['Stage'])
}

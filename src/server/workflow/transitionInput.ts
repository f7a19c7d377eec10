import type { FieldProblem } from '#api/problems.ts'
import type { Field, Transition } from '#meta/resolved.ts'
import type { Row } from '#server/context.ts'
import { isId, parseValue } from '#server/documents/parseValue.ts'
import { invalid, wrong } from '#server/problemError.ts'

/** The body of a transition by column name: ReasonID, ReasonText, Note and the declared params, nothing else. */
export function parseTransitionInput(transitions: readonly Transition[], body: unknown): Row {
  const params = new Map(transitions.flatMap((transition) => transition.params).map((field) => [field.wire, field]))
  return parseParams(params, body, true)
}

/** Params by wire name, each parsed by its declared type; closed. Throws VALIDATION_FAILED with every wrong field. */
export function parseParams(params: ReadonlyMap<string, Field>, body: unknown, withReason: boolean): Row {
  if (body === undefined || body === null) body = {}
  if (typeof body !== 'object' || Array.isArray(body)) return invalid([wrong('', 'WRONG_TYPE.object')])
  const errors: FieldProblem[] = []
  const input: Row = {}
  for (const [key, value] of Object.entries(body ?? {})) {
    const field = params.get(key)
    if (field) {
      const parsed = parseValue(field, value)
      if (parsed.ok) input[field.name] = parsed.value
      else errors.push({ field: key, ...parsed.problem })
    } else if (withReason && key === 'ReasonID') {
      if (value == null || isId(value)) input['reason_id'] = value ?? null
      else errors.push(wrong(key, 'WRONG_TYPE.id'))
    } else if (withReason && (key === 'ReasonText' || key === 'Note')) {
      const parsed = parseValue({ ...noteField, name: key }, value)
      if (parsed.ok) input[key === 'Note' ? 'note' : 'reason_text'] = parsed.value
      else errors.push({ field: key, ...parsed.problem })
    } else errors.push(wrong(key.slice(0, 80), 'UNKNOWN_FIELD'))
  }
  for (const field of params.values()) {
    if (field.required && input[field.name] == null) errors.push(wrong(field.wire, 'REQUIRED'))
  }
  if (errors.length > 0) invalid(errors)
  return input
}

const noteField: Field = { name: 'note', wire: 'Note', type: 'longtext', label: 'field.note', required: false, readOnly: false, maxLength: 2_000 }

import { isRange } from './check.ts'
import { places } from './entry.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { ValidationProblem } from '#meta/formValidation.ts'
import type { Field } from '#meta/resolved.ts'
import type { Message } from './message.ts'

/**
 * Sentences for what a precompiled validator reports, by wire key: the first problem of each field. Rules that only wrap others
 * (`if`, `allOf`) say nothing themselves.
 */
export function messagesOf(reported: readonly ValidationProblem[], fields: ReadonlyMap<string, Field>, values: Readonly<Record<string, unknown>>): Readonly<Record<string, Message>> {
  const messages: Record<string, Message> = {}
  for (const problem of reported) {
    const missing = problem.params['missingProperty']
    const wire = problem.keyword === 'required' && typeof missing === 'string' ? missing : problem.instancePath.slice(1)
    const field = fields.get(wire)
    if (field === undefined || wire in messages) continue
    messages[wire] = messageOf(problem, field, values[wire])
  }
  return messages
}

function messageOf({ keyword, params }: ValidationProblem, field: Field, value: unknown): Message {
  const limit = params['limit']
  const known = typeof limit === 'number' || typeof limit === 'string' ? { limit } : {}
  if ((keyword === 'minimum' || keyword === 'maximum') && isRange(field)) return { key: 'ui.check.between', params: { min: field.min, max: field.max } }
  switch (keyword) {
    case 'required':
    case 'minLength':
      return { key: 'ui.check.required' }
    case 'maxLength':
      return { key: 'ui.check.maxLength', params: { ...known, n: String(value ?? '').length } }
    case 'minimum':
      return field.type === 'ref' ? { key: 'ui.check.required' } : { key: 'ui.check.min', params: known }
    case 'maximum':
      return { key: 'ui.check.max', params: known }
    case 'format':
      return { key: field.type === 'email' ? 'ui.check.email' : field.type === 'date' ? 'ui.entry.date' : 'ui.check.pattern' }
    case 'enum':
      return { key: 'ui.entry.choice' }
    case 'pattern':
    case 'type':
      return places(field.type) === undefined ? { key: field.patternText ?? 'ui.check.pattern' } : { key: 'ui.entry.number' }
    default:
      return { key: 'ui.check.pattern' }
  }
}

/** Where a server problem belongs: a header field, a cell of a line (counted from 0 over the lines sent), or the whole. */
export type Place = { readonly kind: 'field'; readonly wire: string } | { readonly kind: 'line'; readonly grid: string; readonly index: number; readonly wire: string } | { readonly kind: 'whole' }

export function placeOf(problem: FieldProblem): Place {
  const line = /^(\w+)\[(\d+)\](?:\.(\w+))?$/.exec(problem.field)
  if (line !== null) return { kind: 'line', grid: line[1] ?? '', index: Number(line[2]), wire: line[3] ?? '' }
  return /^\w+$/.test(problem.field) ? { kind: 'field', wire: problem.field } : { kind: 'whole' }
}

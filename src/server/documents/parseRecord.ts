import { referenceNames, wireName } from '#base/wireName.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import type { Row } from '#server/context.ts'
import type { Services } from '#server/services.ts'
import { isDecimalType } from './columns.ts'
import { knownEntity } from './entities.ts'
import { isId, parseValue } from './parseValue.ts'
import { hookKey } from './readRecord.ts'

export interface ParsedLine {
  readonly id: number | undefined
  readonly columns: Row
  readonly extra: Row
}

export interface ParsedRecord {
  readonly columns: Row
  /** By wire name; undefined where the body does not mention them. */
  readonly lines: Readonly<Record<string, readonly ParsedLine[]>>
  readonly extra: Row
  readonly errors: readonly FieldProblem[]
}

export const mostLines = 2_000

/**
 * A record as sent, by column name. Closed: a key that is no field of the entity is refused, so is a value for a column only the server
 * writes. Keys a reader got beside the fields (codes and names of references, `Actions`, `ID`) may come back and are ignored.
 */
export function parseRecord(services: Services, entity: ResolvedEntity, body: unknown): ParsedRecord {
  const errors: FieldProblem[] = []
  if (!isObject(body)) return { columns: {}, lines: {}, extra: {}, errors: [{ field: '', code: 'WRONG_TYPE', text: 'A record is an object.' }] }
  const hooks = services.hooks[hookKey(entity)]
  const computed = new Set(hooks?.computed)
  const lineKeys = new Map(entity.lines.map((line) => [line.wire, line]))
  const columns: Row = {}
  const extra: Row = {}
  const lines: Record<string, ParsedLine[]> = {}
  const shape = shapeOf(entity)
  for (const [key, value] of Object.entries(body)) {
    if (hooks?.extraKeys?.includes(key)) {
      extra[key] = value
      continue
    }
    const line = lineKeys.get(key)
    if (line) {
      lines[key] = parseLines(knownEntity(services.metadata, line.entity), entity, key, value, computed, hooks?.extraLineKeys ?? [], errors)
      continue
    }
    readField(shape, key, value, key, columns, computed, '', errors)
  }
  return { columns, lines, extra, errors }
}

function parseLines(
  entity: ResolvedEntity,
  parent: ResolvedEntity,
  wire: string,
  value: unknown,
  computed: ReadonlySet<string>,
  extraKeys: readonly string[],
  errors: FieldProblem[],
): ParsedLine[] {
  if (!Array.isArray(value)) {
    errors.push({ field: wire, code: 'WRONG_TYPE', text: 'A list of lines is expected.' })
    return []
  }
  if (value.length > mostLines) {
    errors.push({ field: wire, code: 'TOO_LONG', text: `At most ${mostLines} lines.` })
    return []
  }
  const shape = shapeOf(entity)
  const seen = new Set<number>()
  return value.map((line: unknown, i) => {
    const where = `${wire}[${i}]`
    const columns: Row = {}
    const extra: Row = {}
    if (!isObject(line)) {
      errors.push({ field: where, code: 'WRONG_TYPE', text: 'A line is an object.' })
      return { id: undefined, columns, extra }
    }
    let id: number | undefined
    for (const [key, part] of Object.entries(line)) {
      if (extraKeys.includes(key)) extra[key] = part
      else if (key === 'ID') {
        if (part !== null && part !== undefined && !isId(part)) errors.push({ field: `${where}.ID`, code: 'WRONG_TYPE', text: 'A record id is expected.' })
        else if (isId(part)) {
          if (seen.has(part)) errors.push({ field: `${where}.ID`, code: 'DUPLICATE', text: 'This line appears twice.' })
          seen.add(part)
          id = part
        }
      } else if (key !== 'LineNo' && key !== wireName(`${parent.id}_id`)) readField(shape, key, part, `${where}.${key}`, columns, computed, 'lines.', errors)
    }
    return { id, columns, extra }
  })
}

function readField(
  shape: Shape,
  key: string,
  value: unknown,
  where: string,
  columns: Row,
  computed: ReadonlySet<string>,
  prefix: string,
  errors: FieldProblem[],
): void {
  if (shape.echoes.has(key)) return
  const field = shape.byWire.get(key)
  if (!field) {
    errors.push({ field: where, code: 'UNKNOWN_FIELD', text: `${key.slice(0, 80)} is not a field of this record.` })
    return
  }
  // Values only the server writes may come back as they were read; they are not taken over.
  if (field.readOnly || computed.has(prefix + field.name)) return
  const parsed = parseValue(field, value)
  if (!parsed.ok) errors.push({ field: where, code: parsed.problem.code, text: parsed.problem.text })
  else if (parsed.value === null && !field.nullable) {
    const fallback = emptyValue(field)
    if (fallback === undefined) errors.push({ field: where, code: 'REQUIRED', text: 'A value is required.' })
    else columns[field.name] = fallback
  } else columns[field.name] = parsed.value
}

/** What an emptied field of a column that is never null stands for; undefined: it must be filled in. */
export function emptyValue(field: EntityField): unknown {
  if (field.default !== undefined) return field.default
  if (field.required) return undefined
  if (isDecimalType(field.type)) return '0'
  if (field.type === 'boolean') return false
  return field.type === 'textlist' ? [] : undefined
}

interface Shape {
  readonly byWire: ReadonlyMap<string, EntityField>
  /** Keys that readers get beside the fields. */
  readonly echoes: ReadonlySet<string>
}

const shapes = new WeakMap<ResolvedEntity, Shape>()

function shapeOf(entity: ResolvedEntity): Shape {
  const known = shapes.get(entity)
  if (known) return known
  const visible = entity.fields.filter((field) => !field.hidden)
  const byWire = new Map(visible.map((field) => [field.wire, field]))
  const echoes = new Set(['ID', 'Actions'])
  for (const field of visible) {
    if (field.type !== 'ref') continue
    const names = referenceNames(field.name)
    for (const name of [names.code, names.name]) if (!byWire.has(name)) echoes.add(name)
  }
  const shape = { byWire, echoes }
  shapes.set(entity, shape)
  return shape
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

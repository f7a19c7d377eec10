import { referenceNames, wireName } from '#base/wireName.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import type { Row } from '#server/context.ts'
import type { Services } from '#server/services.ts'
import { columnRef } from './columns.ts'
import { emptyValue } from './emptyValue.ts'
import { knownEntity } from './entities.ts'
import { isId, parseValue } from './parseValue.ts'
import { beyondNames, hookKey } from './readRecord.ts'
import { invalid, wrong } from '#server/problemError.ts'

export interface ParsedLine {
  readonly id: number | undefined
  /** Version of an owned record as it was read; undefined where it has none or was not sent. */
  readonly version: number | undefined
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

/** Lines of a document where its entity says no other number. */
export const mostLines = 2_000

/**
 * A record as sent, by column name. Closed: a key that is no field of the entity is refused, so is a value for a column only the server
 * writes. Keys a reader got beside the fields (codes and names of references and what else is shown of them, `Actions`, `ID`, `Proposed`) may come back and are ignored.
 */
export function parseRecord(services: Services, entity: ResolvedEntity, body: unknown): ParsedRecord {
  const errors: FieldProblem[] = []
  if (!isObject(body)) return { columns: {}, lines: {}, extra: {}, errors: [wrong('', 'WRONG_TYPE.object')] }
  const hooks = services.hooks[hookKey(entity)]
  const computed = new Set(hooks?.computed)
  const lineKeys = new Map(entity.lines.map((line) => [line.wire, line]))
  const columns: Row = {}
  const extra: Row = {}
  const lines: Record<string, ParsedLine[]> = {}
  const shape = shapeOf(services.metadata, entity)
  for (const [key, value] of Object.entries(body)) {
    if (hooks?.extraKeys?.includes(key)) {
      extra[key] = value
      continue
    }
    const line = lineKeys.get(key)
    if (line) {
      lines[key] = parseLines(services.metadata, knownEntity(services.metadata, line.entity), line.column, key, value, computed, hooks?.extraLineKeys ?? [], errors)
      continue
    }
    readField(shape, key, value, key, columns, computed, '', errors)
  }
  return { columns, lines, extra, errors }
}

/** Refuses keys that are no part of such a record, for what is asked about a record that is still being typed and need not be whole. */
export function requireKnownKeys(services: Services, entity: ResolvedEntity, body: unknown): void {
  const unknown = parseRecord(services, entity, body).errors.filter((error) => error.code === 'UNKNOWN_FIELD')
  if (unknown.length > 0) invalid(unknown)
}

function parseLines(
  metadata: Metadata,
  entity: ResolvedEntity,
  parentColumn: string,
  wire: string,
  value: unknown,
  computed: ReadonlySet<string>,
  extraKeys: readonly string[],
  errors: FieldProblem[],
): ParsedLine[] {
  if (!Array.isArray(value)) {
    errors.push(wrong(wire, 'WRONG_TYPE.lines'))
    return []
  }
  const most = entity.most ?? mostLines
  if (value.length > most) {
    errors.push(wrong(wire, 'TOO_LONG.lines', { limit: most }))
    return []
  }
  const shape = shapeOf(metadata, entity)
  const seen = new Set<number>()
  return value.map((line: unknown, i) => {
    const where = `${wire}[${i}]`
    const columns: Row = {}
    const extra: Row = {}
    if (!isObject(line)) {
      errors.push(wrong(where, 'WRONG_TYPE.object'))
      return { id: undefined, version: undefined, columns, extra }
    }
    let id: number | undefined
    const version = line['Version']
    for (const [key, part] of Object.entries(line)) {
      if (extraKeys.includes(key)) extra[key] = part
      else if (key === 'ID') {
        if (part !== null && part !== undefined && !isId(part)) errors.push(wrong(`${where}.ID`, 'WRONG_TYPE.id'))
        else if (isId(part)) {
          if (seen.has(part)) errors.push(wrong(`${where}.ID`, 'DUPLICATE.line'))
          seen.add(part)
          id = part
        }
      } else if (key !== 'LineNo' && key !== wireName(parentColumn)) readField(shape, key, part, `${where}.${key}`, columns, computed, 'lines.', errors)
    }
    return { id, version: isId(version) ? version : undefined, columns, extra }
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
    errors.push(wrong(where, 'UNKNOWN_FIELD.record', { field: key.slice(0, 80) }))
    return
  }
  // Values only the server writes may come back as they were read; they are not taken over.
  if (field.readOnly || computed.has(prefix + field.name)) return
  const parsed = parseValue(field, value)
  if (!parsed.ok) errors.push({ field: where, ...parsed.problem })
  else if (parsed.value === null && !field.nullable) {
    const fallback = emptyValue(field)
    if (fallback === undefined) errors.push(wrong(where, 'REQUIRED'))
    else columns[field.name] = fallback
  } else columns[field.name] = parsed.value
}

interface Shape {
  readonly byWire: ReadonlyMap<string, EntityField>
  /** Keys that readers get beside the fields. */
  readonly echoes: ReadonlySet<string>
}

const shapes = new WeakMap<ResolvedEntity, Shape>()

function shapeOf(metadata: Metadata, entity: ResolvedEntity): Shape {
  const known = shapes.get(entity)
  if (known) return known
  const visible = entity.fields.filter((field) => !field.hidden)
  const byWire = new Map(visible.map((field) => [field.wire, field]))
  const echoes = new Set(['ID', 'Actions', 'Proposed'])
  for (const field of visible) {
    if (field.type !== 'ref') continue
    const names = referenceNames(field.name)
    for (const name of [names.code, names.name]) if (!byWire.has(name)) echoes.add(name)
  }
  for (const name of beyondNames(metadata, entity)) {
    const wire = columnRef(metadata, entity, name)?.wire
    if (wire !== undefined && !byWire.has(wire)) echoes.add(wire)
  }
  const shape = { byWire, echoes }
  shapes.set(entity, shape)
  return shape
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

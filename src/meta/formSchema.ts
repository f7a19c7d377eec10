import { decimalPlaces } from '#meta/resolveField.ts'
import { gridsOf } from '#meta/formGrids.ts'
import { conditionSchema } from '#meta/conditionSchema.ts'
import type { Field, FormField, FormLines, FormScreen } from '#meta/resolved.ts'

/** The part of JSON Schema our forms use. */
export interface JsonSchema {
  readonly $id?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly (string | number)[]
  readonly const?: string | number | boolean
  readonly not?: JsonSchema
  readonly allOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly if?: JsonSchema
  readonly then?: JsonSchema
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly maximum?: number
}

/**
 * JSON Schema of a form's header, wire keys. An absent value is a missing key, never null or ''.
 * It is the same for every user and language: labels, hiding and permission go through uiSchema.
 */
export function formSchema(form: FormScreen): JsonSchema {
  const fields = form.sections.flatMap((section) => section.fields.map((field) => withSection(field, section.when)))
  const byName = new Map(fields.map((field) => [field.name, field]))
  const required: string[] = []
  const rules: JsonSchema[] = []
  for (const field of byName.values()) {
    if (field.required && field.when === undefined) required.push(field.wire)
    const when = field.required ? field.when : field.requiredWhen
    const test = when === undefined ? undefined : conditionSchema(when, byName)
    // oxlint-disable-next-line unicorn/no-thenable -- `then` belongs to JSON Schema here, nothing awaits this object
    if (test !== undefined) rules.push({ if: test, then: { required: [field.wire] } })
  }
  return {
    $id: form.id,
    type: 'object',
    properties: Object.fromEntries([...byName.values()].map((field) => [field.wire, valueSchema(field)])),
    ...(required.length === 0 ? {} : { required }),
    ...(rules.length === 0 ? {} : { allOf: rules }),
  }
}

/** JSON Schema of one line of each grid, by the grid's wire key: what is typed must be there, computed cells are free. */
export function rowSchemas(form: FormScreen): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(gridsOf(form).map((lines) => [lines.wire, rowSchema(form, lines)]))
}

function rowSchema(form: FormScreen, { wire, columns }: FormLines): JsonSchema {
  const required = columns.filter((column) => column.required).map((column) => column.wire)
  return {
    $id: `${form.id}.${wire}`,
    type: 'object',
    properties: Object.fromEntries(columns.filter(({ name }) => !name.includes('.')).map((column) => [column.wire, valueSchema(column)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

function withSection(field: FormField, when: FormField['when']): FormField {
  if (when === undefined) return field
  return { ...field, when: field.when === undefined ? when : { all: [when, field.when] } }
}

/** Schema of one value as it travels. */
export function valueSchema(field: Field): JsonSchema {
  switch (field.type) {
    case 'id':
    case 'ref':
      return { type: 'integer', minimum: 1 }
    case 'integer':
      return { type: 'integer', ...(field.min === undefined ? {} : { minimum: Number(field.min) }), ...(field.max === undefined ? {} : { maximum: Number(field.max) }) }
    case 'status':
      return { type: 'integer', enum: (field.choices ?? []).map(({ value }) => value) }
    case 'boolean':
      return { type: 'boolean' }
    case 'enum':
      return { type: 'string', enum: (field.choices ?? []).map(({ value }) => value) }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'datetime':
      return { type: 'string', format: 'date-time' }
    case 'period':
      return { type: 'string', pattern: '^\\d{6}$' }
    case 'textlist':
      return { type: 'array', items: field.choices === undefined ? { type: 'string', maxLength: 255 } : { type: 'string', enum: field.choices.map(({ value }) => value) } }
    case 'json':
      return {}
    case 'email':
      return { type: 'string', format: 'email', maxLength: field.maxLength ?? 254 }
    case 'code':
    case 'text':
    case 'longtext':
    case 'secret':
      return text(field)
    case 'quantity':
    case 'money':
    case 'percent':
    case 'rate':
    case 'price':
    case 'cost':
      return { type: 'string', pattern: `^-?\\d{1,16}(\\.\\d{1,${decimalPlaces[field.type]}})?$` }
  }
}

function text(field: Field): JsonSchema {
  return {
    type: 'string',
    ...(field.required ? { minLength: 1 } : {}),
    ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
    ...(field.pattern === undefined ? {} : { pattern: field.pattern }),
  }
}

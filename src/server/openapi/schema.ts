/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** A schema of `components.schemas`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items }
}

/** An object with these keys, all of them there unless named in `optional`. */
export function objectOf(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

/** As `objectOf`, and no other key is accepted. */
export function closedObject(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  return { ...objectOf(properties, optional), additionalProperties: false }
}

/** The schema or null. */
export function orNull(schema: Schema): Schema {
  const { type, enum: values } = schema
  if (typeof type !== 'string') return schema['$ref'] === undefined ? schema : { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
}

export const text: Schema = { type: 'string' }
export const flag: Schema = { type: 'boolean' }
export const whole: Schema = { type: 'integer' }
export const id: Schema = { type: 'integer', minimum: 1 }
export const day: Schema = { type: 'string', format: 'date' }
export const moment: Schema = { type: 'string', format: 'date-time' }
/** Decimal text: never a float. */
export const money: Schema = { type: 'string', pattern: '^-?\\d{1,16}(\\.\\d{1,2})?$' }

/** `sales_order` → `SalesOrder`: names of component schemas. */
export function schemaName(entity: string): string {
  return entity.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** `sales_order`, `sales-order` → `Sales order`, for people. */
export function words(name: string): string {
  const spaced = name.replaceAll(/[-_.]/g, ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

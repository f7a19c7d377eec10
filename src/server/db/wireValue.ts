/** A value as it travels to the database: text, or bytes for bytea. */
export type WireValue = string | Buffer | null

/** Numbers and booleans as text, arrays as array literals, times as ISO text, other objects as JSON. */
export function wireValue(value: unknown): WireValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return arrayLiteral(value)
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(element).join()}}`
}

function element(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return arrayLiteral(value)
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  return `"${String(wireValue(value)).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

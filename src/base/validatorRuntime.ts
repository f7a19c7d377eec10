/** What the precompiled validators call; they carry no code of their own for it. */

/**
 * Length in characters, not in UTF-16 units.
 * @public called by the generated validators
 */
export function ucs2length(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

/**
 * Structural equality of JSON values.
 * @public called by the generated validators
 */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false
  const left = Object.entries(a)
  const right = new Map(Object.entries(b))
  return left.length === right.size && left.every(([key, value]) => right.has(key) && equal(value, right.get(key)))
}

const email = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/**
 * Formats by name, in the shape ajv calls them.
 * @public called by the generated validators
 */
export const formats = {
  date: { validate: isDay },
  'date-time': { validate: (text: string) => isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)) && /^.{10}[Tt ]\d{2}:\d{2}/.test(text) },
  email,
}

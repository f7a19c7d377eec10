/** Equal as form values: absent, null and empty text are one nothing; decimal text equals by value; lists and objects by content. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  const nothingA = isNothing(a)
  if (nothingA || isNothing(b)) return nothingA && isNothing(b)
  if (typeof a === 'string' && typeof b === 'string') return canonical(a) === canonical(b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((entry, i) => same(entry, b[i]))
  }
  const left = new Map<string, unknown>(Object.entries(a))
  const right = new Map<string, unknown>(Object.entries(b))
  return [...new Set([...left.keys(), ...right.keys()])].every((key) => same(left.get(key), right.get(key)))
}

/** Absent, null or empty text. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function canonical(text: string): string {
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/0+$/, '').replace(/\.$/, '') : text
}

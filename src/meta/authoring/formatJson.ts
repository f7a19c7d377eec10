const widest = 130

/** JSON as our schema files are written: what fits stands on one line, the rest is broken. */
export function formatJson(value: unknown, indent = ''): string {
  const flat = onOneLine(value)
  if (typeof value !== 'object' || value === null || (indent !== '' && indent.length + flat.length <= widest)) return flat
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((part) => inner + formatJson(part, inner))
    : Object.entries(value).map(([key, part]) => `${inner}${JSON.stringify(key)}: ${formatJson(part, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return parts.length === 0 ? open + close : `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${onOneLine(part)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

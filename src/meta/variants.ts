type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type JsonObject = Readonly<Record<string, Json>>

/** A screen a file stands for. */
export interface Variant {
  /** Undefined: the file itself. */
  readonly name: string | undefined
  readonly value: unknown
}

/**
 * The screens a file stands for: itself, or each of its `variants` in its place. A variant says only what differs: objects are merged key by
 * key, everything else is replaced. Its id is that of the file with the variant's name before the last part (`price-row.list`, `v1` →
 * `price-row.v1.list`), and `$variant` stands for the name inside any text of the file.
 */
export function variantsOf(file: unknown): readonly Variant[] {
  const variants = isObject(file) ? file['variants'] : undefined
  if (!isObject(file) || !isObject(variants)) return [{ name: undefined, value: file }]
  const shared: Record<string, Json> = { ...file }
  delete shared['variants']
  const id = file['id']
  return Object.entries(variants).map(([name, own]) => ({ name, value: filled(merged(typeof id === 'string' ? { ...shared, id: variantId(id, name) } : shared, own), name) }))
}

/** Path under which the source of a variant goes: `….list.json#v1`. */
export function variantPath(path: string, name: string | undefined): string {
  return name === undefined ? path : `${path}#${name}`
}

/** The file a source was read from. */
export function filePath(path: string): string {
  return path.replace(/#\w+$/, '')
}

/** Where something of a variant is written in its file: among what the variant says itself, or in what all share. */
export function writtenAt(file: unknown, name: string, at: readonly (string | number)[]): readonly (string | number)[] {
  const variants = isObject(file) ? file['variants'] : undefined
  let own: Json | undefined = isObject(variants) ? variants[name] : undefined
  for (const key of at) {
    if (Array.isArray(own)) break
    if (!isObject(own) || !Object.hasOwn(own, key)) return at
    own = own[key]
  }
  return ['variants', name, ...at]
}

/** `price-row.list`, `v1` → `price-row.v1.list`. */
export function variantId(id: string, name: string): string {
  const at = id.lastIndexOf('.')
  return at < 0 ? `${id}.${name}` : `${id.slice(0, at)}.${name}${id.slice(at)}`
}

function merged(shared: Json, own: Json): Json {
  if (!isObject(shared) || !isObject(own)) return own
  return { ...shared, ...Object.fromEntries(Object.entries(own).map(([key, value]) => [key, key in shared ? merged(shared[key] ?? null, value) : value])) }
}

function filled(value: Json, name: string): Json {
  if (typeof value === 'string') return value.replaceAll('$variant', name)
  if (Array.isArray(value)) return value.map((part: Json) => filled(part, name))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, filled(part, name)]))
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

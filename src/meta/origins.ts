/** Where the keys of a resolved object come from: the screen file, a fragment, the entity, or a default of the kind. */
const origins = new WeakMap<object, Readonly<Record<string, string>>>()

export function withOrigin<T extends object>(value: T, keys: Readonly<Record<string, string>>): T {
  origins.set(value, { ...origins.get(value), ...keys })
  return value
}

export function originOf(value: object): Readonly<Record<string, string>> {
  return origins.get(value) ?? {}
}

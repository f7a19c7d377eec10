/** Where the keys of a resolved object come from: the screen file, a fragment, the entity, or a default of the kind. */
const origins = new WeakMap<object, Readonly<Record<string, string>>>()

export function withOrigin<T extends object>(value: T, keys: Readonly<Record<string, string>>): T {
  origins.set(value, { ...origins.get(value), ...keys })
  return value
}

/** Origins of a field's keys: what its declaration says is from there, the rest follows from type and name. */
export function declaredIn(place: string, declaration: object, field: object): Readonly<Record<string, string>> {
  const said = new Set(['name', ...Object.keys(declaration)])
  if (said.has('values')) said.add('choices')
  return Object.fromEntries(Object.keys(field).map((key) => [key, said.has(key) ? place : 'default']))
}

export function originOf(value: object): Readonly<Record<string, string>> {
  return origins.get(value) ?? {}
}

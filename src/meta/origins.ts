type Origins = Readonly<Record<string, string>>

/** Where the keys of a resolved object come from: the screen file, a fragment, the entity, or a default of the kind. Kept only inside `traced`. */
let origins: WeakMap<object, Origins> | undefined
let kept: WeakMap<object, Origins> = new WeakMap()

/** Runs what resolves so that origins are kept: only whoever explains a screen asks, and every other run is much quicker without. */
export function traced<T>(work: () => T): T {
  origins = new WeakMap()
  kept = origins
  try {
    return work()
  } finally {
    origins = undefined
  }
}

export function withOrigin<T extends object>(value: T, keys: () => Origins): T {
  origins?.set(value, { ...origins.get(value), ...keys() })
  return value
}

/** Origins of a field's keys: what its declaration says is from there, the rest follows from type and name. */
export function declaredIn(place: string, declaration: object, field: object): Origins {
  const said = new Set(['name', ...Object.keys(declaration)])
  if (said.has('values')) said.add('choices')
  if (said.has('valuesBy')) said.add('choicesBy')
  if (said.has('pattern')) said.add('patternText')
  return Object.fromEntries(Object.keys(field).map((key) => [key, said.has(key) ? place : 'default']))
}

export function originOf(value: object): Origins {
  return kept.get(value) ?? {}
}

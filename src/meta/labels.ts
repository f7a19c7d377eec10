/** Picks message keys: the most particular one that the English catalogue has, else the most general. */
export interface Labels {
  pick(...keys: readonly [string, ...string[]]): string
  /** Keys chosen elsewhere over the same catalogue. */
  note(keys: readonly string[]): void
  /** Keys chosen so far that the catalogue lacks. */
  readonly missing: ReadonlySet<string>
  /** Every key chosen so far. */
  readonly used: ReadonlySet<string>
}

export function labelsOf(catalogue: Readonly<Record<string, string>>): Labels {
  const missing = new Set<string>()
  const used = new Set<string>()
  return {
    missing,
    used,
    note(keys) {
      for (const key of keys) {
        used.add(key)
        if (!Object.hasOwn(catalogue, key)) missing.add(key)
      }
    },
    pick(...keys) {
      const found = keys.find((key) => Object.hasOwn(catalogue, key))
      const chosen = found ?? keys.at(-1) ?? keys[0]
      used.add(chosen)
      if (found === undefined) missing.add(chosen)
      return chosen
    },
  }
}

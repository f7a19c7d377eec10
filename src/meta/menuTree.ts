import type { MenuSource } from '#generated/language.ts'

type Group = MenuSource[number]
type Entry = Group['submenu'][number]
type Inner = NonNullable<Entry['variants']>[number]

/** One entry of the menu file, those under another included, and where it stands in the file. */
export interface PlacedEntry {
  readonly group: string
  readonly at: readonly (string | number)[]
  readonly entry: Inner
}

/** Every entry of the menu file, served or not, in its order. */
export function placedEntries(menu: MenuSource): readonly PlacedEntry[] {
  return menu.flatMap(({ name: group, submenu }, i) =>
    submenu.flatMap((entry, j) => {
      const at = [i, 'submenu', j]
      const under = (['variants', 'queues'] as const).flatMap((key) => (entry[key] ?? []).map((inner, k) => ({ group, at: [...at, key, k], entry: inner })))
      return [{ group, at, entry }, ...under]
    }),
  )
}

/** An entry as the menu keeps it: in one row with those of its group, `under` the url of the entry it is reached by. */
export interface ShownEntry {
  readonly name: string
  readonly url: string
  /** Without: whoever holds the permission of an entry under it. */
  readonly guard?: string
  readonly kind?: string
  readonly scope?: string
  readonly under?: string
  /** The page of the entry above leads to it, no switch is needed. */
  readonly isQueue?: true
}

/** Groups with what is served. Where an entry is not served yet, the first of those under it that is stands in its place. */
export function servedMenu(menu: MenuSource, served: ReadonlySet<string>): readonly (Omit<Group, 'submenu'> & { readonly submenu: readonly ShownEntry[] })[] {
  return menu
    .map((group) => ({ ...group, submenu: group.submenu.flatMap((entry) => familyOf(entry, served)) }))
    .filter(({ submenu }) => submenu.length > 0)
}

function familyOf({ variants = [], queues = [], ...entry }: Entry, served: ReadonlySet<string>): readonly ShownEntry[] {
  const [first, ...rest] = [entry, ...variants, ...queues].filter(({ url }) => served.has(url))
  if (first === undefined) return []
  return [first, ...rest.map((inner): ShownEntry => ({ ...inner, under: first.url, ...(queues.includes(inner) ? { isQueue: true } : {}) }))]
}

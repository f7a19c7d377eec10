import { plainHead } from '#base/plainHead.ts'

/** A column of an import with the names it goes by. */
export interface NamedColumn {
  readonly name: string
  readonly names: readonly string[]
  /** What lists call it, among its names: a file that has that means it, and nothing else that is called like the column (unless another column is called so). */
  readonly labels?: readonly string[]
  /** Names it goes by where none of the others stands. */
  readonly otherwise?: readonly string[]
}

/**
 * Which column of the file fills which column of the import: by what the user chose before, then by name. Every column is filled once; `null`
 * for columns of the file that fill none.
 */
export function mapHeads(heads: readonly string[], columns: readonly NamedColumn[], remembered: ReadonlyMap<string, string | null>): readonly (string | null)[] {
  const byName = new Map<string, string>()
  const own = new Set(columns.map(({ name }) => plainHead(name)))
  const listed = new Set(heads.map(plainHead).filter((head) => !own.has(head)))
  for (const column of columns) {
    // A name that is also one of the others waits for them: `Item` is the item's name where `Item code` stands beside it.
    const weak = new Set((column.otherwise ?? []).map(plainHead))
    const isListed = (column.labels ?? []).some((label) => listed.has(plainHead(label)))
    for (const name of [...(isListed ? [] : [column.name]), ...column.names].map(plainHead)) if (!byName.has(name) && !weak.has(name)) byName.set(name, column.name)
  }
  const known = new Set(columns.map(({ name }) => name))
  const taken = new Set<string>()
  const take = (name: string | null | undefined): string | null => {
    if (name === null || name === undefined || !known.has(name) || taken.has(name)) return null
    taken.add(name)
    return name
  }
  const chosen = heads.map((head) => {
    const before = remembered.get(plainHead(head))
    return before === undefined ? undefined : take(before)
  })
  const named = heads.map((head, i) => (chosen[i] === undefined ? take(byName.get(plainHead(head))) : (chosen[i] ?? null)))
  const byOther = new Map(columns.flatMap(({ name, otherwise = [] }) => otherwise.map((other) => [plainHead(other), name] as const)))
  return heads.map((head, i) => (named[i] === null && chosen[i] === undefined ? take(byOther.get(plainHead(head))) : (named[i] ?? null)))
}

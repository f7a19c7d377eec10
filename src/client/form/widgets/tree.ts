/** A record among its children, in the order given. */
export interface TreeNode<T> {
  readonly item: T
  readonly children: readonly TreeNode<T>[]
}

/**
 * Records under their parents. One whose parent is not among them stands at the top, so does every record of a ring (a parent that is
 * its own descendant): none is lost.
 */
export function treeOf<T>(items: readonly T[], idOf: (item: T) => unknown, parentOf: (item: T) => unknown): readonly TreeNode<T>[] {
  const known = new Set(items.map(idOf))
  const parents = new Map(items.map((item) => [idOf(item), parentOf(item)]))
  const isTop = (item: T) => !known.has(parentOf(item)) || isInRing(idOf(item), parents)
  const under = (id: unknown): readonly TreeNode<T>[] => items.filter((item) => parentOf(item) === id && !isTop(item)).map((item) => ({ item, children: under(idOf(item)) }))
  return items.filter(isTop).map((item) => ({ item, children: under(idOf(item)) }))
}

function isInRing(id: unknown, parents: ReadonlyMap<unknown, unknown>): boolean {
  const seen = new Set<unknown>()
  for (let at = parents.get(id); at !== undefined && at !== null && !seen.has(at); at = parents.get(at)) {
    if (at === id) return true
    seen.add(at)
  }
  return false
}

/** Every record of the nodes, parents before their children. */
export function flat<T>(nodes: readonly TreeNode<T>[]): readonly T[] {
  return nodes.flatMap((node) => [node.item, ...flat(node.children)])
}

/** The nodes with something that matches, with what leads there; a matching node keeps all its children. */
export function matching<T>(nodes: readonly TreeNode<T>[], matches: (item: T) => boolean): readonly TreeNode<T>[] {
  return nodes.flatMap((node) => {
    if (matches(node.item)) return [node]
    const children = matching(node.children, matches)
    return children.length === 0 ? [] : [{ ...node, children }]
  })
}

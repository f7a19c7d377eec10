import type { FlowNode } from '#api/data.ts'

/** A document in the picture: column along the way from order to money, row across it; both from 0. */
export interface PlacedNode {
  readonly node: FlowNode
  readonly column: number
  readonly row: number
}

interface FlowEdge {
  readonly from: PlacedNode
  readonly to: PlacedNode
}

export interface FlowPicture {
  readonly columns: number
  readonly rows: number
  readonly placed: readonly PlacedNode[]
  readonly edges: readonly FlowEdge[]
}

/**
 * Puts documents into columns by their level and into rows beside what they came from, so that lines cross little. A line is drawn to the nearest documents
 * only: where an order leads to a delivery over a plan, there is no second line past the plan.
 */
export function flowPicture(nodes: readonly FlowNode[]): FlowPicture {
  const levels = [...new Set(nodes.map((node) => node.Level))].toSorted((a, b) => a - b)
  const byKey = new Map<string, PlacedNode>()
  for (const [column, level] of levels.entries()) {
    const here = nodes
      .filter((node) => node.Level === level)
      .map((node, i) => ({ node, i, wish: middle(node.Parents.flatMap((key) => byKey.get(key)?.row ?? [])) }))
      .toSorted((a, b) => (a.wish ?? Infinity) - (b.wish ?? Infinity) || a.i - b.i)
    let free = 0
    for (const { node, wish } of here) {
      const row = Math.max(free, Math.floor(wish ?? free))
      byKey.set(node.Key, { node, column, row })
      free = row + 1
    }
  }
  const parents = new Map(nodes.map((node) => [node.Key, node.Parents.filter((key) => byKey.has(key))]))
  const edges = nodes.flatMap((node) => {
    const to = byKey.get(node.Key)
    const direct = parents.get(node.Key) ?? []
    return direct
      .filter((key) => !direct.some((other) => other !== key && leadsTo(key, other, parents, new Set())))
      .flatMap((key) => {
        const from = byKey.get(key)
        return from === undefined || to === undefined ? [] : [{ from, to }]
      })
  })
  const placed = nodes.flatMap((node) => byKey.get(node.Key) ?? [])
  return { columns: levels.length, rows: Math.max(0, ...placed.map(({ row }) => row + 1)), placed, edges }
}

/** The document next to one in a direction of the picture: along the way the nearest it is joined to, across it the next in the column. */
export function neighbourIn(picture: FlowPicture, key: string, step: { readonly column: -1 | 0 | 1; readonly row: -1 | 0 | 1 }): PlacedNode | undefined {
  const here = picture.placed.find(({ node }) => node.Key === key)
  if (here === undefined) return undefined
  const nearest = (candidates: readonly PlacedNode[]) => candidates.toSorted((a, b) => Math.abs(a.row - here.row) - Math.abs(b.row - here.row) || a.row - b.row)[0]
  if (step.column !== 0) {
    const joined = picture.edges.flatMap(({ from, to }) => (step.column > 0 && from === here ? [to] : step.column < 0 && to === here ? [from] : []))
    return nearest(joined) ?? nearest(picture.placed.filter(({ column }) => column === here.column + step.column))
  }
  return picture.placed
    .filter(({ column, row }) => column === here.column && (row - here.row) * step.row > 0)
    .toSorted((a, b) => Math.abs(a.row - here.row) - Math.abs(b.row - here.row))[0]
}

function middle(rows: readonly number[]): number | undefined {
  return rows.length === 0 ? undefined : rows.reduce((sum, row) => sum + row, 0) / rows.length
}

/** Is `ancestor` before `key` on the way to it? */
function leadsTo(ancestor: string, key: string, parents: ReadonlyMap<string, readonly string[]>, seen: Set<string>): boolean {
  if (seen.has(key)) return false
  seen.add(key)
  return (parents.get(key) ?? []).some((parent) => parent === ancestor || leadsTo(ancestor, parent, parents, seen))
}

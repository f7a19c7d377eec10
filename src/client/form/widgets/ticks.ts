import { flat, type TreeNode } from './tree.ts'

/** One record to tick. */
export interface TickItem {
  readonly id: number
  /** What stands for it in what is saved. */
  readonly key: string | number
  readonly code: string
  readonly text: string
  readonly group: string
  readonly parent: unknown
}

/** Records by group, groups by name, records in the order given. */
export function groupsOf(items: readonly TickItem[]): readonly { readonly group: string; readonly items: readonly TickItem[] }[] {
  const groups = new Map<string, TickItem[]>()
  for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item])
  return [...groups].map(([group, members]) => ({ group, items: members })).sort((a, b) => (a.group < b.group ? -1 : 1))
}

/** What most groups have stands in the same column of all of them, most frequent first. */
export function columnsOf(items: readonly TickItem[]): readonly string[] {
  const groups = new Set(items.map(({ group }) => group))
  const counts = new Map<string, number>()
  for (const { text } of items) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].filter(([, n]) => n * 3 >= groups.size).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([text]) => text)
}

/** The records of a group in those columns, then the rest; undefined: it has none for that column. */
export function inColumns(items: readonly TickItem[], columns: readonly string[]): readonly (TickItem | undefined)[] {
  const placed = columns.map((column) => items.find(({ text }) => text === column))
  const rest = items.filter(({ text }) => !columns.includes(text))
  const last = placed.findLastIndex((item) => item !== undefined)
  return [...(rest.length === 0 ? placed.slice(0, last + 1) : placed), ...rest]
}

/** Is anything under `node` ticked once `changed` has become `on`? */
export function isAnyBelowOn(node: TreeNode<TickItem>, changed: ReadonlySet<string | number>, on: boolean, held: ReadonlySet<string | number>): boolean {
  return flat(node.children).some(({ key }) => (changed.has(key) ? on : held.has(key)))
}

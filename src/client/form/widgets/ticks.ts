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

/** Is anything under `node` ticked once `changed` has become `on`? */
export function isAnyBelowOn(node: TreeNode<TickItem>, changed: ReadonlySet<string | number>, on: boolean, held: ReadonlySet<string | number>): boolean {
  return flat(node.children).some(({ key }) => (changed.has(key) ? on : held.has(key)))
}

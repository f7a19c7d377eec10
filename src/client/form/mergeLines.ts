import { typedKey } from '../grid/lineStore.ts'
import { isNothing, same } from './same.ts'
import type { LineColumn } from '#meta/resolved.ts'
import type { Values } from './formModel.ts'

/**
 * Entered lines of two people put together: each line is theirs unless it was changed here, lines added on either side are there, lines removed on
 * either side are gone. A line is one thing: its price goes with its item. Undefined: both changed the same line, or one removed what the other changed.
 */
export function mergeLines(columns: readonly LineColumn[], base: readonly Values[], mine: readonly Values[], theirs: readonly Values[]): readonly Values[] | undefined {
  const entered = columns.filter((column) => column.entry)
  const isOther = (one: Values, other: Values) => one[typedKey] !== undefined || entered.some(({ wire }) => !same(one[wire], other[wire]))
  const [was, now] = [byId(base), byId(theirs)]
  const kept = new Set(mine.map((line) => line['ID']))
  for (const [id, before] of was) {
    const other = now.get(id)
    if (!kept.has(id) && other !== undefined && isOther(other, before)) return undefined
  }
  const merged: Values[] = []
  for (const line of mine) {
    const before = was.get(line['ID'])
    const other = now.get(line['ID'])
    const isMine = before === undefined || isOther(line, before)
    if (isMine && before !== undefined && (other === undefined || (isOther(other, before) && isOther(line, other)))) return undefined
    if (isMine) merged.push(line)
    else if (other !== undefined) merged.push(other)
  }
  return [...merged, ...theirs.filter((line) => !was.has(line['ID']) && !kept.has(line['ID']))]
}

function byId(lines: readonly Values[]): ReadonlyMap<unknown, Values> {
  return new Map(lines.flatMap((line) => (isNothing(line['ID']) ? [] : [[line['ID'], line] as const])))
}

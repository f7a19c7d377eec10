import { grainRange } from '#meta/day.ts'
import type { FlatTest, GroupDimension } from '#meta/resolved.ts'

/** The filter that leaves exactly one group. */
export function groupTest({ name, grain }: Pick<GroupDimension, 'name' | 'grain'>, key: string | number | boolean | null): FlatTest {
  if (key === null) return { field: name, op: 'empty', value: true }
  if (grain === undefined) return { field: name, op: 'eq', value: key }
  const { from, to } = grainRange(grain, String(key))
  return { field: name, op: 'between', value: [from, to] }
}

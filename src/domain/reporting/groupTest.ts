import { addMonths, endOfMonth } from '#base/date.ts'
import { grainRange } from '#meta/day.ts'
import type { FlatTest, GroupDimension } from '#meta/resolved.ts'

/** The filter that leaves exactly one group; of days, the group so many months earlier. */
export function groupTest({ name, grain }: Pick<GroupDimension, 'name' | 'grain'>, key: string | number | boolean | null, back = 0): FlatTest {
  if (key === null) return { field: name, op: 'empty', value: true }
  if (grain === undefined) return { field: name, op: 'eq', value: key }
  const { from, to } = grainRange(grain, String(key))
  if (back === 0) return { field: name, op: 'between', value: [from, to] }
  const last = to === endOfMonth(to) ? endOfMonth(addMonths(`${to.slice(0, 7)}-01`, -back)) : addMonths(to, -back)
  return { field: name, op: 'between', value: [addMonths(from, -back), last] }
}

/** The filter that leaves the rows of one currency, where a table of groups has several of them (a total each). */
export function currencyTest({ totals }: { readonly totals: readonly unknown[] }, currency: string | null): readonly FlatTest[] {
  return totals.length > 1 && currency !== null ? [groupTest({ name: 'currency' }, currency)] : []
}

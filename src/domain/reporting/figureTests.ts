import type { FlatTest, GroupDimension } from '#meta/resolved.ts'
import { currencyTest, groupTest } from './groupTest.ts'

type GroupKey = string | number | boolean | null
type Group = Pick<GroupDimension, 'name' | 'grain'>

/** How an answer is grouped, and what it says of what stands across and of its totals. */
export interface FigureGroups {
  readonly rows: readonly Group[]
  readonly across?: Group | undefined
  readonly answer: { readonly across: readonly GroupKey[]; readonly totals: readonly unknown[] }
}

/** One figure of an answer. */
export interface Pointed {
  readonly row: { readonly keys: readonly GroupKey[]; readonly currency: string | null }
  /** Its place among what stands across; undefined: all of it. */
  readonly at?: number | undefined
  /** It stands for this measure of all rows together: for those that have some of it. */
  readonly measure?: string | undefined
  /** It is of so many months before. */
  readonly back?: number
}

/** The filters that leave the rows a figure stands for: a cell of a summary, or a mark of a chart on its report's page or on a dashboard. */
export function figureTests({ rows, across, answer }: FigureGroups, { row: { keys, currency }, at, measure, back = 0 }: Pointed): readonly FlatTest[] {
  return [
    ...keys.flatMap((key, i) => (rows[i] === undefined ? [] : groupTest(rows[i], key, back))),
    ...(at === undefined || across === undefined ? [] : [groupTest(across, answer.across[at] ?? null, back)]),
    ...(measure === undefined ? [] : [{ field: measure, op: 'ne', value: '0' } as const]),
    ...currencyTest(answer, currency),
  ]
}

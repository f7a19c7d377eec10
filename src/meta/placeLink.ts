import type { Drawn, FlatTest, Sort } from '#meta/resolved.ts'
import type { Comparison } from '#meta/day.ts'

/** As delivered: whoever follows a figure sees what it counts, whatever view he opens the screen with otherwise. */
export const standardView = ['view', 'standard'] as const

/** Filters as they stand in a query: `f.<field>=<operator>:<value as JSON>`. */
export function filterEntries(tests: readonly FlatTest[]): readonly (readonly [key: string, value: string])[] {
  return tests.map(({ field, op, value }) => [`f.${field}`, `${op}:${JSON.stringify(value)}`])
}

export function sortText(sort: readonly Sort[]): string {
  return sort.map(({ field, dir }) => (dir === 'desc' ? `-${field}` : field)).join(',')
}

/** How a report's rows are grouped, as it stands in a query; undefined members: as the report opens. */
export interface LayoutQuery {
  /** Keys of dimensions, outer first; empty: single rows. */
  readonly rows?: readonly string[]
  /** Empty: nothing across. */
  readonly across?: string
  /** Empty: no comparison. */
  readonly compare?: Comparison | ''
  readonly show?: 'table' | 'chart' | 'both'
  /** Empty: as charts of such groups usually are. */
  readonly draw?: Drawn | ''
}

/** Keys of a report's address beside those of its filters and its parameters. */
export const layoutKeys = ['by', 'across', 'compare', 'show', 'draw'] as const

/** `by` groups (`none`: single rows), `across`, `compare`, `show` chart, table or both, `draw` what kind of chart. */
export function layoutEntries({ rows, across, compare, show, draw }: LayoutQuery): readonly (readonly [key: string, value: string])[] {
  return [
    ...(rows === undefined ? [] : [['by', rows.length === 0 ? 'none' : rows.join(',')] as const]),
    ...(across === undefined ? [] : [['across', across === '' ? 'none' : across] as const]),
    ...(compare === undefined ? [] : [['compare', compare === '' ? 'none' : compare] as const]),
    ...(show === undefined ? [] : [['show', show] as const]),
    ...(draw === undefined ? [] : [['draw', draw === '' ? 'none' : draw] as const]),
  ]
}

/** `/report/ar-aging?by=customer_code`; without a question mark when there is nothing to say. */
export function withQuery(path: string, entries: readonly (readonly [key: string, value: string])[]): string {
  return entries.length === 0 ? path : `${path}?${entries.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')}`
}

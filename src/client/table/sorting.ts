import type { Sort } from '#meta/resolved.ts'

/**
 * The order after a click on a heading. Alone: by this column, a second time the other way round. Adding: behind what there is, then the
 * other way round, then out again.
 */
export function nextSort(sort: readonly Sort[], field: string, isAdding: boolean): readonly Sort[] {
  const at = sort.findIndex((entry) => entry.field === field)
  const dir = sort[at]?.dir
  if (!isAdding) return [{ field, dir: dir === 'asc' && (sort.length === 1 || at === 0) ? 'desc' : 'asc' }]
  if (dir === undefined) return [...sort.filter((entry) => entry.field !== 'id'), { field, dir: 'asc' }]
  return dir === 'asc' ? sort.with(at, { field, dir: 'desc' }) : sort.filter((entry) => entry.field !== field)
}

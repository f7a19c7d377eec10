import type { ListScreen } from '#meta/resolved.ts'
import { labelOf } from '../data/around.ts'
import { valueText, type AnyRecord } from './cells.tsx'

/** What a row is called: its code, or what its entity is shown by: the period and module of an accounting period. */
export function rowName({ named, columns }: Pick<ListScreen, 'named' | 'columns'>, row: AnyRecord): string {
  return named === undefined ? labelOf(row) : columns.flatMap((column) => (named.includes(column.wire) ? valueText(column, row) : [])).join(' ')
}

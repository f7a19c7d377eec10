import { columnOf } from '#base/wireName.ts'
import type { Condition } from '#meta/condition.ts'
import type { Column, ListScreen, Sort } from '#meta/resolved.ts'
import type { ListQuery } from './data.ts'
import type { ListState } from './listState.ts'
import { viewCondition, viewSort } from './viewQuery.ts'

export interface ListQuestion {
  readonly screen: ListScreen
  readonly state: ListState
  /** Columns shown. */
  readonly columns: readonly Column[]
  readonly params: Readonly<Record<string, string>>
  /** Rows a page where the state does not say. */
  readonly preferredLength: number
}

/** Rows the server hands out at once; a longer page is fetched in blocks. */
export const blockLength = 1000

export function sortOf({ screen, state }: Pick<ListQuestion, 'screen' | 'state'>): readonly Sort[] {
  return viewSort(screen, state)
}

/** Everything that narrows the list beside the search. */
export function conditionOf(screen: ListScreen, state: ListState, params: Readonly<Record<string, string>>): Condition | undefined {
  return viewCondition(screen, state, params)
}

/** Columns that are added up. */
export function totalsOf(columns: readonly Column[]): readonly string[] {
  return columns.filter((column) => column.total === 'sum').map((column) => column.name)
}

/** What the server is asked for a list as it stands: a page, or the first block of a long one. */
export function listQuery(question: ListQuestion): ListQuery {
  const { screen, state, columns, params, preferredLength } = question
  const condition = conditionOf(screen, state, params)
  const totals = totalsOf(columns)
  // Groups bring their own rows; of the list itself only count and sums are asked.
  const isGrouped = state.group !== undefined && state.group.length > 0
  const length = isGrouped ? 1 : (state.length ?? preferredLength)
  // Whoever wants all rows sees the first ones at once and the rest right after.
  const isLong = length > blockLength
  return {
    length: isLong ? blockLength : length,
    page: isLong ? 1 + (state.page - 1) * Math.ceil(length / blockLength) : isGrouped ? 1 : state.page,
    ...orderOf(question),
    columns: wantedColumns(screen, columns, state.group).join(','),
    ...(state.search === '' ? {} : { search: state.search }),
    ...(condition === undefined ? {} : { filter: JSON.stringify(condition) }),
    ...(totals.length === 0 ? {} : { totals: totals.join(',') }),
  }
}

function orderOf(question: ListQuestion): { readonly order: string; readonly sort: string } {
  const sort = sortOf(question)
  return { order: sort.map(({ field }) => field).join(','), sort: sort.map(({ dir }) => dir).join(',') }
}

/** What is shown, what the rows are grouped by, what row colours and actions test, what restricts the choices of their dialogs, and what paths are filled with. */
export function wantedColumns(screen: ListScreen, columns: readonly Column[], group: ListState['group'] = []): readonly string[] {
  const wanted = new Set([...columns.map((column) => column.name), ...group.map(({ field }) => field)])
  const conditions = [...screen.emphasis.map(({ when }) => when), ...screen.actions.map(({ when }) => when).filter((when) => when !== undefined)]
  for (const condition of conditions) for (const name of namesIn(condition)) wanted.add(name)
  for (const { reads = [] } of screen.actions) for (const name of reads) wanted.add(name)
  const templates = [screen.open, ...columns.map((column) => column.link), ...screen.actions.map(({ does }) => (does.kind === 'goto' ? does.path : undefined))].flat()
  for (const template of templates) for (const [, key = ''] of template?.matchAll(/\{(?!IDs\})(\w+)\}/g) ?? []) wanted.add(columnOf(key))
  // An amount says its currency where it is not the house's own.
  if (screen.currency !== undefined && columns.some((column) => column.type === 'money')) wanted.add(screen.currency)
  // The id always comes.
  wanted.delete('id')
  return [...wanted]
}

/** Field names a condition tests. */
function namesIn(condition: Condition): readonly string[] {
  if ('all' in condition && Array.isArray(condition.all)) return condition.all.flatMap((part: Condition) => namesIn(part))
  if ('any' in condition && Array.isArray(condition.any)) return condition.any.flatMap((part: Condition) => namesIn(part))
  return 'not' in condition ? namesIn(condition.not as Condition) : Object.keys(condition)
}

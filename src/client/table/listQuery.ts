import type { ListQuery } from '#api/data.ts'
import type { Condition } from '#meta/condition.ts'
import type { Column, ListScreen, Sort } from '#meta/resolved.ts'
import { columnOf } from '../data/around.ts'
import { conditionOf, type ListState } from './listState.ts'

export interface ListQuestion {
  readonly screen: ListScreen
  readonly state: ListState
  /** Columns shown. */
  readonly columns: readonly Column[]
  readonly params: Readonly<Record<string, string>>
  /** Rows a page where the state does not say. */
  readonly preferredLength: number
}

/** Columns shown: the user's own choice over what the screen file says. */
export function visibleColumns(screen: ListScreen, choice: Readonly<Record<string, boolean>> | undefined): readonly Column[] {
  return screen.columns.filter((column) => choice?.[column.name] ?? !column.hidden)
}

export function sortOf({ screen, state }: Pick<ListQuestion, 'screen' | 'state'>): readonly Sort[] {
  return state.sort ?? screen.sort
}

/** What the server is asked for a list as it stands. */
export function listQuery(question: ListQuestion): ListQuery {
  const { screen, state, columns, params, preferredLength } = question
  const condition = conditionOf(screen, state, params)
  const totals = columns.filter((column) => column.total === 'sum').map((column) => column.name)
  const sort = sortOf(question)
  return {
    length: state.length ?? preferredLength,
    page: state.page,
    order: sort.map(({ field }) => field).join(','),
    sort: sort.map(({ dir }) => dir).join(','),
    columns: wantedColumns(screen, columns).join(','),
    ...(state.search === '' ? {} : { search: state.search }),
    ...(condition === undefined ? {} : { filter: JSON.stringify(condition) }),
    ...(totals.length === 0 ? {} : { totals: totals.join(',') }),
  }
}

/** What is shown, what row colours and actions test, and what paths are filled with. */
function wantedColumns(screen: ListScreen, columns: readonly Column[]): readonly string[] {
  const wanted = new Set(columns.map((column) => column.name))
  const conditions = [...screen.emphasis.map(({ when }) => when), ...screen.actions.map(({ when }) => when).filter((when) => when !== undefined)]
  for (const condition of conditions) for (const name of namesIn(condition)) wanted.add(name)
  const templates = [screen.open, ...columns.map((column) => column.link), ...screen.actions.map(({ does }) => (does.kind === 'goto' ? does.path : undefined))]
  for (const template of templates) for (const [, key = ''] of template?.matchAll(/\{(\w+)\}/g) ?? []) wanted.add(columnOf(key))
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

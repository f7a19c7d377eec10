import type { WireRecord } from '#api/envelope.ts'
import type { ListQuery } from '#api/data.ts'
import type { Grouping } from '#api/view.ts'
import type { Field, Sort } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { groupQuery } from './useGroups.ts'
import { refuseTooMany, mostSelected, selectMatching } from './selectMatching.ts'

interface Gathering {
  readonly resource: string
  /** What the list was asked for. */
  readonly query: ListQuery
  readonly groupings: readonly Grouping[]
  readonly fields: readonly Field[]
  readonly sort: readonly Sort[]
}

/** So many ids stand in one test. */
const mostIds = 2_000

/** Rows picked on several pages, to be copied as the list shows them now: in its order, with the columns it has by now. Undefined: refused, and it has been said. */
export async function gatherRows(list: Gathering, picked: readonly WireRecord[], onStale: () => void): Promise<readonly WireRecord[] | undefined> {
  if (picked.length > mostSelected) {
    refuseTooMany(picked.length, t('ui.copy.refused'))
    return undefined
  }
  const ids = picked.map(({ ID }) => ID)
  const parts = Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, i) => ({ id: { in: ids.slice(i * mostIds, (i + 1) * mostIds) } }))
  const { search: _search, ...query } = list.query
  return selectMatching({ resource: list.resource, query: { ...query, ...inGroups(list) }, filter: { any: parts }, count: ids.length, refused: t('ui.copy.refused') }, onStale)
}

/** Rows in groups stand by their groups first. */
export function inGroups({ query, groupings, fields, sort }: Omit<Gathering, 'resource'>): Pick<ListQuery, 'order' | 'sort'> {
  if (groupings.length === 0) return {}
  const sorts = [...groupings.map((grouping) => ({ field: grouping.field, dir: groupQuery({ query, groupings, fields, sort }, grouping, [], 1).sort ?? 'asc' })), ...sort]
  const once = sorts.filter(({ field }, i) => sorts.findIndex((one) => one.field === field) === i)
  return { order: once.map(({ field }) => field).join(','), sort: once.map(({ dir }) => dir).join(',') }
}

import type { ListQuery, SelectionBody } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Condition } from '#meta/condition.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { selectRecords } from '../data/records.ts'

/** At most so many rows are taken up at once. */
export const mostSelected = 10_000

interface Matching {
  readonly resource: string
  /** What the list was asked for. */
  readonly query: ListQuery
  /** Absent: the list's own. */
  readonly filter?: Condition | undefined
  /** The number of rows the user saw. */
  readonly count: number
  /** How a refusal is headed: rows are asked for to be selected, unless they are to be copied. */
  readonly refused?: string
}

/** Every row of the list or a part of it. Undefined: refused, and it has been said; `onStale` is told where the list has changed meanwhile. */
export async function selectMatching({ resource, query, filter, count, refused }: Matching, onStale: () => void): Promise<readonly WireRecord[] | undefined> {
  const narrowed = filter === undefined ? questionOf(query) : { ...questionOf(query), filter }
  const answer = await selectRecords(resource, { ...narrowed, count })
  if (answer.ok) return answer.value.rows
  refuse(answer.problem.code === 'SELECTION_CHANGED' ? t('problem.SELECTION_CHANGED') : answer.problem.text, refused)
  if (answer.problem.code === 'SELECTION_CHANGED') onStale()
  return undefined
}

export function refuseTooMany(count: number, refused?: string): void {
  refuse(t('ui.select.too-many', { n: formatNumber(count), most: formatNumber(mostSelected) }), refused)
}

function refuse(text: string, title = t('ui.select.refused')): void {
  void notify({ tone: 'error', title, text, lasts: 6000 })
}

/** The question of the list as the server is asked for all of its rows. */
function questionOf({ search, filter, columns, order, sort }: ListQuery): Omit<SelectionBody, 'count'> {
  return {
    ...(search === undefined ? {} : { search }),
    ...(filter === undefined ? {} : { filter: JSON.parse(filter) }),
    ...(columns === undefined ? {} : { columns }),
    ...(order === undefined ? {} : { order }),
    ...(sort === undefined ? {} : { sort }),
  }
}

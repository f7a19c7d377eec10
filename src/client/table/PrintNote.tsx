import { useState } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { ListState } from '#api/listState.ts'
import type { ListScreen } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import css from './PrintNote.module.css'
import type { List } from './useList.ts'

interface PrintNoteProps {
  readonly screen: ListScreen
  readonly state: ListState
  readonly list: Pick<List, 'rows' | 'sort' | 'total'>
  /** All groups stand on the paper. */
  readonly isGrouped: boolean
  /** Rows that stand on the paper in the place of those shown. */
  readonly paper: readonly WireRecord[] | undefined
}

/** What stands on the paper beside the rows: how many there are, what was searched, the order, when it was printed. The chips say the filters. */
export function PrintNote({ screen, state, list, isGrouped, paper }: PrintNoteProps) {
  const { sort, total } = list
  const printed = isGrouped ? total : (paper ?? list.rows.filter((row) => row !== undefined)).length
  const [printedAt] = useState(() => new Date().toISOString())
  const order = sort.flatMap(({ field, dir }) => {
    const column = screen.columns.find(({ name }) => name === field)
    return column === undefined ? [] : t(`ui.say.${dir}`, { column: t(column.label) })
  })
  const parts = [
    t('ui.say.found', { n: formatNumber(total) }),
    ...(printed < total ? [t(paper !== undefined ? 'ui.print.first' : 'ui.print.part', { n: formatNumber(printed), total: formatNumber(total) })] : []),
    ...(state.search === '' ? [] : [`${t('ui.search')}: ${state.search}`]),
    ...(order.length === 0 ? [] : [t('ui.say.sorted', { columns: order.join(', ') })]),
    saidTime(printedAt),
  ]
  return <p className={css['note']}>{parts.join(' · ')}</p>
}

import { useState } from 'react'
import type { ListState } from '#api/listState.ts'
import type { ListScreen, Sort } from '#meta/resolved.ts'
import { formatNumber, formatTime } from '../app/format.ts'
import { t } from '../app/messages.ts'
import css from './PrintNote.module.css'

interface PrintNoteProps {
  readonly screen: ListScreen
  readonly state: ListState
  readonly sort: readonly Sort[]
  readonly total: number
  /** Rows that stand on the paper. */
  readonly printed: number
  /** They begin with the first of the list, and are as many as are printed at once. */
  readonly isCut: boolean
}

/** What stands on the paper beside the rows: how many there are, what was searched, the order, when it was printed. The chips say the filters. */
export function PrintNote({ screen, state, sort, total, printed, isCut }: PrintNoteProps) {
  const [printedAt] = useState(() => new Date().toISOString())
  const order = sort.flatMap(({ field, dir }) => {
    const column = screen.columns.find(({ name }) => name === field)
    return column === undefined ? [] : t(`ui.say.${dir}`, { column: t(column.label) })
  })
  const parts = [
    t('ui.say.found', { n: formatNumber(total) }),
    ...(printed < total ? [t(isCut ? 'ui.print.first' : 'ui.print.part', { n: formatNumber(printed), total: formatNumber(total) })] : []),
    ...(state.search === '' ? [] : [`${t('ui.search')}: ${state.search}`]),
    ...(order.length === 0 ? [] : [t('ui.say.sorted', { columns: order.join(', ') })]),
    formatTime(printedAt),
  ]
  return <p className={css['note']}>{parts.join(' · ')}</p>
}

import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import type { Column, Sort } from '#meta/resolved.ts'

interface AnnouncerProps {
  readonly columns: readonly Column[]
  readonly sort: readonly Sort[]
  readonly total: number
  readonly selected: number
  readonly isReady: boolean
}

/** Says aloud what the eye sees change: the order, how many rows there are, how many are selected. */
export function Announcer({ columns, sort, total, selected, isReady }: AnnouncerProps) {
  const [text, setText] = useState('')
  const before = useRef<{ readonly order: string; readonly total: number; readonly selected: number }>(undefined)
  const order = sort
    .flatMap(({ field, dir }) => {
      const column = columns.find(({ name }) => name === field)
      return column === undefined ? [] : t(`ui.say.${dir}`, { column: t(column.label) })
    })
    .join(', ')
  useEffect(() => {
    if (!isReady) return
    const last = before.current
    before.current = { order, total, selected }
    // What stands there when the list opens is read anyway.
    if (last === undefined) return
    if (last.selected !== selected) setText(t('ui.selected', { n: formatNumber(selected) }))
    else if (last.order !== order) setText(t('ui.say.sorted', { columns: order }))
    else if (last.total !== total) setText(t('ui.say.found', { n: formatNumber(total) }))
  }, [isReady, order, total, selected])
  return (
    <div className="visually-hidden" role="status">
      {text}
    </div>
  )
}

import { useState } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { ListQuery } from '#api/data.ts'
import type { ScreenAction } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { lookOf } from '../pages/lookOf.ts'
import { Button } from '../ui/Button.tsx'
import css from './BulkBar.module.css'
import { mostSelected, selectMatching } from './selectMatching.ts'

interface BulkBarProps {
  readonly resource: string
  readonly actions: readonly ScreenAction[]
  readonly selected: readonly WireRecord[]
  /** Rows of the whole filter. */
  readonly total: number
  /** What the list was asked for. */
  readonly query: ListQuery
  readonly isBusy: boolean
  readonly isOffered: (action: ScreenAction, row: WireRecord) => boolean
  readonly onRun: (action: ScreenAction, rows: readonly WireRecord[]) => void
  readonly onTake: (rows: readonly WireRecord[]) => void
  readonly onClear: () => void
  /** The list has changed meanwhile: it is shown anew. */
  readonly onStale: () => void
}

/** How many rows are selected, the way to all of them, and what can be done with those. */
export function BulkBar({ resource, actions, selected, total, query, isBusy, isOffered, onRun, onTake, onClear, onStale }: BulkBarProps) {
  const [isTaking, setTaking] = useState(false)
  const takeAll = async () => {
    setTaking(true)
    const rows = await selectMatching({ resource, query, count: total }, onStale)
    setTaking(false)
    if (rows !== undefined) onTake(rows)
  }
  return (
    <div className={css['bar']} role="toolbar" aria-label={t('ui.actions')}>
      <strong>{t('ui.selected', { n: formatNumber(selected.length) })}</strong>
      {actions.map((action) => {
        const fitting = selected.filter((row) => isOffered(action, row))
        return fitting.length === 0 ? null : (
          <Button
            key={action.id}
            look={lookOf(action.tone)}
            busy={isBusy}
            title={fitting.length < selected.length ? t('ui.action.fits', { n: formatNumber(fitting.length), all: formatNumber(selected.length) }) : undefined}
            onClick={() => onRun(action, fitting)}
          >
            {t(action.label)}
            {fitting.length < selected.length && ` (${formatNumber(fitting.length)})`}
          </Button>
        )
      })}
      {selected.length < total && total <= mostSelected && (
        <Button look="plain" busy={isTaking} onClick={() => void takeAll()}>
          {t('ui.select.all-matching', { n: formatNumber(total) })}
        </Button>
      )}
      {selected.length < total && total > mostSelected && <span className={css['note']}>{t('ui.select.too-many', { n: formatNumber(total), most: formatNumber(mostSelected) })}</span>}
      <Button look="plain" onClick={onClear}>
        {t('ui.clear-selection')}
      </Button>
    </div>
  )
}

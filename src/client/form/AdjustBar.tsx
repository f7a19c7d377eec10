import { useId, useState, useSyncExternalStore } from 'react'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import type { LineAdjustment } from '#meta/resolved.ts'
import type { LineStore } from '../grid/lineStore.ts'
import { Button } from '../ui/Button.tsx'
import css from './AdjustBar.module.css'
import { adjusted, percentOf, pointsOf } from './adjust.ts'
import { holds } from './conditions.ts'
import { useFormShared } from './FormContext.ts'

const units = ['0.01', '1', '10', '50', '100', '500', '1000'] as const

/** Percentages of discounts have two places. */
const pointUnit = '0.01'

/** Raises or lowers a column of many lines by a percentage or by points: of the rows selected, or of all of them. One step to undo. */
export function AdjustBar({ store, adjust }: { readonly store: LineStore; readonly adjust: LineAdjustment }) {
  const { session } = useFormShared()
  const id = useId()
  const [text, setText] = useState('')
  const [unit, setUnit] = useState<string>('1')
  const [done, setDone] = useState('')
  const range = useSyncExternalStore(store.onCursor, () => `${store.range.top} ${store.range.bottom}`)
  const [top = 0, bottom = 0] = range.split(' ').map(Number)
  const isSome = bottom > top
  const isPercent = adjust.by === 'percent'
  const by = isPercent ? percentOf(text) : pointsOf(text)
  const isWrong = text.trim() !== '' && by === undefined
  const apply = () => {
    if (by === undefined) return
    const only = isSome ? new Set(store.rows.slice(top, bottom + 1).map((row) => row.key)) : undefined
    const { when } = adjust
    const { rows, count } = adjusted(store.rows, adjust, {
      by, unit: isPercent ? unit : pointUnit,
      isMeant: (row) => (only === undefined || only.has(row.key)) && (when === undefined || holds(when, row.values, session.store.around)),
    })
    store.edit(rows)
    setDone(t('ui.adjust.done', { count }))
  }
  const label = t(isPercent ? 'ui.adjust' : 'ui.adjust.points')
  return (
    <div className={css['bar']} role="group" aria-label={label}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={css['percent']}
        inputMode="decimal"
        value={text}
        placeholder={isPercent ? '5' : '0.5'}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        onChange={(event) => {
          setText(event.target.value)
          setDone('')
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          apply()
        }}
      />
      {isPercent && (
        <>
          <span aria-hidden="true">%</span>
          <label htmlFor={`${id}-unit`}>{t('ui.adjust.unit')}</label>
          <select id={`${id}-unit`} value={unit} onChange={(event) => setUnit(event.target.value)}>
            {units.map((one) => (
              <option key={one} value={one}>
                {formatNumber(one)}
              </option>
            ))}
          </select>
        </>
      )}
      <Button disabled={by === undefined} onClick={apply}>
        {isSome ? t('ui.adjust.some', { count: bottom - top + 1 }) : t('ui.adjust.all')}
      </Button>
      <span className={isWrong ? css['wrong'] : css['done']} id={`${id}-wrong`} role="status">
        {isWrong ? t(isPercent ? 'ui.adjust.wrong' : 'ui.adjust.wrong-points') : done}
      </span>
    </div>
  )
}

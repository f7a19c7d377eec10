import { useCallback, useSyncExternalStore } from 'react'
import { exact, isZero, type Decimal } from '#base/decimal.ts'
import type { FormLines } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { totalsOf } from '../grid/gridModel.ts'
import type { LineStore } from '../grid/lineStore.ts'
import { Badge } from '../ui/Badge.tsx'
import { groupedNumber, shownPlaces } from './entry.ts'
import css from './FormHost.module.css'
import type { FormStore } from './formStore.ts'

interface LineSumsProps {
  readonly adds: NonNullable<FormLines['adds']>
  readonly lines: LineStore
  readonly store: FormStore
}

/** What the lines come to beside what they must come to, as it is typed: what is still missing is seen before saving refuses it. */
export function LineSums({ adds, lines, store }: LineSumsProps) {
  const listen = useCallback(
    (listener: () => void) => {
      const stops = [lines.onChange(listener), lines.onDecorate(listener), store.onChange(listener), store.onLoad(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    [lines, store],
  )
  const wanted = (to: string): Decimal => {
    const value = /^\d/.test(to) ? to : store.values[to]
    return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? value : '0'
  }
  const shown = useSyncExternalStore(listen, () => {
    const totals = totalsOf(lines.rows, lines.columns)
    return adds.map(({ wire, to }) => `${totals[wire] ?? '0'} ${wanted(to)}`).join('\n')
  })
  return (
    <div role="status">
      <ul className={css['sums']}>
        {shown.split('\n').map((line, i) => {
          const [sum = '0', expected = '0'] = line.split(' ')
          const column = lines.columns.find(({ wire }) => wire === adds[i]?.wire)
          if (column === undefined) return null
          const missing = exact(expected).minus(exact(sum)).toFixed()
          const say = (value: string): string => groupedNumber(value, shownPlaces(column.type))
          return (
            <li key={column.wire}>
              {t('ui.sums.of', { field: t(column.label), sum: say(sum), expected: say(expected) })}{' '}
              <Badge tone={isZero(missing) ? 'positive' : 'negative'}>{isZero(missing) ? t('ui.sums.agree') : t('ui.sums.difference', { difference: say(missing) })}</Badge>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

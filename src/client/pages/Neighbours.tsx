import { useEffect } from 'react'
import { formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { readAround } from '../data/records.ts'
import { markSeen, trailOf } from '../data/trail.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { IconButton } from '../ui/Button.tsx'
import { useKeys } from '../ui/useKeys.ts'
import css from './Neighbours.module.css'

interface NeighboursProps {
  readonly resource: string
  readonly id: number
  readonly onStep: (id: number) => void
  /** Changes when the record has been changed: the list may be another one now. */
  readonly round: number
}

/** Previous and next record of the list one came from, as that list was filtered and sorted, over its pages. J and K do the same. */
export function Neighbours({ resource, id, onStep, round }: NeighboursProps) {
  const trail = trailOf(resource)
  const { value } = useAnswer(`around ${resource} ${id} ${round} ${trail?.path ?? ''}`, (signal) => readAround(resource, id, trail?.query ?? {}, signal))
  const isIn = value?.Position != null
  useEffect(() => {
    if (isIn) markSeen(resource, id)
  }, [isIn, resource, id])
  const step = (to: number | null | undefined) => {
    if (to == null) return
    markSeen(resource, to)
    onStep(to)
  }
  useKeys({ j: () => step(value?.Next), k: () => step(value?.Previous) })
  if (trail === undefined || value === undefined || (!isIn && !trail.seen.includes(id))) return null
  return (
    <nav className={css['bar']} aria-label={t('ui.around')}>
      <IconButton icon="left" label={t('ui.around.previous')} disabled={value.Previous === null} onClick={() => step(value.Previous)} />
      <Link to={trail.path} className={css['place']} title={t('ui.around.list')}>
        {value.Position === null ? `– / ${formatNumber(value.Total)}` : `${formatNumber(value.Position)} / ${formatNumber(value.Total)}`}
      </Link>
      <IconButton icon="right" label={t('ui.around.next')} disabled={value.Next === null} onClick={() => step(value.Next)} />
    </nav>
  )
}

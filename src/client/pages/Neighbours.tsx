import { useEffect, useLayoutEffect, useRef } from 'react'
import { formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { readAround } from '../data/aboutRecord.ts'
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

/** Previous and next record of the list one came from, as that list was filtered and sorted, over its pages. J and K do the same, Alt with Page Up and Down also while typing. */
export function Neighbours({ resource, id, onStep, round }: NeighboursProps) {
  const trail = trailOf(resource)
  const { value, problem, reload } = useAnswer(`around ${resource} ${id} ${round} ${trail?.path ?? ''}`, (signal) => readAround(resource, id, trail?.query ?? {}, signal), { isAside: true })
  const isIn = value?.Position != null
  useEffect(() => {
    if (isIn) markSeen(resource, id)
  }, [isIn, resource, id])
  const step = (to: number | null | undefined) => {
    if (to == null) return
    markSeen(resource, to)
    onStep(to)
  }
  // Where no list is walked through, no key leads on.
  const around = trail === undefined || value === undefined || (!isIn && !trail.seen.includes(id)) ? undefined : value
  useKeys({ j: () => step(around?.Next), k: () => step(around?.Previous) })
  const latest = useRef<(by: 1 | -1) => void>(() => undefined)
  useLayoutEffect(() => {
    latest.current = (by) => step(by === 1 ? around?.Next : around?.Previous)
  })
  useLayoutEffect(() => {
    // While something is typed as well: J and K would be letters there.
    const onKey = (event: KeyboardEvent) => {
      if (!event.altKey || (event.key !== 'PageDown' && event.key !== 'PageUp') || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      latest.current(event.key === 'PageDown' ? 1 : -1)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  if (trail !== undefined && value === undefined && problem !== undefined) return <IconButton icon="refresh" label={t('ui.around.again')} onClick={reload} />
  if (trail === undefined || around === undefined) return null
  return (
    <nav className={css['bar']} data-keys="around" aria-label={t('ui.around')}>
      <IconButton icon="left" label={t('ui.around.previous')} disabled={around.Previous === null} onClick={() => step(around.Previous)} />
      <Link to={trail.path} className={css['place']} title={t('ui.around.list')}>
        {around.Position === null ? `– / ${formatNumber(around.Total)}` : `${formatNumber(around.Position)} / ${formatNumber(around.Total)}`}
      </Link>
      <IconButton icon="right" label={t('ui.around.next')} disabled={around.Next === null} onClick={() => step(around.Next)} />
    </nav>
  )
}

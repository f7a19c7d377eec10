import { useEffect, useRef, useState } from 'react'
import type { Obstacle } from '#api/problems.ts'
import type { ScreenAction } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { fillPath } from '../data/around.ts'
import { LeaveGuard } from '../form/LeaveGuard.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Obstacles } from '../app/Obstacles.tsx'
import css from './BulkNotice.module.css'
import type { RowOutcome } from './runAction.ts'

interface BulkNoticeProps {
  /** Where a row leads; filled with its id. */
  readonly open: string | undefined
  readonly running?: Running
  readonly told?: { readonly action: ScreenAction; readonly results: readonly RowOutcome[] }
  /** Takes up the rows an earlier stop has left. */
  readonly onGoOn: () => void
  readonly onClose: () => void
}

interface Running {
  readonly action: ScreenAction
  readonly done: number
  readonly total: number
  readonly stop: AbortController
}

/** So many lines are shown at first. */
const shownFirst = 100

/** An action on many rows: how far it is, with a way to stop; then what became of each, refusals first. The list stays where it is. */
export function BulkNotice({ open, running, told, onGoOn, onClose }: BulkNoticeProps) {
  const [isWhole, setWhole] = useState(false)
  const lines = useRef<HTMLDivElement>(null)
  // The button that began it is gone with the selection: keys go on where the results are read.
  useEffect(() => {
    if (told !== undefined && document.activeElement === document.body) lines.current?.focus({ preventScroll: true })
  }, [told])
  if (running !== undefined) return <RunningNotice {...running} />
  if (told === undefined) return null
  const left = told.results.filter((result) => result.left !== undefined).length
  const refused = told.results.filter((result) => !result.ok).length - left
  const sorted = told.results.toSorted((a, b) => placeOf(a) - placeOf(b))
  const made = told.results.flatMap((result) => result.made ?? [])
  const shown = isWhole ? sorted : sorted.slice(0, shownFirst)
  return (
    <section className={css['notice']} aria-label={t('ui.bulk.results', { action: t(told.action.label) })}>
      <div className={css['head']} role="status">
        <strong>
          {headOf(told.action, told.results.length, refused, left)}
        </strong>
        {left > 0 && (
          <Button onClick={onGoOn}>
            {t('ui.bulk.go-on')}
          </Button>
        )}
        <IconButton icon="close" label={t('ui.bulk.close')} onClick={onClose} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the lines scroll by keyboard too */}
      <div ref={lines} className={css['lines']} tabIndex={0} role="region" aria-label={t('ui.results.result')}>
        {refused === 0 && <Made documents={made} />}
        <table>
          <tbody>
            {shown.map((row) => (
              <tr key={row.id}>
                {row.label !== '' && <th scope="row"><RowName row={row} open={open} /></th>}
                <td>
                  {!(told.action.answers && row.ok) && <RowBadge row={row} />} {row.text}
                  {row.obstacles !== undefined && <Obstacles obstacles={row.obstacles} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {refused > 0 && <Made documents={made} />}
        {shown.length < sorted.length && (
          <Button look="plain" onClick={() => setWhole(true)}>
            {t('ui.bulk.show-all', { n: formatNumber(sorted.length) })}
          </Button>
        )}
      </div>
    </section>
  )
}

/** Refusals first, what is done last. */
function placeOf({ ok, left }: RowOutcome): number {
  return ok ? 2 : left === undefined ? 0 : 1
}

function headOf(action: ScreenAction, all: number, refused: number, left: number): string {
  if (action.answers && refused + left === 0) return t(action.label)
  const said = left > 0 ? 'ui.bulk.stopped' : refused > 0 ? 'ui.bulk.some-done' : 'ui.bulk.all-done'
  return t(said, { action: t(action.label), done: formatNumber(all - refused - left), refused: formatNumber(refused), left: formatNumber(left) })
}

/** Rows are worked on a few at a time: what has been sent when it is stopped is waited for. */
function RunningNotice({ action, done, total, stop }: Running) {
  const [isStopping, setStopping] = useState(false)
  const end = () => {
    setStopping(true)
    stop.abort()
  }
  return (
    <section className={css['notice']} aria-label={t(action.label)}>
      <div className={css['head']} role="status">
        <strong>{t('ui.bulk.running', { action: t(action.label), done: formatNumber(done), total: formatNumber(total) })}</strong>
        <Button busy={isStopping} onClick={end}>
          {t('ui.bulk.stop')}
        </Button>
      </div>
      <progress className={css['progress']} value={done} max={total} aria-label={t(action.label)} />
      <LeaveGuard isDirty title={t('ui.bulk.leave-title', { action: t(action.label) })} text={t('ui.bulk.leave-text')} onLeave={end} />
    </section>
  )
}

function RowBadge({ row: { ok, left } }: { readonly row: RowOutcome }) {
  if (left !== undefined) return <Badge tone="neutral">{t('ui.results.left')}</Badge>
  return <Badge tone={ok ? 'positive' : 'negative'}>{t(ok ? 'ui.results.done' : 'ui.results.refused')}</Badge>
}

/** The documents it has brought about: before the rows, unless some of those were refused. */
function Made({ documents }: { readonly documents: readonly Obstacle[] }) {
  if (documents.length === 0) return null
  return (
    <div className={css['made']}>
      <strong>{t('ui.bulk.made', { count: documents.length })}</strong>
      <Obstacles obstacles={documents} />
    </div>
  )
}

function RowName({ row, open }: { readonly row: RowOutcome; readonly open: string | undefined }) {
  const path = open === undefined ? undefined : fillPath(open, { ID: row.id })
  return path === undefined ? row.label : <Link to={path}>{row.label}</Link>
}

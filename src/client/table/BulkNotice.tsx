import { useEffect, useRef, useState } from 'react'
import type { Obstacle } from '#api/problems.ts'
import type { ScreenAction } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { fillPath } from '../data/around.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Obstacles } from '../app/Obstacles.tsx'
import css from './BulkNotice.module.css'
import type { RowOutcome } from './runAction.ts'

interface BulkNoticeProps {
  /** Where a row leads; filled with its id. */
  readonly open: string | undefined
  readonly running?: { readonly action: ScreenAction; readonly done: number; readonly total: number; readonly stop: AbortController }
  readonly told?: { readonly action: ScreenAction; readonly results: readonly RowOutcome[] }
  readonly onClose: () => void
}

/** So many lines are shown at first. */
const shownFirst = 100

/** An action on many rows: how far it is, with a way to stop; then what became of each, refusals first. The list stays where it is. */
export function BulkNotice({ open, running, told, onClose }: BulkNoticeProps) {
  const [isWhole, setWhole] = useState(false)
  const lines = useRef<HTMLDivElement>(null)
  // The button that began it is gone with the selection: keys go on where the results are read.
  useEffect(() => {
    if (told !== undefined && document.activeElement === document.body) lines.current?.focus({ preventScroll: true })
  }, [told])
  if (running !== undefined) {
    const { action, done, total, stop } = running
    return (
      <section className={css['notice']} aria-label={t(action.label)}>
        <div className={css['head']} role="status">
          <strong>{t('ui.bulk.running', { action: t(action.label), done: formatNumber(done), total: formatNumber(total) })}</strong>
          <Button onClick={() => stop.abort()}>{t('ui.bulk.stop')}</Button>
        </div>
        <progress className={css['progress']} value={done} max={total} aria-label={t(action.label)} />
      </section>
    )
  }
  if (told === undefined) return null
  const refused = told.results.filter((result) => !result.ok).length
  const sorted = told.results.toSorted((a, b) => Number(a.ok) - Number(b.ok))
  const made = told.results.flatMap((result) => result.made ?? [])
  const shown = isWhole ? sorted : sorted.slice(0, shownFirst)
  return (
    <section className={css['notice']} aria-label={t('ui.bulk.results', { action: t(told.action.label) })}>
      <div className={css['head']} role="status">
        <strong>
          {told.action.answers && refused === 0 ? t(told.action.label) : t(refused === 0 ? 'ui.bulk.all-done' : 'ui.bulk.some-done', { action: t(told.action.label), done: formatNumber(told.results.length - refused), refused: formatNumber(refused) })}
        </strong>
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
                  {!(told.action.answers && row.ok) && <Badge tone={row.ok ? 'positive' : 'negative'}>{t(row.ok ? 'ui.results.done' : 'ui.results.refused')}</Badge>} {row.text}
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

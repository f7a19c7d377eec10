import { useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { download } from '../notes/download.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { classes } from '../ui/classes.ts'
import css from './ExportTray.module.css'
import { cancelRun, dismissRun, exportRuns, watchRuns, type ExportRun } from './exportRuns.ts'

let isMounted = false

/** Puts the tray beside the application: it stays while pages change. */
export function mountTray(): void {
  if (isMounted) return
  isMounted = true
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(<ExportTray />)
}

/** What is being exported, each with its progress and a way to stop it. */
function ExportTray() {
  const runs = useSyncExternalStore(watchRuns, exportRuns)
  return (
    <section className={classes(css['tray'], runs.length === 0 && css['empty'])} aria-label={t('export.tray')}>
      <div role="status" className="visually-hidden">
        {runs.map((run) => `${run.title}: ${stateWords(run)}`).join('. ')}
      </div>
      {runs.map((run) => (
        <Run key={run.key} run={run} />
      ))}
    </section>
  )
}

function Run({ run }: { readonly run: ExportRun }) {
  const { key, title, format, state, isJob, isStopping, done, total, problem, fileKey } = run
  const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total)
  return (
    <article className={classes(css['run'], css[state])}>
      <header className={css['head']}>
        <Icon name={state === 'failed' ? 'warning' : state === 'done' ? 'check' : 'download'} size={18} />
        <strong className={css['title']}>{title}</strong>
        <span className={css['format']}>{format === 'xlsx' ? 'Excel' : 'CSV'}</span>
        {state !== 'running' && <IconButton icon="close" label={t('ui.close')} onClick={() => dismissRun(key)} />}
      </header>
      {state === 'running' && (
        // Without a value it only says that something goes on.
        <progress className={css['bar']} aria-label={title} {...(share === undefined ? {} : { value: share })} />
      )}
      <div className={css['foot']}>
        <span className={css['words']}>{problem ?? stateWords(run)}</span>
        {state === 'running' && <Button busy={isStopping} onClick={() => cancelRun(key)}>{t('ui.cancel')}</Button>}
        {state === 'done' && fileKey !== undefined && <Button onClick={() => void download(fileKey)}>{t('export.download')}</Button>}
      </div>
      {state === 'running' && isJob && !isStopping && <p className={css['hint']}>{t('export.background')}</p>}
    </article>
  )
}

function stateWords({ state, isJob, done, total }: ExportRun): string {
  if (state === 'done') return t('export.done')
  if (state === 'cancelled') return t('export.cancelled')
  if (state === 'failed') return t('export.failed')
  if (isJob) return total === undefined ? t('export.waiting') : t('export.progress', { done: formatNumber(done), total: formatNumber(total) })
  return done === 0 ? t('export.preparing') : t('export.received', { size: sizeWords(done) })
}

/** `1.2 MB`. */
export function sizeWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

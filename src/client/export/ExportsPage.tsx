import { useEffect } from 'react'
import type { ExportJob, ExportState } from '#api/export.ts'
import type { Tone } from '#meta/resolved.ts'
import { formatNumber, formatTime } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { openDownload } from '../data/files.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { sizeWords } from './ExportTray.tsx'
import css from './ExportsPage.module.css'
import { cancelJob, listJobs } from './exportRuns.ts'

const tones: Readonly<Record<ExportState, Tone>> = { QUEUED: 'neutral', RUNNING: 'info', DONE: 'positive', FAILED: 'negative', CANCELLED: 'neutral' }

/** The user's exports made in the background, while their files are kept. */
export function ExportsPage() {
  const { value, problem, reload } = useAnswer('exports', (signal) => listJobs(signal))
  const jobs = value?.records
  const isUnderWay = jobs?.some(({ State }) => State === 'QUEUED' || State === 'RUNNING') === true
  useEffect(() => {
    if (!isUnderWay) return undefined
    const timer = setInterval(reload, 1_500)
    return () => clearInterval(timer)
  }, [isUnderWay, reload])
  return (
    <section className={css['page']} aria-label={t('export.list')}>
      <header className={css['head']}>
        <h1>{t('export.list')}</h1>
        <IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />
      </header>
      <p className={css['hint']}>{t('export.kept')}</p>
      {problem !== undefined && jobs === undefined ? (
        <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
      ) : jobs === undefined ? (
        <Skeleton lines={6} />
      ) : jobs.length === 0 ? (
        <EmptyState icon="download" title={t('export.no-jobs')} />
      ) : (
        <ul className={css['list']}>
          {jobs.map((job) => (
            <Job key={job.ID} job={job} onChanged={reload} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Job({ job, onChanged }: { readonly job: ExportJob; readonly onChanged: () => void }) {
  const { State, FileKey, RowsDone, RowsTotal, Bytes } = job
  const isUnderWay = State === 'QUEUED' || State === 'RUNNING'
  const rows = isUnderWay && RowsTotal !== null ? t('export.progress', { done: formatNumber(RowsDone), total: formatNumber(RowsTotal) }) : RowsTotal === null ? '' : t('export.n-rows', { n: formatNumber(RowsTotal) })
  return (
    <li className={css['job']}>
      <div className={css['about']}>
        <strong>{job.FileName}</strong>
        <Badge tone={tones[State]}>{t(`enum.${State}`)}</Badge>
        <span className={css['facts']}>{[formatTime(job.CreatedAt), rows, Bytes === null ? '' : sizeWords(Bytes)].filter((part) => part !== '').join(' · ')}</span>
        {job.Problem !== null && <span className={css['problem']}>{t(job.Problem.key ?? job.Problem.text)}</span>}
        {isUnderWay && <progress className={css['bar']} aria-label={job.Title} {...(RowsTotal === null || RowsTotal === 0 ? {} : { value: RowsDone / RowsTotal })} />}
      </div>
      {isUnderWay && <Button onClick={() => void cancelJob(job.ID).then(onChanged)}>{t('ui.cancel')}</Button>}
      {FileKey !== null && (
        <Button icon="download" onClick={() => void openDownload(FileKey)}>
          {t('export.download')}
        </Button>
      )}
    </li>
  )
}

import { useEffect } from 'react'
import type { ExportJob, ExportState } from '#api/export.ts'
import type { Tone } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { download } from '../notes/download.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { RecordItem, Records, RecordsPage } from '../ui/Records.tsx'
import { sizeWords } from './ExportTray.tsx'
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
    <RecordsPage title={t('page.exports')} hint={t('export.kept')} tools={<IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />}>
      <Records records={jobs} problem={problem && { title: t('ui.load-failed'), text: problem.text, onRetry: reload }} empty={{ icon: 'download', title: t('export.no-jobs') }}>
        {(job) => <Job key={job.ID} job={job} onChanged={reload} />}
      </Records>
    </RecordsPage>
  )
}

function Job({ job, onChanged }: { readonly job: ExportJob; readonly onChanged: () => void }) {
  const { State, FileKey, RowsDone, RowsTotal, Bytes } = job
  const isUnderWay = State === 'QUEUED' || State === 'RUNNING'
  const rows = isUnderWay && RowsTotal !== null ? t('export.progress', { done: formatNumber(RowsDone), total: formatNumber(RowsTotal) }) : RowsTotal === null || State !== 'DONE' ? '' : t('export.n-rows', { n: formatNumber(RowsTotal) })
  const facts = [saidTime(job.CreatedAt), rows, Bytes === null ? '' : sizeWords(Bytes)].filter((part) => part !== '')
  return (
    <RecordItem
      title={job.FileName}
      badge={<Badge tone={tones[State]}>{t(`enum.${State}`)}</Badge>}
      facts={[facts.join(' · ')]}
      problem={job.Problem === null ? undefined : t(job.Problem.key ?? job.Problem.text)}
      progress={isUnderWay ? { label: job.Title, share: RowsTotal === null || RowsTotal === 0 ? null : RowsDone / RowsTotal } : undefined}
      deeds={
        <>
          {isUnderWay && <Button onClick={() => void cancelJob(job.ID).then(onChanged)}>{t('ui.cancel')}</Button>}
          {FileKey !== null && (
            <Button icon="download" onClick={() => void download(FileKey)}>
              {t('export.download')}
            </Button>
          )}
        </>
      }
    />
  )
}

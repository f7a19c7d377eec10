import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ImportBatch } from '#api/import.ts'
import type { ImportScreen } from '#meta/resolved.ts'
import { formatNumber, formatTime } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { inWords, languageAtom, t } from '../app/messages.ts'
import type { Refusal } from '../data/http.ts'
import { tellFailure } from '../notes/download.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { batchWords, toneOf } from './batchWords.ts'
import { moveBatch, saveFailed, type BatchAnswer } from './calls.ts'
import css from './Import.module.css'
import { ReadingStep } from './ReadingStep.tsx'
import { RowsStep } from './RowsStep.tsx'
import { Upload } from './Upload.tsx'
import { useBatch } from './useBatch.ts'

interface BatchViewProps {
  readonly id: number
  readonly screen: ImportScreen
  readonly onOpen: (batch: number | undefined) => void
}

/** One file on its way in: how it is read, what is wrong in it, what became of it. */
export function BatchView({ id, screen, onOpen }: BatchViewProps) {
  const { batch, isBusy, problem, reload, set } = useBatch(id)
  const [query, setQuery] = useSearchParams()
  if (batch === undefined) return problem === undefined ? <Skeleton lines={8} /> : <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  const sheet = screen.sheets.find((one) => one.id === batch.Sheet) ?? screen.sheets[0]
  const missing = sheet?.columns.filter((column) => column.required && !batch.Mapping.includes(column.name)) ?? []
  const asked = query.get('step')
  const step = asked === 'columns' || (asked === null && missing.length > 0 && batch.Status === 1) ? 'columns' : 'rows'
  const taken = (answer: BatchAnswer): boolean => {
    if (answer.ok) set(answer.value)
    else tellFailure(answer.problem)
    return answer.ok
  }
  return (
    <>
      <Summary batch={batch} screen={screen} onTaken={taken} onOpen={onOpen} />
      {isBusy ? (
        <Working batch={batch} onTaken={taken} />
      ) : batch.Status === 5 || batch.Status === 6 ? null : (
        <Tabs
          label={t(screen.title)}
          tabs={[
            { id: 'columns', title: t('import.step.columns') },
            { id: 'rows', title: t('import.step.rows'), count: formatNumber(batch.RowsTotal) },
          ]}
          current={step}
          onSelect={(next) => setQuery({ batch: String(id), step: next })}
        >
          {sheet !== undefined && step === 'columns' && <ReadingStep key={JSON.stringify([batch.Form, batch.Mapping, batch.Sheet])} batch={batch} screen={screen} sheet={sheet} missing={missing.map(({ name }) => name)} onTaken={taken} />}
          {sheet !== undefined && step === 'rows' && <RowsStep batch={batch} sheet={sheet} onTaken={taken} />}
        </Tabs>
      )}
    </>
  )
}

interface PartProps {
  readonly batch: ImportBatch
  readonly onTaken: (answer: BatchAnswer) => boolean
}

/** How far it is, and a way to stop it. */
function Working({ batch, onTaken }: PartProps) {
  const { Work, RowsDone, RowsTotal, ID } = batch
  const share = RowsTotal === 0 ? undefined : Math.min(1, RowsDone / RowsTotal)
  return (
    <div className={css['box']} role="status">
      <p>{t(`import.work.${Work ?? 'READ'}`)}</p>
      <progress className={css['bar']} aria-label={t(`import.work.${Work ?? 'READ'}`)} {...(share === undefined ? {} : { value: share })} />
      <p className={css['hint']}>{RowsTotal === 0 ? t('import.rows-read', { n: formatNumber(RowsDone) }) : t('import.rows-of', { done: formatNumber(RowsDone), total: formatNumber(RowsTotal) })}</p>
      <p className={css['hint']}>{t('import.background')}</p>
      <div className={css['buttons']}>
        <Button onClick={() => void moveBatch(ID, 'cancel').then(onTaken)}>{t('import.stop')}</Button>
      </div>
    </div>
  )
}

function Summary({ batch, screen, onTaken, onOpen }: PartProps & { readonly screen: ImportScreen; readonly onOpen: (batch: number | undefined) => void }) {
  const language = useAtomValue(languageAtom)
  const [asking, setAsking] = useState<'undo' | 'cancel'>()
  const [warning, setWarning] = useState<Refusal>()
  const [isRetrying, setRetrying] = useState(false)
  const [busy, setBusy] = useState(false)
  const may = (action: ImportBatch['Actions'][number]): boolean => batch.Work === null && batch.Actions.includes(action)
  const move = async (action: 'commit' | 'cancel' | 'undo', acknowledge: readonly string[] = []) => {
    setBusy(true)
    const answer = await moveBatch(batch.ID, action, acknowledge)
    setBusy(false)
    setAsking(undefined)
    setWarning(undefined)
    if (!answer.ok && answer.problem.warnings.length > 0) return setWarning(answer.problem)
    onTaken(answer)
    return undefined
  }
  const failed = async (format: 'xlsx' | 'csv') => {
    const answer = await saveFailed(batch.ID, format, language)
    if (!answer.ok) tellFailure(answer.problem)
  }
  const title = screen.sheets.find(({ id }) => id === batch.Sheet)?.title
  const counts = [
    { key: 'right', tone: 'positive', n: batch.RowsRight }, { key: 'warned', tone: 'warning', n: batch.RowsWarned }, { key: 'wrong', tone: 'negative', n: batch.RowsWrong },
    { key: 'skipped', tone: 'neutral', n: batch.RowsSkipped }, { key: 'imported', tone: 'positive', n: batch.RowsImported },
  ] as const
  return (
    <div className={css['box']}>
      <div className={css['summary']}>
        <strong className={css['file']}>{batch.FileName}</strong>
        {screen.sheets.length > 1 && title !== undefined && <Badge>{t(title)}</Badge>}
        <Badge tone={toneOf(batch)}>{batchWords(batch)}</Badge>
        {counts.filter(({ n }) => n > 0).map(({ key, tone, n }) => (
          <Badge key={key} tone={tone}>
            {t(`import.count.${key}`, { n: formatNumber(n) })}
          </Badge>
        ))}
      </div>
      <p className={css['hint']}>
        {t('import.taken', { code: batch.Code, by: batch.UserName, at: formatTime(batch.CreatedAt) })}
        {batch.RetryOf !== null && ` ${t('import.retry-of', { code: batch.RetryOf.Code })}`} <Link to={`/pages/import-log/${batch.ID}`}>{t('import.log')}</Link>
      </p>
      {batch.SameAs !== null && batch.Status !== 3 && (
        <p className={css['notice']}>{t('import.same-file', { code: batch.SameAs.Code, by: batch.SameAs.By, at: formatTime(batch.SameAs.At) })}</p>
      )}
      {batch.Problem !== null && (
        <p role="alert" className={css['problem']}>
          {inWords(batch.Problem)}
        </p>
      )}
      <div className={css['buttons']}>
        {may('commit') && (
          <Button look="primary" icon="check" busy={busy} onClick={() => void move('commit')}>
            {t('import.commit', { n: formatNumber(batch.RowsRight + batch.RowsWarned) })}
          </Button>
        )}
        {may('failed') && (
          <>
            <Button icon="download" onClick={() => void failed('xlsx')}>
              {t('import.failed-xlsx')}
            </Button>
            <Button icon="download" onClick={() => void failed('csv')}>
              {t('import.failed-csv')}
            </Button>
            <Button icon="refresh" aria-expanded={isRetrying} onClick={() => setRetrying(!isRetrying)}>
              {t('import.retry')}
            </Button>
          </>
        )}
        {may('undo') && (
          <Button icon="undo" onClick={() => setAsking('undo')}>
            {t('import.undo')}
          </Button>
        )}
        {may('cancel') && <Button onClick={() => setAsking('cancel')}>{t('import.discard')}</Button>}
      </div>
      {isRetrying && <Upload screen={screen} retryOf={batch.ID} onTaken={(next) => onOpen(next.ID)} />}
      {asking !== undefined && (
        <ConfirmDialog
          title={t(asking === 'undo' ? 'import.undo' : 'import.discard')}
          text={t(asking === 'undo' ? 'import.undo-text' : 'import.discard-text', { n: formatNumber(batch.RowsImported) })}
          confirm={t(asking === 'undo' ? 'import.undo' : 'import.discard')}
          look="negative" busy={busy} onConfirm={() => void move(asking)} onClose={() => setAsking(undefined)}
        />
      )}
      {warning !== undefined && (
        <ConfirmDialog
          title={t('import.same-title')}
          text={warning.warnings.map(({ text }) => text).join(' ')}
          confirm={t('import.anyway')}
          busy={busy} onConfirm={() => void move('commit', warning.warnings.map(({ id }) => id))} onClose={() => setWarning(undefined)}
        />
      )}
    </div>
  )
}

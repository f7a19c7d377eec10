import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { ImportScreen } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { inWords, languageAtom, t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { loadScreen } from '../app/screens.ts'
import { tellFailure } from '../notes/download.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { batchWords, isWarning, toneOf } from './batchWords.ts'
import { saveFailed } from './calls.ts'
import css from './Import.module.css'
import { PaymentMoney } from './PaymentMoney.tsx'
import { RowsStep } from './RowsStep.tsx'
import { useBatch } from './useBatch.ts'
import { WaitingApprovals } from './WaitingApprovals.tsx'

/** What became of a file, row by row. */
export function ImportLogPage({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const navigate = useNavigate()
  const language = useAtomValue(languageAtom)
  const id = Number(params['id'])
  const { batch, problem, reload } = useBatch(id)
  const [screen, setScreen] = useState<ImportScreen>()
  const screenId = batch?.Screen
  useEffect(() => {
    if (screenId === undefined) return
    void loadScreen(screenId).then((module) => setScreen(module.screen.kind === 'import' ? module.screen : undefined))
  }, [screenId])
  if (problem !== undefined && batch === undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  const sheet = screen?.sheets.find((one) => one.id === batch?.Sheet) ?? screen?.sheets[0]
  if (batch === undefined || screen === undefined || sheet === undefined) return <Skeleton lines={10} />
  const failed = async (format: 'xlsx' | 'csv') => {
    const answer = await saveFailed(batch.ID, format, language)
    if (!answer.ok) tellFailure(answer.problem)
  }
  const facts = [
    ['file', batch.FileName], ['by', batch.UserName], ['at', saidTime(batch.CreatedAt)], ['finished', saidTime(batch.FinishedAt)], ['total', formatNumber(batch.RowsTotal)],
    ['imported', formatNumber(batch.RowsImported)], ['wrong', formatNumber(batch.RowsWrong)], ['skipped', formatNumber(batch.RowsSkipped)],
    ['waiting', formatNumber(batch.RowsRight + batch.RowsWarned)], ['same', batch.SameAs?.Code ?? ''], ['retry', batch.RetryOf?.Code ?? ''], ['retried', batch.RetriedBy?.Code ?? ''],
  ].filter(([, text]) => text !== '')
  return (
    <div className={css['log']}>
      <header className={css['head']}>
        <Button onClick={() => void navigate(-1)}>{t('ui.back')}</Button>
        <h1>{t('import.log-title', { code: batch.Code })}</h1>
        <Badge tone={toneOf(batch)}>{batchWords(batch)}</Badge>
      </header>
      <p className={css['hint']}>{t(screen.title)}</p>
      <dl className={css['facts-list']}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{t(`import.fact.${name}`)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {batch.Problem !== null && (
        <p role="alert" className={css[isWarning(batch) ? 'notice' : 'problem']}>
          {inWords(batch.Problem)}
        </p>
      )}
      <WaitingApprovals batch={batch} />
      {batch.Actions.includes('failed') && (
        <div className={css['buttons']}>
          <Button icon="download" onClick={() => void failed('xlsx')}>
            {t('import.failed-xlsx')}
          </Button>
          <Button icon="download" onClick={() => void failed('csv')}>
            {t('import.failed-csv')}
          </Button>
        </div>
      )}
      {screen.log === 'payments' && batch.RowsTotal > 0 && <PaymentMoney batch={batch} />}
      {batch.RowsTotal > 0 && <RowsStep batch={batch} sheet={sheet} />}
    </div>
  )
}

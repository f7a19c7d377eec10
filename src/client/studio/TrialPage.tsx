import { useMemo } from 'react'
import { mostPreviewed } from '#api/studio.ts'
import { t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { ReportPage } from '../pages/ReportPage.tsx'
import { ReportAnswersContext, type ReportAnswers } from '../report/reportAnswers.ts'
import page from '../ui/Page.module.css'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { spoken } from './spoken.ts'
import css from './Draft.module.css'
import { answerTrial, readTrial } from './studioCalls.ts'

/** A colleague's draft, read only: his report, under one's own permissions and in one's own scope. */
export function TrialPage({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const id = params['id'] ?? ''
  const { value, problem, reload } = useAnswer(`trial ${id}`, (signal) => readTrial(id, signal))
  const answers = useMemo((): ReportAnswers => ({
    revision: `${id} ${value?.record.UpdatedAt ?? ''}`,
    most: mostPreviewed,
    rows: (Query, signal) => answerTrial(id, { IsSummary: false, Query }, signal),
    summary: (Query, signal) => answerTrial(id, { IsSummary: true, Query }, signal),
  }), [id, value])
  if (problem !== undefined) return <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  if (value === undefined) return <Skeleton lines={10} />
  const { Name, OwnerName, UpdatedAt, screen } = value.record
  return (
    <section className={page['page']} aria-label={Name}>
      <header className={page['head']}>
        <h1>{Name}</h1>
        <span className={css['state']}>{t('studio.trial-of', { owner: OwnerName, at: saidTime(UpdatedAt) })}</span>
      </header>
      {screen === undefined ? (
        <EmptyState icon="chart" title={t('studio.trial-broken', { owner: OwnerName })} />
      ) : (
        <ReportAnswersContext value={answers}>
          <ReportPage screen={spoken(screen, t('page.report-trial'))} />
        </ReportAnswersContext>
      )}
    </section>
  )
}

import { t } from '../app/messages.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { ProposalList } from './ProposalList.tsx'
import css from './Studio.module.css'
import { readProposals } from './studioCalls.ts'

/** What analysts propose to publish, for those who review it. */
export function ProposalsPage() {
  const { value, problem, reload } = useAnswer('studio proposals', (signal) => readProposals(signal))
  return (
    <section className={css['desk']} aria-label={t('page.studio-proposals')}>
      <header className={css['head']}>
        <h1>{t('page.studio-proposals')}</h1>
        <IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />
      </header>
      <p className={css['hint']}>{t('studio.review-hint')}</p>
      {problem !== undefined && value === undefined ? (
        <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
      ) : value === undefined ? (
        <Skeleton lines={6} />
      ) : value.records.length === 0 ? (
        <EmptyState icon="inbox" title={t('studio.no-proposals')} />
      ) : (
        <ProposalList records={value.records} onChanged={reload} />
      )}
    </section>
  )
}

import { t } from '../app/messages.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { IconButton } from '../ui/Button.tsx'
import { RecordsPage } from '../ui/Records.tsx'
import { ProposalList } from './ProposalList.tsx'
import { readProposals } from './studioCalls.ts'

/** What analysts propose to publish, for those who review it. */
export function ProposalsPage() {
  const { value, problem, reload } = useAnswer('studio proposals', (signal) => readProposals(signal))
  return (
    <RecordsPage title={t('page.studio-proposals')} hint={t('studio.review-hint')} tools={<IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />}>
      <ProposalList records={value?.records} problem={problem && { title: t('ui.load-failed'), text: problem.text, onRetry: reload }} onChanged={reload} />
    </RecordsPage>
  )
}

import type { ApprovalRow } from '#api/approval.ts'
import { t } from '../app/messages.ts'
import { foreseenRequest, readRequest } from '../data/approvals.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { Changes } from './Changes.tsx'
import { Facts } from './Facts.tsx'
import { Reasons } from './Reasons.tsx'
import css from './RequestBasis.module.css'
import { Steps } from './Steps.tsx'

/** What a decision rests on: why it is asked for, the numbers behind it, what has happened so far. */
export function RequestBasis({ row }: { readonly row: ApprovalRow }) {
  const { value, problem, reload } = useAnswer(`request ${row.ID} ${row.CurrentLevel} ${row.DecidedAt ?? ''}`, (signal) => readRequest(row.ID, signal), { foreseen: () => foreseenRequest(row.ID) })
  return (
    <section className={css['basis']} aria-label={t('ui.approval.basis')}>
      <Reasons reasons={row.Reasons} isLong />
      {value !== undefined && value.Changes.length > 0 && (
        <div className={css['changes']}>
          <Changes changes={value.Changes} />
        </div>
      )}
      {problem !== undefined ? (
        <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
      ) : value === undefined ? (
        <Skeleton lines={4} />
      ) : (
        <div className={css['sides']}>
          <Facts asked={value.FactsAsked} now={value.FactsNow} isDecided={row.DecidedAt !== null} />
          <Steps steps={value.Steps} approvers={value.Approvers} />
        </div>
      )}
    </section>
  )
}

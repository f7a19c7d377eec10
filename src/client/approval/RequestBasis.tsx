import { useEffect } from 'react'
import type { ApprovalRow } from '#api/approval.ts'
import { t } from '../app/messages.ts'
import { foreseenRequest, readRequest } from '../data/approvals.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { Changes } from './Changes.tsx'
import { Facts } from './Facts.tsx'
import { LongReasons } from './Reasons.tsx'
import css from './RequestBasis.module.css'
import { Steps } from './Steps.tsx'

/** Longer than the second of two taps takes to follow the first. */
const secondTapMs = 600

/** A request as one level sees it: the next level looks at it anew. */
export const requestSeen = ({ ID, CurrentLevel }: Pick<ApprovalRow, 'ID' | 'CurrentLevel'>): string => `${ID} ${CurrentLevel}`

/** What a decision rests on: why it is asked for, the numbers behind it, what has happened so far. `onSeen`: it has all been on screen for a moment. */
export function RequestBasis({ row, onSeen }: { readonly row: ApprovalRow; readonly onSeen: (request: string) => void }) {
  const { value, problem, reload } = useAnswer(`request ${row.ID} ${row.CurrentLevel} ${row.DecidedAt ?? ''}`, (signal) => readRequest(row.ID, signal), { foreseen: () => foreseenRequest(row.ID) })
  const isThere = value !== undefined
  const request = requestSeen(row)
  useEffect(() => {
    if (!isThere) return
    const timer = setTimeout(() => onSeen(request), secondTapMs)
    return () => clearTimeout(timer)
  }, [isThere, request, onSeen])
  return (
    <section className={css['basis']} aria-label={t('ui.approval.basis')}>
      {(value !== undefined || row.DecidedAt !== null) && <LongReasons asked={row.Reasons} now={row.DecidedAt === null ? value?.ReasonsNow : undefined} />}
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

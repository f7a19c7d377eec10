import { Suspense, useState } from 'react'
import type { Delegation, DelegationState } from '#api/approval.ts'
import type { Tone } from '#meta/resolved.ts'
import { formatDate, formatTime } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { endDelegation, listDelegations } from '../data/approvals.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import css from './DelegationsPage.module.css'

const DelegationDialog = lazy(() => import('./DelegationDialog.tsx').then((module) => ({ default: module.DelegationDialog })))
const ConfirmDialog = lazy(() => import('../ui/ConfirmDialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

const tones: Readonly<Record<DelegationState, Tone>> = { COMING: 'info', RUNNING: 'positive', OVER: 'neutral', ENDED: 'neutral' }

/** To whom I hand my approvals for some days, and whose I have taken over. */
export function DelegationsPage() {
  const { value, problem, reload } = useAnswer('delegations', (signal) => listDelegations(signal))
  const [isMaking, setMaking] = useState(false)
  const [ending, setEnding] = useState<Delegation>()
  const [isBusy, setBusy] = useState(false)
  const end = async (one: Delegation) => {
    setBusy(true)
    const answer = await endDelegation(one.ID)
    setBusy(false)
    setEnding(undefined)
    void notify(answer.ok ? { tone: 'success', text: t('ui.delegation.ended') } : { tone: 'error', text: answer.problem.text })
    reload()
  }
  const mayHandOver = (value?.docTypes.length ?? 0) > 0
  return (
    <section className={css['page']} aria-label={t('page.delegations')}>
      <header className={css['head']}>
        <h1>{t('page.delegations')}</h1>
        <IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />
        {mayHandOver && (
          <Button look="primary" icon="plus" className={css['new']} onClick={() => setMaking(true)}>
            {t('ui.delegation.new')}
          </Button>
        )}
      </header>
      <p className={css['hint']}>{t('ui.delegation.hint')}</p>
      {problem !== undefined && value === undefined ? (
        <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
      ) : value === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <>
          <h2>{t('ui.delegation.given')}</h2>
          {value.given.length === 0 ? (
            <EmptyState icon="user" title={t(mayHandOver ? 'ui.delegation.none-given' : 'ui.delegation.nothing-to-give')} />
          ) : (
            <List records={value.given} of="to" onEnd={setEnding} />
          )}
          <h2>{t('ui.delegation.received')}</h2>
          {value.received.length === 0 ? <EmptyState icon="inbox" title={t('ui.delegation.none-received')} /> : <List records={value.received} of="from" onEnd={setEnding} />}
        </>
      )}
      <Suspense>
        {isMaking && value !== undefined && (
          <DelegationDialog
            docTypes={value.docTypes}
            onClose={() => setMaking(false)}
            onMade={() => {
              setMaking(false)
              void notify({ tone: 'success', text: t('ui.delegation.made') })
              reload()
            }}
          />
        )}
        {ending !== undefined && (
          <ConfirmDialog
            title={t('ui.delegation.end')}
            text={t('ui.delegation.end-text', { from: ending.FromUserName, to: ending.ToUserName })}
            confirm={t('ui.delegation.end')}
            look="negative"
            busy={isBusy}
            onConfirm={() => void end(ending)}
            onClose={() => setEnding(undefined)}
          />
        )}
      </Suspense>
    </section>
  )
}

function List({ records, of, onEnd }: { readonly records: readonly Delegation[]; readonly of: 'to' | 'from'; readonly onEnd: (one: Delegation) => void }) {
  return (
    <ul className={css['list']}>
      {records.map((one) => (
        <li key={one.ID} className={css['one']}>
          <div className={css['about']}>
            <strong>{of === 'to' ? one.ToUserName : one.FromUserName}</strong>
            <Badge tone={tones[one.State]}>{t(`ui.delegation.state.${one.State}`)}</Badge>
            <span className={css['days']}>{t('ui.delegation.days', { from: formatDate(one.ValidFrom), until: formatDate(one.ValidTo) })}</span>
            <span className={css['aside']}>{one.DocTypes.length === 0 ? t('ui.delegation.all') : one.DocTypes.map((docType) => t(`entity.${docType}`)).join(', ')}</span>
            {one.Note !== null && <span className={css['note']}>{one.Note}</span>}
            {one.EndedAt !== null && <span className={css['aside']}>{t('ui.delegation.ended-by', { name: one.EndedByName, at: formatTime(one.EndedAt) })}</span>}
          </div>
          {(one.State === 'COMING' || one.State === 'RUNNING') && <Button onClick={() => onEnd(one)}>{t('ui.delegation.end')}</Button>}
        </li>
      ))}
    </ul>
  )
}

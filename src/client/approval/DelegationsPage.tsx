import { Suspense, useState } from 'react'
import type { Delegation, DelegationState } from '#api/approval.ts'
import type { Tone } from '#meta/resolved.ts'
import { formatDate } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { notify } from '../app/toasts.ts'
import { endDelegation, listDelegations } from '../data/approvals.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { RecordItem, Records, RecordsPage } from '../ui/Records.tsx'

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
  const failure = problem && { title: t('ui.load-failed'), text: problem.text, onRetry: reload }
  const mayHandOver = (value?.docTypes.length ?? 0) > 0
  return (
    <RecordsPage
      title={t('page.delegations')}
      hint={t('ui.delegation.hint')}
      tools={<IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />}
      actions={
        mayHandOver ? (
          <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
            {t('ui.delegation.new')}
          </Button>
        ) : undefined
      }
    >
      <h2>{t('ui.delegation.given')}</h2>
      <Records records={value?.given} problem={failure} empty={{ icon: 'user', title: t(mayHandOver ? 'ui.delegation.none-given' : 'ui.delegation.nothing-to-give') }}>
        {(one) => <Item key={one.ID} one={one} of="to" onEnd={setEnding} />}
      </Records>
      {value !== undefined && (
        <>
          <h2>{t('ui.delegation.received')}</h2>
          <Records records={value.received} empty={{ icon: 'inbox', title: t('ui.delegation.none-received') }}>
            {(one) => <Item key={one.ID} one={one} of="from" onEnd={setEnding} />}
          </Records>
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
    </RecordsPage>
  )
}

function sayUnable({ UserName: name, DocTypes }: Delegation['Unable'][number]): string {
  return DocTypes.length === 0 ? t('ui.delegation.unable-any', { name }) : t('ui.delegation.unable', { name, documents: DocTypes.map((docType) => t(`entity.${docType}`)).join(', ') })
}

function Item({ one, of, onEnd }: { readonly one: Delegation; readonly of: 'to' | 'from'; readonly onEnd: (one: Delegation) => void }) {
  const documents = one.DocTypes.length === 0 ? t('ui.delegation.all') : one.DocTypes.map((docType) => t(`entity.${docType}`)).join(', ')
  return (
    <RecordItem
      title={of === 'to' ? one.ToUserName : one.FromUserName}
      badge={<Badge tone={tones[one.State]}>{t(`ui.delegation.state.${one.State}`)}</Badge>}
      facts={[
        [t('ui.delegation.days', { from: formatDate(one.ValidFrom), until: formatDate(one.ValidTo) }), documents].join(' · '),
        one.Note ?? undefined,
        one.EndedAt === null ? undefined : t('ui.delegation.ended-by', { name: one.EndedByName, at: saidTime(one.EndedAt) }),
      ]}
      problem={[...one.Unable.map(sayUnable), ...(one.IsNarrower ? [t('ui.delegation.narrower', { name: one.ToUserName })] : [])].join(' ') || undefined}
      deeds={one.State === 'COMING' || one.State === 'RUNNING' ? <Button onClick={() => onEnd(one)}>{t('ui.delegation.end')}</Button> : undefined}
    />
  )
}

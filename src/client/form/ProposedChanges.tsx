import { useState } from 'react'
import type { ProposedChanges as Proposed } from '#api/approval.ts'
import { t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { notify } from '../app/toasts.ts'
import { Changes } from '../approval/Changes.tsx'
import { withdrawRequest } from '../data/approvals.ts'
import { Button } from '../ui/Button.tsx'
import css from './ProposedChanges.module.css'

/** Over a form: what of this record waits for somebody's approval. Whoever asked may take it back. */
export function ProposedChanges({ proposed, onWithdrawn }: { readonly proposed: Proposed; readonly onWithdrawn: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const withdraw = async () => {
    setBusy(true)
    const answer = await withdrawRequest(proposed.RequestID)
    setBusy(false)
    void notify(answer.ok ? { tone: 'success', text: t('done.withdrawn') } : { tone: 'error', text: answer.problem.text })
    onWithdrawn()
  }
  return (
    <section className={css['proposed']} aria-label={t('ui.proposed.title')}>
      <header>
        <p>{t(proposed.IsNew ? 'ui.proposed.new' : 'ui.proposed.changes', { name: proposed.ByName, time: saidTime(proposed.At) })}</p>
        {proposed.IsMine && (
          <Button busy={isBusy} icon="undo" onClick={() => void withdraw()}>
            {t('ui.proposed.withdraw')}
          </Button>
        )}
      </header>
      {!proposed.IsNew && <Changes changes={proposed.Changes} />}
    </section>
  )
}

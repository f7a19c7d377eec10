import { useState } from 'react'
import type { StudioDraft, StudioPerson } from '#api/studio.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { RecipientPicker } from '../schedule/RecipientPicker.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import css from './Studio.module.css'
import { peopleFor, shareDraft } from './studioCalls.ts'

interface ShareDialogProps {
  readonly draft: StudioDraft
  readonly onClose: () => void
  readonly onShared: (draft: StudioDraft) => void
}

/** Colleagues who may try the draft; each sees it with what he himself may see. */
export function ShareDialog({ draft, onClose, onShared }: ShareDialogProps) {
  const [chosen, setChosen] = useState<readonly StudioPerson[]>(draft.Readers)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const share = async () => {
    setBusy(true)
    const answer = await shareDraft(draft, chosen.map(({ ID }) => ID))
    setBusy(false)
    if (!answer.ok) return setProblems(answer.problem.errors.length > 0 ? answer.problem.errors.map(({ text }) => text) : [answer.problem.text])
    onShared(answer.value.record)
    onClose()
    return void notify({ tone: 'success', text: t('studio.is-shared', { n: chosen.length }) })
  }
  return (
    <Dialog
      title={t('studio.share-title', { name: draft.Name })}
      onClose={onClose}
      onSubmit={() => void share()}
      footer={
        <>
          <Button look="plain" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button look="primary" type="submit" busy={isBusy}>
            {t('studio.share')}
          </Button>
        </>
      }
    >
      <p className={css['hint']}>{t('studio.share-hint')}</p>
      <RecipientPicker question={`draft ${draft.ID}`} find={(search, signal) => peopleFor(draft, search, signal)} legend={t('studio.readers')} chosen={chosen} onChange={setChosen} errors={problems} />
    </Dialog>
  )
}

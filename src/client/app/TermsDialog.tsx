import { useAtomValue } from 'jotai'
import { useId, useState } from 'react'
import { agreeToTerms, readLegal } from '../data/profile.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { LegalBody } from '../pages/LegalBody.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import input from '../ui/input.module.css'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { loadingEndsMs } from './constants.ts'
import { languageAtom, t } from './messages.ts'
import css from './TermsDialog.module.css'

/** The terms of service, to be agreed to before work goes on. */
export function TermsDialog() {
  const id = useId()
  const language = useAtomValue(languageAtom)
  const { value, problem, reload } = useAnswer(language, (signal) => readLegal('terms', language, signal))
  const [agrees, setAgrees] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | undefined>()
  const submit = async () => {
    setBusy(true)
    const answer = await agreeToTerms(value?.version)
    if (answer.ok) {
      setTimeout(() => location.reload(), loadingEndsMs)
      return
    }
    setBusy(false)
    setRefusal(answer.problem.text)
    reload()
  }
  return (
    <Dialog
      title={value?.title ?? t('ui.terms.title')}
      shape="wide"
      dismissable={false}
      onClose={() => undefined}
      footer={
        <div className={css['foot']}>
          <label htmlFor={id} className={css['agree']}>
            <input id={id} type="checkbox" className={input['check']} checked={agrees} disabled={value === undefined} onChange={(event) => setAgrees(event.target.checked)} />
            {t('ui.terms.agree')}
          </label>
          <Button look="primary" disabled={!agrees || value === undefined} busy={isBusy} onClick={() => void submit()}>
            {t('ui.terms.submit')}
          </Button>
        </div>
      }
    >
      <p className={css['lead']}>{t('ui.terms.text')}</p>
      {refusal !== undefined && (
        <p role="alert" className={input['problem']}>
          {refusal}
        </p>
      )}
      {problem !== undefined ? (
        <ErrorState title={t('ui.page-failed')} text={problem.text} onRetry={reload} />
      ) : value === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <div className={css['text']} tabIndex={0} role="region" aria-label={value.title}>
          <LegalBody text={value.body} level={3} />
        </div>
      )}
    </Dialog>
  )
}
